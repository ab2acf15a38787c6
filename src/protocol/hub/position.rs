//! The position of a `pos` command.

use crate::erased::{Game, Position};
use crate::notation::hub;
use crate::rules::Variant;

use super::parse::HubLine;

/// The maximum number of moves in a `pos` command. No game played by the rules is that long.
const MAX_MOVES: usize = 10_000;

/// The unparsed arguments of `pos`; their meaning depends on the variant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PosText {
    /// Whether to use the start position if `position` is `None`.
    pub start: bool,
    /// The position.
    pub position: Option<String>,
    /// The counters of the three-king-moves rule in the position.
    pub wolf: String,
    /// The moves played from the position, separated by blanks.
    pub moves: String,
}

impl PosText {
    /// The start position.
    pub fn start() -> PosText {
        PosText { start: true, ..PosText::default() }
    }

    /// Takes the arguments from a `pos` line.
    pub fn parse(line: &HubLine) -> PosText {
        let text = |name| line.value(name).unwrap_or_default().to_owned();
        PosText {
            start: line.has("start"),
            position: line.value("pos").map(str::to_owned),
            wolf: text("wolf"),
            moves: text("moves"),
        }
    }
}

/// Parses the position and the moves of a `pos` command.
///
/// # Errors
///
/// A message for the client: which argument is invalid, and why.
pub fn read_game(variant: Variant, text: &PosText) -> Result<Game, String> {
    let mut game = Game::from_position(read_position(variant, text)?);
    for (index, word) in text.moves.split_whitespace().enumerate() {
        if index == MAX_MOVES {
            return Err(format!("moves: more than {MAX_MOVES}"));
        }
        let mv = hub::parse_move_leniently(game.position(), word)
            .map_err(|error| format!("moves: move {}: {error}", index + 1))?;
        game.play(mv);
    }
    Ok(game)
}

fn read_position(variant: Variant, text: &PosText) -> Result<Position, String> {
    let position = match &text.position {
        Some(position) => {
            hub::parse_position(variant, position).map_err(|error| format!("pos: {error}"))?
        }
        None if text.start => Position::start(variant),
        None => return Err("pos: a position or the word start is missing".to_owned()),
    };
    hub::parse_wolf(position, &text.wolf).map_err(|error| format!("wolf: {error}"))
}

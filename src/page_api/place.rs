//! Where a question is about: a position by its start and the moves since.

use serde::Deserialize;

use crate::erased::{Game, Position};
use crate::notation::{fen, hub};
use crate::rules::{UnknownVariant, Variant};

/// The most moves of a game.
const MAX_MOVES: usize = 10_000;

/// A position by its start and the moves since.
#[derive(Debug, Deserialize)]
pub struct Place {
    /// The name of the game.
    pub variant: String,
    /// A FEN, empty for the start position.
    #[serde(default)]
    start: String,
    /// In Hub notation.
    #[serde(default)]
    moves: Vec<String>,
}

impl Place {
    /// The game up to this position.
    pub fn game(&self) -> Result<Game, String> {
        let mut game = Game::from_position(start(&self.variant, &self.start)?);
        if self.moves.len() > MAX_MOVES {
            return Err(format!("more than {MAX_MOVES} moves"));
        }
        for (index, word) in self.moves.iter().enumerate() {
            let mv = hub::parse_move(game.position(), word);
            game.play(mv.map_err(|error| format!("move {}: {error}", index + 1))?);
        }
        Ok(game)
    }
}

/// The position that a game starts from: a FEN, empty for the start position.
pub fn start(variant: &str, text: &str) -> Result<Position, String> {
    let variant = self::variant(variant)?;
    match text {
        "" => Ok(Position::start(variant)),
        text => fen::parse(variant, text).map_err(|error| format!("FEN: {error}")),
    }
}

/// The game of a name.
pub fn variant(name: &str) -> Result<Variant, String> {
    name.parse().map_err(|error: UnknownVariant| error.to_string())
}

//! The ballots of engine tournaments.

use crate::door::Game;
use crate::notation::{MoveError, hub};
use crate::rules::Variant;

use super::{Opening, OpeningError};

/// One ballot per line, two moves in Hub notation; lines that start with `#` are comments.
const BALLOTS: &str = include_str!("../../../book/ballots.txt");

/// The ballots in the order of the file.
///
/// # Errors
///
/// The moves of a ballot are not legal in this variant: it has another board or another start
/// position.
pub(super) fn openings(variant: Variant) -> Result<Vec<Opening>, OpeningError> {
    let ballots = BALLOTS.lines().filter(|line| !line.starts_with('#'));
    let openings = ballots.zip(1..).map(|(ballot, number)| {
        let name = format!("ballot {number}");
        match play(variant, ballot) {
            Ok(game) => Ok(Opening { name, game }),
            Err(error) => Err(OpeningError::Input(format!(
                "the ballots are openings of international draughts and cannot be played in \
                 {variant}: {name} is {ballot}, {error}; 2-ply has two-move openings for every game"
            ))),
        }
    });
    openings.collect()
}

fn play(variant: Variant, ballot: &str) -> Result<Game, MoveError> {
    let mut game = Game::start_of(variant);
    for text in ballot.split(' ') {
        let mv = hub::parse_move(game.position(), text)?;
        game.play(mv);
    }
    Ok(game)
}

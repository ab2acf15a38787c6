//! The ballots of engine tournaments.

use crate::game::Game;
use crate::notation::{MoveError, hub};
use crate::rules::Rules;

use super::{Opening, OpeningError};

/// One ballot a line, two moves as Hub writes them; a line that starts with `#` is a remark.
const BALLOTS: &str = include_str!("../../../book/ballots.txt");

/// The ballots in the order of the file.
///
/// # Errors
///
/// A game in which the moves of a ballot are not legal: another board, another start position.
pub(super) fn openings<R: Rules>() -> Result<Vec<Opening<R>>, OpeningError> {
    let ballots = BALLOTS.lines().filter(|line| !line.starts_with('#'));
    let openings = ballots.zip(1..).map(|(ballot, number)| {
        let name = format!("ballot {number}");
        match play(ballot) {
            Ok(game) => Ok(Opening { name, game }),
            Err(error) => Err(OpeningError::Input(format!(
                "the ballots are openings of international draughts and cannot be played in {}: \
                 {name} is {ballot}, {error}; 2-ply has two-move openings for every game",
                R::VARIANT
            ))),
        }
    });
    openings.collect()
}

fn play<R: Rules>(ballot: &str) -> Result<Game<R>, MoveError> {
    let mut game = Game::default();
    for text in ballot.split(' ') {
        let mv = hub::parse_move(game.position(), text)?;
        game.play(mv);
    }
    Ok(game)
}

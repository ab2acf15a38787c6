//! Games whose moves are chosen by numbers.

use manoury::board::Move;
use manoury::erased::{Game, Position};

/// The legal move that a number selects, `None` if the game is over.
pub fn choose(position: &Position, choice: usize) -> Option<Move> {
    let moves = position.legal_moves();
    (!moves.is_empty()).then(|| moves[choice % moves.len()])
}

/// Plays moves until the choices run out or the game is over.
pub fn play(mut game: Game, choices: &[u16]) -> Game {
    for &choice in choices {
        let Some(mv) = choose(game.position(), choice.into()) else {
            break;
        };
        game.play(mv);
    }
    game
}

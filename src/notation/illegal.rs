//! Why a move is not legal, in words.

use crate::board::Square;
use crate::movegen;
use crate::position::Position;
use crate::rules::Rules;

/// Why no move from a square, written as a capture or not, is legal. `name` is the square as
/// the writer of the move calls it.
pub(super) fn reason<R: Rules>(
    position: &Position<R>,
    from: Square,
    name: &str,
    is_capture: Option<bool>,
) -> String {
    let why = if !movegen::has_move(position) {
        "the game is over"
    } else if !position.pieces(position.side()).has(from) {
        return format!("not legal here: the side to move has no piece on {name}");
    } else if is_capture == Some(false) && movegen::has_capture(position) {
        "a capture is compulsory"
    } else if is_capture == Some(true) && !movegen::has_capture(position) {
        "there is nothing to capture"
    } else {
        return "not legal here".to_owned();
    };
    format!("not legal here: {why}")
}

//! Why a move is illegal, for error messages.

use crate::erased::Position;

/// Why no move from a square is legal. `name` is the square as the text of the move spells it;
/// `is_capture` is whether that text is a capture, `None` if it does not tell.
pub(super) fn reason(
    position: &Position,
    from: u8,
    name: &str,
    is_capture: Option<bool>,
) -> String {
    let why = if !position.has_move() {
        "the game is over"
    } else if !position.pieces(position.side()).has(from) {
        return format!("not legal here: the side to move has no piece on {name}");
    } else if is_capture == Some(false) && position.has_capture() {
        "a capture is compulsory"
    } else if is_capture == Some(true) && !position.has_capture() {
        "there is nothing to capture"
    } else {
        return "not legal here".to_owned();
    };
    format!("not legal here: {why}")
}

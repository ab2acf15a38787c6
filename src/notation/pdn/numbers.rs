//! Numbers of moves.

use crate::board::Side;
use crate::erased::Position;

/// The number of a ply, counted from 0 at the start position: `12.` for the move of the side that
/// begins the game, `12...` for that of the other.
pub fn move_number(start: &Position, ply: usize) -> String {
    // If a game starts with the second move of a pair, its first pair has only that one.
    let place = ply + usize::from(!begins(start, start.side()));
    let dots = if place.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", place / 2 + 1)
}

fn begins(position: &Position, side: Side) -> bool {
    position.variant().setup().first == side
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;
    use crate::rules::Variant;

    #[test]
    fn pairs_begin_with_the_first_side() {
        let numbers = |fen: &str, variant| {
            let start = fen::parse(variant, fen).unwrap();
            [0, 1, 2].map(|ply| move_number(&start, ply))
        };
        assert_eq!(numbers("W:W31:B20", Variant::International), ["1.", "1...", "2."]);
        assert_eq!(numbers("B:W31:B20", Variant::International), ["1...", "2.", "2..."]);
        // Black begins in English draughts.
        assert_eq!(numbers("B:W21:B12", Variant::English), ["1.", "1...", "2."]);
    }
}

//! Results of games whose last position is in the bitbases.

use crate::bitbase::{Value, Verdict};
use crate::board::Side;
use crate::erased::{Bitbases, Game};

/// The result of a game according to bitbases that contain its last position: the winner (`None`
/// for a draw) and, if known, the number of plies to the end. `None` if the bitbases do not contain
/// the position, or if the draw rules end the game before a win.
pub fn bitbase_result(game: &Game, bitbases: &Bitbases) -> Option<(Option<Side>, Option<u8>)> {
    let side = game.position().side();
    let Verdict { value, plies } = bitbases.verdict(game.position())?;
    let winner = match value {
        Value::Draw => return Some((None, None)),
        Value::Win => side,
        Value::Loss => side.opponent(),
    };
    bitbases.line_in_game(game).map(|_| (Some(winner), plies))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;
    use crate::rules::Variant;

    #[test]
    fn bitbases_know_who_wins() {
        let bitbases = Bitbases::embedded(Variant::International);
        let verdict = |fen: &str| {
            let position = fen::parse(Variant::International, fen).unwrap();
            bitbase_result(&Game::from_position(position), &bitbases)
        };
        assert_eq!(verdict("W:WK28:BK5"), Some((Some(Side::White), Some(3))));
        assert_eq!(verdict("W:W45:BK1"), Some((Some(Side::Black), Some(2))));
        assert_eq!(verdict("B:WK46,K47,K48:BK3"), Some((None, None)));
        assert_eq!(verdict("W:WK1,K2,K3,K4:BK50"), None);
    }
}

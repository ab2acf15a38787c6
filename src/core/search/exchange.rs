//! Exchanges: what captures alone win. As they are forced in draughts, a few plies tell.

use crate::movegen::outlined;
use crate::position::BitPosition;
use crate::rules::Rules;

/// The value of a man.
const MAN: usize = 100;
/// The value of a king beyond that of a man.
const CROWN: usize = 200;

/// Whether the side to move, which can capture, wins at least `least` hundredths of a man by
/// captures, of both sides and without a quiet move in between.
pub(super) fn wins<R: Rules>(position: &BitPosition<R>, least: i32) -> bool {
    let kings = position.all_kings();
    outlined::captures(position).iter().any(|mv| {
        let won = MAN * mv.captured.len() + CROWN * (mv.captured & kings).len();
        let rest = won as i32 - least;
        let after = position.after(*mv);
        // What the opponent wins back must not be more than the rest.
        match outlined::has_capture(&after) {
            true => !wins(&after, rest + 1),
            false => rest >= 0,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::legal_moves;
    use crate::rules::{English, Frisian, International, Russian};

    /// What the side to move wins by captures, plainly.
    fn won<R: Rules>(position: &BitPosition<R>) -> i32 {
        let value = |mv: &crate::board::BitMove<R::Geometry>| {
            let kings = (mv.captured & position.all_kings()).len();
            (MAN * mv.captured.len() + CROWN * kings) as i32 - won(&position.after(*mv))
        };
        outlined::captures(position).iter().map(value).max().unwrap_or(0)
    }

    /// Compares `wins` with the plain value in the positions of games of pseudo-random moves.
    /// Returns how often it was true.
    fn compare<R: Rules>() -> usize {
        let (mut random, mut wins_seen) = (1_u64, 0);
        for _ in 0..100 {
            let mut position = BitPosition::<R>::start();
            for _ in 0..80 {
                for least in [1, 100, 101, 150, 200, 300] {
                    let is_won = wins(&position, least);
                    assert_eq!(is_won, won(&position) >= least, "{position:?} {least}");
                    wins_seen += usize::from(is_won);
                }
                let moves = legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position = position.after(moves[(random >> 33) as usize % moves.len()]);
            }
        }
        wins_seen
    }

    #[test]
    fn captures_win_what_they_win_plainly() {
        assert!(compare::<International>() > 100);
        assert!(compare::<Frisian>() > 100);
        assert!(compare::<Russian>() > 100);
        assert!(compare::<English>() > 100);
    }
}

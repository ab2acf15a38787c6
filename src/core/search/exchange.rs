//! Exchanges: what captures alone win. As they are forced in draughts, a few plies tell.

use crate::movegen::outlined;
use crate::position::BitPosition;
use crate::rules::Rules;

/// The value of a man.
const MAN: usize = 100;
/// The value of a king beyond that of a man.
const CROWN: usize = 200;

/// Captures are followed to this many plies; what is still to be captured then does not count.
const MOST_PLIES: u32 = 7;

/// Whether the side to move wins at least `least` hundredths of a man by captures, of both sides
/// and without a quiet move in between. `least` must be positive.
///
/// For speed, a capture counts for a side only if it takes what is needed at once: that the other
/// side may have to capture to its own loss afterwards is not seen.
pub(super) fn wins<R: Rules>(position: &BitPosition<R>, least: i32) -> bool {
    wins_within(position, least, MOST_PLIES)
}

fn wins_within<R: Rules>(position: &BitPosition<R>, least: i32, plies: u32) -> bool {
    let kings = position.all_kings();
    outlined::captures(position).iter().any(|mv| {
        let won = MAN * mv.captured.len() + CROWN * (mv.captured & kings).len();
        let rest = won as i32 - least;
        let after = position.after(*mv);
        // The opponent must not win back more than the rest.
        let is_over = || plies == 1 || !outlined::has_capture(&after);
        rest >= 0 && (is_over() || !wins_within(&after, rest + 1, plies - 1))
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
    /// Returns how often it was true and how often it was wrong.
    fn compare<R: Rules>() -> (usize, usize) {
        let (mut random, mut wins_seen, mut wrong) = (1_u64, 0, 0);
        for _ in 0..100 {
            let mut position = BitPosition::<R>::start();
            for _ in 0..80 {
                for least in [1, 100, 150, 250] {
                    let is_won = wins(&position, least);
                    wins_seen += usize::from(is_won);
                    wrong += usize::from(is_won != (won(&position) >= least));
                }
                let moves = legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position = position.after(moves[(random >> 33) as usize % moves.len()]);
            }
        }
        (wins_seen, wrong)
    }

    fn check<R: Rules>() {
        let (wins_seen, wrong) = compare::<R>();
        assert!(wins_seen > 200 && 50 * wrong < wins_seen, "{wins_seen} {wrong}");
    }

    #[test]
    fn nearly_all_wins_by_captures_are_seen_and_none_else() {
        check::<International>();
        check::<Frisian>();
        check::<Russian>();
        check::<English>();
    }
}

//! The choice of a book move.

use rand::Rng;
use rand::seq::IndexedRandom;

use super::BookMove;

/// A random move among those at most `margin` hundredths of a man worse than the best; `None` if
/// there are no moves. `moves` are those of [`Book::moves`](super::Book::moves), best first.
pub fn choose(moves: &[BookMove], margin: u32, random: &mut impl Rng) -> Option<BookMove> {
    within(moves, margin).choose(random).copied()
}

/// The moves at most `margin` hundredths of a man worse than the best. `moves` must be sorted, best
/// first.
pub fn within(moves: &[BookMove], margin: u32) -> &[BookMove] {
    let best = moves.first().map_or(0, |mv| i32::from(mv.score.0));
    let is_good = |mv: &BookMove| (best - i32::from(mv.score.0)) as u32 <= margin;
    &moves[..moves.partition_point(is_good)]
}

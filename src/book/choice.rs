//! Which move of a book is played.

use rand::Rng;
use rand::seq::IndexedRandom;

use super::BookMove;

/// A move by lot, of those that are worse than the best by no more than a margin in hundredths of a man.
/// The moves are those of [`Book::moves`](super::Book::moves), the best first.
pub fn choose(moves: &[BookMove], margin: u32, random: &mut impl Rng) -> Option<BookMove> {
    within(moves, margin).choose(random).copied()
}

/// The moves that are worse than the best by no more than a margin in hundredths of a man, of moves that
/// are sorted, the best first.
pub fn within(moves: &[BookMove], margin: u32) -> &[BookMove] {
    let best = moves.first().map_or(0, |mv| i32::from(mv.score.0));
    let is_good = |mv: &BookMove| (best - i32::from(mv.score.0)) as u32 <= margin;
    &moves[..moves.partition_point(is_good)]
}

//! Perft: how many ways there are to play a number of plies.
//!
//! The leaf counts are the classic test of a move generator, and the time they take its classic
//! measure.

use rayon::prelude::*;

use crate::board::Move;
use crate::position::Position;
use crate::rules::Rules;

use super::{count, legal_moves};

/// The number of leaves `depth` plies below a position. Draw rules are off; below a finished game
/// there is nothing.
pub fn perft<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count(position),
        2 => legal_moves(position)
            .iter()
            .map(|&mv| count(&position.after(mv)))
            .sum(),
        _ => legal_moves(position)
            .iter()
            .map(|&mv| perft(&position.after(mv), depth - 1))
            .sum(),
    }
}

/// [`perft`] on all threads of rayon's current pool.
pub fn perft_parallel<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    /// Below this depth a subtree takes too little time to be worth sharing.
    const SHARED_DEPTH: u32 = 5;
    if depth <= SHARED_DEPTH {
        return perft(position, depth);
    }
    legal_moves(position)
        .par_iter()
        .map(|&mv| perft_parallel(&position.after(mv), depth - 1))
        .sum()
}

/// The leaves below each legal move, in the order of their square numbers; for a `depth` of 0
/// nothing. Runs on all threads of rayon's current pool.
pub fn divide<R: Rules>(position: &Position<R>, depth: u32) -> Vec<(Move<R::Geometry>, u64)> {
    let Some(below) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let mut moves = legal_moves(position);
    moves.sort_by_cached_key(|mv| mv.numbers());
    moves
        .iter()
        .map(|&mv| (mv, perft_parallel(&position.after(mv), below)))
        .collect()
}

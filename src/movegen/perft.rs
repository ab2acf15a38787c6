//! Perft: how many ways there are to play a number of plies.
//!
//! The leaf counts are the classic test of a move generator, and the time they take its classic
//! measure.

use rayon::prelude::*;

use crate::board::{Move, MoveList, Side};
use crate::position::Position;
use crate::rules::Rules;

use super::attack::Attack;
use super::count::count_turn;
use super::quiets::each_quiet;
use super::turn::{Black, Turn, White};
use super::{captures, is_decided, legal_moves};

/// The number of leaves `depth` plies below a position. Draw rules are off; below a finished game
/// there is nothing.
pub fn perft<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    match position.side() {
        Side::White => perft_turn::<R, White>(position, depth),
        Side::Black => perft_turn::<R, Black>(position, depth),
    }
}

fn perft_turn<R: Rules, T: Turn>(position: &Position<R>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count_turn::<R, T>(position),
        2 => sum_over_moves::<R, T, true>(position, depth),
        _ => sum_over_moves::<R, T, false>(position, depth),
    }
}

/// The sum of the leaves below each legal move. Quiet moves, which are most, are not listed.
/// `LAST` marks the ply whose moves are followed by counting: with it a constant, the positions
/// after them need not be stored and their keys are not computed.
#[inline(always)]
fn sum_over_moves<R: Rules, T: Turn, const LAST: bool>(position: &Position<R>, depth: u32) -> u64 {
    if is_decided(position) {
        return 0;
    }
    let mut sum = 0;
    let attack = Attack::<R, T>::new(position);
    if attack.exists() {
        let mut moves = MoveList::new();
        captures::list(attack, &mut moves);
        for &mv in &moves {
            sum += below::<R, T, LAST>(position, mv, depth);
        }
    } else {
        each_quiet::<R, T>(position, |from, to| {
            sum += below::<R, T, LAST>(position, Move::quiet(from, to), depth);
        });
    }
    sum
}

/// The leaves below a move.
#[inline(always)]
fn below<R: Rules, T: Turn, const LAST: bool>(
    position: &Position<R>,
    mv: Move<R::Geometry>,
    depth: u32,
) -> u64 {
    let next = position.after_move_of(T::SIDE, mv);
    if LAST {
        count_turn::<R, T::Other>(&next)
    } else {
        perft_turn::<R, T::Other>(&next, depth - 1)
    }
}

/// [`perft`] on all threads of rayon's current pool.
pub fn perft_parallel<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    /// Below this depth a subtree takes too little time to be worth sharing.
    const SHARED_DEPTH: u32 = 5;
    if depth <= SHARED_DEPTH {
        return perft(position, depth);
    }
    legal_moves(position).par_iter().map(|&mv| perft_parallel(&position.after(mv), depth - 1)).sum()
}

/// The leaves below each legal move, in the order of their square numbers; for a `depth` of 0
/// nothing. Runs on all threads of rayon's current pool.
pub fn divide<R: Rules>(position: &Position<R>, depth: u32) -> Vec<(Move<R::Geometry>, u64)> {
    let Some(below) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let mut moves = legal_moves(position);
    moves.sort_by_cached_key(|mv| mv.numbers());
    moves.iter().map(|&mv| (mv, perft_parallel(&position.after(mv), below))).collect()
}

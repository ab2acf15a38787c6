//! Perft: the number of leaves of the game tree at a given depth.
//!
//! The classic correctness test and speed benchmark of a move generator.

use crate::board::{BitMove, MoveList, Side};
use crate::position::BitPosition;
use crate::rules::Rules;

use super::attack::{Attack, Black, Turn, White};
use super::quiets::each_quiet;
use super::{captures, count_turn, is_decided, legal_moves};

/// The number of leaves `depth` plies below a position. Draw rules are ignored; a finished game has
/// no leaves below it.
pub fn perft<R: Rules>(position: &BitPosition<R>, depth: u32) -> u64 {
    match position.side() {
        Side::White => perft_turn::<R, White>(position, depth),
        Side::Black => perft_turn::<R, Black>(position, depth),
    }
}

fn perft_turn<R: Rules, T: Turn>(position: &BitPosition<R>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => legal_moves(position).len() as u64,
        2 => sum_over_moves::<R, T, true>(position, depth),
        _ => sum_over_moves::<R, T, false>(position, depth),
    }
}

/// The sum of the leaves below each legal move. Quiet moves, the great majority, are not stored in
/// a list. `LAST` marks the last ply before counting. It is a constant, so that the compiler can
/// avoid storing the positions after the moves and computing their keys.
#[inline(always)]
fn sum_over_moves<R: Rules, T: Turn, const LAST: bool>(
    position: &BitPosition<R>,
    depth: u32,
) -> u64 {
    if is_decided(position) {
        return 0;
    }
    let mut sum = 0;
    let attack = Attack::<R, T>::new(position);
    if attack.can_capture() {
        let mut moves = MoveList::new();
        captures::list(attack, &mut moves);
        for &mv in &moves {
            sum += leaves_below::<R, T, LAST>(position, mv, depth);
        }
    } else {
        each_quiet::<R, T>(position, |from, to| {
            sum += leaves_below::<R, T, LAST>(position, BitMove::quiet(from, to), depth);
        });
    }
    sum
}

/// The number of leaves below a move.
#[inline(always)]
fn leaves_below<R: Rules, T: Turn, const LAST: bool>(
    position: &BitPosition<R>,
    mv: BitMove<R::Geometry>,
    depth: u32,
) -> u64 {
    let next = position.after_move_of(T::SIDE, mv);
    if LAST {
        count_turn::<R, T::Other>(&next)
    } else {
        perft_turn::<R, T::Other>(&next, depth - 1)
    }
}

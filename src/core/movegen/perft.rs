//! Perft: the number of leaves of the game tree at a given depth.
//!
//! The classic correctness test and speed benchmark of a move generator.

use crate::board::{BitMove, MoveList, Side};
use crate::memory::slots::Clusters;
use crate::position::{BitPosition, Key};
use crate::rules::Rules;

use super::attack::{Attack, Black, Turn, White};
use super::quiets::each_quiet;
use super::{captures, count_turn, is_decided, legal_moves, two_plies};

/// Known leaf counts by position and depth, shared between threads without locks.
///
/// A wrong count would need two positions with the same 64-bit key in one slot: at a billion probes
/// the probability is of the order of 10^-10.
#[derive(Debug)]
pub struct PerftTable(Clusters);

impl PerftTable {
    /// A table of 2^`size` counts of 16 bytes, or as many as memory allows.
    pub fn new(size: u32) -> Self {
        PerftTable(Clusters::new(size))
    }

    /// The leaves `depth` plies below a position; `None` if unknown.
    fn probe(&self, key: Key, depth: u32) -> Option<u64> {
        let key = Self::key(key, depth);
        self.0.of_key(key).iter().find_map(|slot| slot.load_for(key))
    }

    /// Stores a count, replacing the smallest one in its cluster.
    fn store(&self, key: Key, depth: u32, leaves: u64) {
        let key = Self::key(key, depth);
        if let Some(slot) = self.0.of_key(key).iter().min_by_key(|slot| slot.load()) {
            slot.store(key, leaves);
        }
    }

    /// A key for a position and a depth.
    fn key(Key(key): Key, depth: u32) -> u64 {
        key ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The number of leaves `depth` plies below a position. Draw rules are ignored; a finished game has
/// no leaves below it. `u64::MAX` stands for that number or more.
pub fn perft<R: Rules>(position: &BitPosition<R>, depth: u32, table: Option<&PerftTable>) -> u64 {
    match position.side() {
        Side::White => perft_turn::<R, White>(position, depth, table),
        Side::Black => perft_turn::<R, Black>(position, depth, table),
    }
}

fn perft_turn<R: Rules, T: Turn>(
    position: &BitPosition<R>,
    depth: u32,
    table: Option<&PerftTable>,
) -> u64 {
    match depth {
        0 => 1,
        1 => legal_moves(position).len() as u64,
        2 => count_two_plies::<R, T>(position),
        _ => look_up_or_count::<R, T>(position, depth, table),
    }
}

/// The number of leaves two plies below a position, whose key is not needed.
#[inline(never)]
fn count_two_plies<R: Rules, T: Turn>(position: &BitPosition<R>) -> u64 {
    sum_over_moves::<R, T, true>(position, 2, None)
}

/// The number of leaves three plies or more below a position. Nearer to the leaves, counting is
/// faster than a table lookup, and even than a function that contains one.
#[inline(never)]
fn look_up_or_count<R: Rules, T: Turn>(
    position: &BitPosition<R>,
    depth: u32,
    table: Option<&PerftTable>,
) -> u64 {
    if let Some(leaves) = table.and_then(|table| table.probe(position.key(), depth)) {
        return leaves;
    }
    let leaves = sum_over_moves::<R, T, false>(position, depth, table);
    if let Some(table) = table {
        table.store(position.key(), depth, leaves);
    }
    leaves
}

/// The sum of the leaves below each legal move. Quiet moves, the great majority, are not stored in
/// a list. `LAST` marks the last ply before counting. It is a constant, so that the compiler can
/// avoid storing the positions after the moves and computing their keys.
#[inline(always)]
fn sum_over_moves<R: Rules, T: Turn, const LAST: bool>(
    position: &BitPosition<R>,
    depth: u32,
    table: Option<&PerftTable>,
) -> u64 {
    if is_decided(position) {
        return 0;
    }
    let mut sum = 0_u64;
    let attack = Attack::<R, T>::new(position);
    if attack.can_capture() {
        let mut moves = MoveList::new();
        captures::list(attack, &mut moves);
        for &mv in &moves {
            sum = sum.saturating_add(leaves_below::<R, T, LAST>(position, mv, depth, table));
        }
        return sum;
    }
    let add = |from, to| {
        let leaves = leaves_below::<R, T, LAST>(position, BitMove::quiet(from, to), depth, table);
        sum = sum.saturating_add(leaves);
    };
    if LAST {
        return two_plies::count::<R, T>(position, add) + sum;
    }
    each_quiet::<R, T>(position, add);
    sum
}

/// The number of leaves below a move.
#[inline(always)]
fn leaves_below<R: Rules, T: Turn, const LAST: bool>(
    position: &BitPosition<R>,
    mv: BitMove<R::Geometry>,
    depth: u32,
    table: Option<&PerftTable>,
) -> u64 {
    if LAST {
        count_turn::<R, T::Other>(&position.after_without_key(T::SIDE, mv))
    } else if depth == 3 {
        count_two_plies::<R, T::Other>(&position.after_without_key(T::SIDE, mv))
    } else {
        perft_turn::<R, T::Other>(&position.after_move_of(T::SIDE, mv), depth - 1, table)
    }
}

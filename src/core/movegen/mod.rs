//! Move generation: listing, detecting and counting legal moves.

mod attack;
mod captures;
mod perft;
mod quiets;
mod short_captures;
mod two_plies;

pub use captures::{captures, has_capture, is_threatened};
pub use perft::{PerftTable, perft};
pub use quiets::{count_quiet, has_quiet, quiets};

use crate::board::{MoveList, Side};
use crate::position::BitPosition;
use crate::rules::{Goal, Rules};

use attack::{Attack, Black, Turn, White};

/// All legal moves: captures if there are any, otherwise quiet moves; none if the game is over. Not
/// for hot loops: it is compiled once per variant and never inlined.
#[inline(never)]
pub fn legal_moves<R: Rules>(position: &BitPosition<R>) -> MoveList<R::Geometry> {
    let mut list = MoveList::new();
    legal_moves_into(position, &mut list);
    list
}

/// Adds all legal moves to an empty list.
#[inline]
pub fn legal_moves_into<R: Rules>(position: &BitPosition<R>, list: &mut MoveList<R::Geometry>) {
    debug_assert!(list.is_empty());
    captures(position, list);
    if list.is_empty() {
        quiets(position, list);
    }
}

/// Whether the side to move has a legal move.
pub fn has_move<R: Rules>(position: &BitPosition<R>) -> bool {
    has_capture(position) || has_quiet(position)
}

/// Whether the game is over regardless of possible moves: the opponent has a king in a variant won
/// by the first king.
#[inline(always)]
fn is_decided<R: Rules>(position: &BitPosition<R>) -> bool {
    position.rules().goal() == Goal::King && position.kings(position.side().opponent()).is_some()
}

/// The number of legal moves of the side to move.
#[inline]
pub fn count<R: Rules>(position: &BitPosition<R>) -> u64 {
    match position.side() {
        Side::White => count_turn::<R, White>(position),
        Side::Black => count_turn::<R, Black>(position),
    }
}

/// The number of legal moves of `T`.
#[inline(always)]
fn count_turn<R: Rules, T: Turn>(position: &BitPosition<R>) -> u64 {
    if is_decided(position) {
        return 0;
    }
    let attack = Attack::<R, T>::new(position);
    let kings = attack.capturing_kings();
    if kings.is_some() {
        return captures::count_all::<R, T>(position, kings);
    }
    let origins = attack.men_origins();
    if (attack.men & origins.all()).is_empty() {
        return quiets::count_quiets::<R, T>(position);
    }
    if short_captures::applies(attack.rules) {
        let mut singles = short_captures::Count::default();
        if !short_captures::follow_one(attack, origins, &mut singles) {
            return singles.legal();
        }
        // A separate tally, so that the first one need not be stored in memory.
        let mut longer = short_captures::Count::default();
        if short_captures::follow_two(attack, &mut longer) {
            return longer.legal();
        }
    }
    captures::count_all::<R, T>(position, kings)
}

/// Move generation for callers off the hot path: the same functions, compiled once per variant
/// rather than inlined into every caller.
pub mod outlined {
    use super::{BitPosition, MoveList, Rules};

    /// See [`captures`](super::captures).
    #[inline(never)]
    pub fn captures<R: Rules>(position: &BitPosition<R>, list: &mut MoveList<R::Geometry>) {
        super::captures(position, list);
    }

    /// See [`has_capture`](super::has_capture).
    #[inline(never)]
    pub fn has_capture<R: Rules>(position: &BitPosition<R>) -> bool {
        super::has_capture(position)
    }

    /// See [`has_quiet`](super::has_quiet).
    #[inline(never)]
    pub fn has_quiet<R: Rules>(position: &BitPosition<R>) -> bool {
        super::has_quiet(position)
    }
}

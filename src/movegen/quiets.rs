//! Moves without capture. They are legal only where no capture is possible.

use crate::board::{Bitboard, Direction, Geometry, Move, MoveList, Side, Square};
use crate::position::Position;
use crate::rules::Rules;

use super::is_decided;
use super::turn::{Black, Turn, White};

/// Adds the quiet moves of the side to move, whether or not a capture is possible.
#[inline]
pub fn quiets<R: Rules>(position: &Position<R>, list: &mut MoveList<R::Geometry>) {
    if is_decided(position) {
        return;
    }
    let push = |from, to| list.push(Move::quiet(from, to));
    match position.side() {
        Side::White => each_quiet::<R, White>(position, push),
        Side::Black => each_quiet::<R, Black>(position, push),
    }
}

/// How many quiet moves the side to move has, whether or not a capture is possible.
#[inline]
pub fn count_quiet<R: Rules>(position: &Position<R>) -> u64 {
    if is_decided(position) {
        return 0;
    }
    match position.side() {
        Side::White => count_quiets::<R, White>(position),
        Side::Black => count_quiets::<R, Black>(position),
    }
}

/// Calls `visit` with the two squares of each quiet move of `T`.
#[inline(always)]
pub(super) fn each_quiet<R: Rules, T: Turn>(
    position: &Position<R>,
    mut visit: impl FnMut(Square, Square),
) {
    let (men, empty) = (position.men(T::SIDE), position.empty());
    for direction in T::FORWARD {
        for to in (men.step(direction) & empty).squares() {
            visit(R::Geometry::next(to, direction.opposite()), to);
        }
    }
    for from in movable_kings::<R, T>(position).squares() {
        for to in king_targets::<R>(from, empty).squares() {
            visit(from, to);
        }
    }
}

/// How many quiet moves `T` has, whether or not a capture is possible.
#[inline(always)]
pub(super) fn count_quiets<R: Rules, T: Turn>(position: &Position<R>) -> u64 {
    let (men, empty) = (position.men(T::SIDE), position.empty());
    let [left, right] = T::FORWARD;
    let steps = (men.step(left) & empty).len() + (men.step(right) & empty).len();
    let slides: usize = movable_kings::<R, T>(position)
        .squares()
        .map(|from| king_targets::<R>(from, empty).len())
        .sum();
    (steps + slides) as u64
}

/// Whether the side to move has a quiet move, whether or not a capture is possible.
#[inline]
pub fn has_quiet<R: Rules>(position: &Position<R>) -> bool {
    !is_decided(position)
        && match position.side() {
            Side::White => can_move::<R, White>(position),
            Side::Black => can_move::<R, Black>(position),
        }
}

#[inline(always)]
fn can_move<R: Rules, T: Turn>(position: &Position<R>) -> bool {
    let (men, empty) = (position.men(T::SIDE), position.empty());
    let [left, right] = T::FORWARD;
    ((men.step(left) | men.step(right)) & empty).is_some()
        || movable_kings::<R, T>(position)
            .squares()
            .any(|from| king_targets::<R>(from, empty).is_some())
}

/// The kings of `T` without the one that the three-king-moves rule holds.
#[inline(always)]
fn movable_kings<R: Rules, T: Turn>(position: &Position<R>) -> Bitboard<R::Geometry> {
    let kings = position.kings(T::SIDE);
    if R::KING_MOVES_IN_A_ROW == 0 {
        return kings;
    }
    let run = position.king_run(T::SIDE);
    match run.square() {
        Some(square) if run.count() >= R::KING_MOVES_IN_A_ROW => kings & !Bitboard::of(square),
        _ => kings,
    }
}

/// Where a king can go without capturing.
#[inline(always)]
fn king_targets<R: Rules>(from: Square, empty: Bitboard<R::Geometry>) -> Bitboard<R::Geometry> {
    let reached = Direction::DIAGONAL.into_iter().fold(Bitboard::EMPTY, |targets, direction| {
        targets
            | if R::FLYING_KINGS {
                (!empty).reach(from, direction)
            } else {
                Bitboard::of(from).step(direction)
            }
    });
    reached & empty
}

//! Quiet moves. They are legal only if no capture is possible.

use crate::board::{BitMove, Bitboard, Geometry, MoveList, Side, Square};
use crate::position::BitPosition;
use crate::rules::Rules;

use super::attack::{Black, Turn, White};
use super::is_decided;

/// Adds the quiet moves of the side to move, even if it can capture. Not inlined, as inlining saves
/// no time and makes the program 100 kB larger.
#[inline(never)]
pub fn quiets<R: Rules>(position: &BitPosition<R>, list: &mut MoveList<R::Geometry>) {
    if is_decided(position) {
        return;
    }
    let push = |from, to| list.push(BitMove::quiet(from, to));
    match position.side() {
        Side::White => each_quiet::<R, White>(position, push),
        Side::Black => each_quiet::<R, Black>(position, push),
    }
}

/// The number of quiet moves of the side to move, even if it can capture.
#[inline]
pub fn count_quiet<R: Rules>(position: &BitPosition<R>) -> u64 {
    if is_decided(position) {
        return 0;
    }
    match position.side() {
        Side::White => count_quiets::<R, White>(position),
        Side::Black => count_quiets::<R, Black>(position),
    }
}

/// Calls `visit` with the origin and destination of each quiet move of `T`.
#[inline(always)]
pub(super) fn each_quiet<R: Rules, T: Turn>(
    position: &BitPosition<R>,
    mut visit: impl FnMut(Square, Square),
) {
    each_man_move::<R, T>(position, &mut visit);
    let empty = position.empty();
    for from in movable_kings::<R, T>(position).squares() {
        for to in king_targets::<R>(from, empty).squares() {
            visit(from, to);
        }
    }
}

/// Calls `visit` with the origin and destination of each quiet move of a man of `T`.
#[inline(always)]
pub(super) fn each_man_move<R: Rules, T: Turn>(
    position: &BitPosition<R>,
    visit: &mut impl FnMut(Square, Square),
) {
    let (men, empty) = (position.men(T::SIDE), position.empty());
    for &direction in const { R::DIRECTIONS.forward(T::SIDE) } {
        for to in (men.step(direction) & empty).squares() {
            visit(R::Geometry::next(to, direction.opposite()), to);
        }
    }
}

/// The number of quiet moves of `T`, even if it can capture.
#[inline(always)]
pub(super) fn count_quiets<R: Rules, T: Turn>(position: &BitPosition<R>) -> u64 {
    let (men, empty) = (position.men(T::SIDE), position.empty());
    let directions = const { R::DIRECTIONS.forward(T::SIDE) }.iter();
    let steps: usize = directions.map(|&direction| (men.step(direction) & empty).len()).sum();
    let slides: usize = movable_kings::<R, T>(position)
        .squares()
        .map(|from| king_targets::<R>(from, empty).len())
        .sum();
    (steps + slides) as u64
}

/// Whether the side to move has a quiet move, even if it can capture.
#[inline]
pub fn has_quiet<R: Rules>(position: &BitPosition<R>) -> bool {
    !is_decided(position)
        && match position.side() {
            Side::White => can_move::<R, White>(position),
            Side::Black => can_move::<R, Black>(position),
        }
}

#[inline(always)]
fn can_move<R: Rules, T: Turn>(position: &BitPosition<R>) -> bool {
    let (men, empty) = (position.men(T::SIDE), position.empty());
    let mut directions = const { R::DIRECTIONS.forward(T::SIDE) }.iter();
    directions.any(|&direction| (men.step(direction) & empty).is_some())
        || movable_kings::<R, T>(position)
            .squares()
            .any(|from| king_targets::<R>(from, empty).is_some())
}

/// The kings of `T`, except a king that the three-king-moves rule forbids to move.
#[inline(always)]
pub(super) fn movable_kings<R: Rules, T: Turn>(position: &BitPosition<R>) -> Bitboard<R::Geometry> {
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

/// The destinations of a king's quiet moves.
#[inline(always)]
pub(super) fn king_targets<R: Rules>(
    from: Square,
    empty: Bitboard<R::Geometry>,
) -> Bitboard<R::Geometry> {
    let reached =
        const { R::DIRECTIONS.moves() }.iter().fold(Bitboard::EMPTY, |targets, &direction| {
            targets
                | if R::FLYING_KINGS {
                    (!empty).reach(from, direction)
                } else {
                    Bitboard::of(from).step(direction)
                }
        });
    reached & empty
}

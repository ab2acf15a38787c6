//! Moves without capture. They are legal only where no capture is possible.

use crate::board::{Bitboard, Direction, Geometry, Move, MoveList, Side};
use crate::position::Position;
use crate::rules::Rules;

use super::{forward, is_decided};

/// Adds the quiet moves of the side to move, whether or not a capture is possible.
#[inline]
pub fn quiets<R: Rules>(position: &Position<R>, list: &mut MoveList<R::Geometry>) {
    if is_decided(position) {
        return;
    }
    match position.side() {
        Side::White => men(position, Side::White, list),
        Side::Black => men(position, Side::Black, list),
    }
    let empty = position.empty();
    for from in movable_kings(position).squares() {
        list.extend(
            king_targets::<R>(from, empty)
                .squares()
                .map(|to| Move::quiet(from, to)),
        );
    }
}

#[inline(always)]
fn men<R: Rules>(position: &Position<R>, side: Side, list: &mut MoveList<R::Geometry>) {
    let (men, empty) = (position.men(side), position.empty());
    for direction in forward(side) {
        for to in (men.step(direction) & empty).squares() {
            list.push(Move::quiet(R::Geometry::next(to, direction.opposite()), to));
        }
    }
}

/// How many quiet moves the side to move has, whether or not a capture is possible.
#[inline(always)]
pub(super) fn count_quiets<R: Rules>(position: &Position<R>) -> u64 {
    let side = position.side();
    let (men, empty) = (position.men(side), position.empty());
    let steps = |side| -> usize {
        forward(side)
            .into_iter()
            .map(|direction| (men.step(direction) & empty).len())
            .sum()
    };
    let steps = match side {
        Side::White => steps(Side::White),
        Side::Black => steps(Side::Black),
    };
    let slides: usize = movable_kings(position)
        .squares()
        .map(|from| king_targets::<R>(from, empty).len())
        .sum();
    (steps + slides) as u64
}

/// Whether the side to move has a quiet move.
pub(super) fn has_quiet<R: Rules>(position: &Position<R>) -> bool {
    !is_decided(position) && count_quiets(position) > 0
}

/// The kings of the side to move without the one that the three-king-moves rule holds.
#[inline(always)]
fn movable_kings<R: Rules>(position: &Position<R>) -> Bitboard<R::Geometry> {
    let side = position.side();
    let kings = position.kings(side);
    if R::KING_MOVES_IN_A_ROW == 0 {
        return kings;
    }
    let run = position.king_run(side);
    match run.square() {
        Some(square) if run.count() >= R::KING_MOVES_IN_A_ROW => kings & !Bitboard::of(square),
        _ => kings,
    }
}

/// Where a king can go without capturing.
#[inline(always)]
fn king_targets<R: Rules>(
    from: crate::board::Square,
    empty: Bitboard<R::Geometry>,
) -> Bitboard<R::Geometry> {
    Direction::DIAGONAL
        .into_iter()
        .fold(Bitboard::EMPTY, |targets, direction| {
            targets
                | if R::FLYING_KINGS {
                    empty.slide(from, direction)
                } else {
                    Bitboard::of(from).step(direction) & empty
                }
        })
}

//! Unmoves: quiet moves taken back.

use crate::board::{Bitboard, Geometry, Side, Square};
use crate::rules::Rules;

use super::index::Index;
use crate::position::Pieces;

/// Calls `visit` with each predecessor of a position by a quiet move that is not a promotion, and
/// with its number. The opponent has made the move and is the side to move in the predecessor.
#[inline(always)]
pub(super) fn each_unmove<R: Rules>(
    pieces: &Pieces<R::Geometry>,
    index: &Index<R::Geometry>,
    mut visit: impl FnMut(&Pieces<R::Geometry>, u64),
) {
    let before = pieces.of_opponent();
    let empty = Bitboard::PLAYABLE & !before.occupied();
    for direction in const { R::DIRECTIONS.forward(Side::White) } {
        let back = direction.opposite();
        for from in (before.men[0].step(back) & empty).squares() {
            let to = R::Geometry::next(from, *direction);
            let men = [moved(before.men[0], to, from), before.men[1]];
            let before = Pieces { men, ..before };
            visit(&before, index.number(&before));
        }
    }
    let men = index.men(before.men);
    for to in before.kings[0].squares() {
        for from in reached::<R>(to, empty).squares() {
            let kings = [moved(before.kings[0], to, from), before.kings[1]];
            visit(&Pieces { kings, ..before }, men.number(kings));
        }
    }
}

#[inline(always)]
fn moved<G: Geometry>(pieces: Bitboard<G>, from: Square, to: Square) -> Bitboard<G> {
    (pieces & !Bitboard::of(from)) | Bitboard::of(to)
}

/// The squares from which a king can reach `to` with a quiet move.
#[inline(always)]
fn reached<R: Rules>(to: Square, empty: Bitboard<R::Geometry>) -> Bitboard<R::Geometry> {
    let all = const { R::DIRECTIONS.moves() }.iter().fold(Bitboard::EMPTY, |all, &direction| {
        all | match R::FLYING_KINGS {
            true => (!empty).reach(to, direction),
            false => Bitboard::of(to).step(direction),
        }
    });
    all & empty
}

//! Code shared by the value solver and the distance solver: move generation, predecessors of
//! positions, loops over chunks of positions, progress and errors.

use std::ops::Range;

use crate::board::{Bitboard, Geometry, MoveList, Side, Square};
use crate::movegen::{self, outlined};
use crate::parallel;
use crate::position::Pieces;
use crate::progress::Progress;
use crate::rules::{Directions, Rules};

use super::index::Index;
use super::slice::Slice;

/// Why an ending could not be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolveError {
    /// The ending leads to this slice, which has not been solved.
    #[error("slice {0} has to be solved first")]
    Missing(Slice),
    /// There is not enough memory for this slice.
    #[error("not enough memory for slice {0}")]
    Memory(Slice),
    /// A win in this slice takes more plies than can be stored.
    #[error("too many plies to win in slice {0}")]
    Long(Slice),
    /// A stop was requested.
    #[error("stopped")]
    Stopped,
}

/// Calls `work` with the position numbers of an index, one chunk at a time, on rayon's threads.
/// Each position is one step of progress.
///
/// # Errors
///
/// Returns a slice that `work` found missing, or [`SolveError::Stopped`] if `progress` requests a
/// stop.
pub(super) fn each_chunk(
    index: &Index,
    progress: &dyn Progress,
    work: &(dyn Fn(Range<u64>) -> Result<(), Slice> + Sync),
) -> Result<(), SolveError> {
    parallel::try_each(index.chunks(), &|chunk| {
        if progress.is_stopped() {
            return Err(SolveError::Stopped);
        }
        let numbers = index.chunk(chunk);
        progress.advance(numbers.end - numbers.start);
        work(numbers).map_err(SolveError::Missing)
    })
}

/// The rules of a variant as a value that implements the traits of the solvers.
///
/// Positions are numbered, stored and counted independently of the rules. Only the inner loops of
/// solving for values are compiled once per variant; those for distances are compiled once per
/// board and generate moves through [`MoveSource`].
pub(super) struct RulesOf<R>(pub(super) R);

/// Move generation for a variant, for use as a trait object. The lists to fill must be empty.
pub(super) trait MoveSource<G: Geometry>: Sync {
    /// Lists all captures.
    fn captures(&self, pieces: &Pieces<G>, list: &mut MoveList<G>);

    /// Lists the quiet moves, even if there is a capture.
    fn quiets(&self, pieces: &Pieces<G>, list: &mut MoveList<G>);

    /// Whether there is a capture.
    fn has_capture(&self, pieces: &Pieces<G>) -> bool;

    /// Whether there is a quiet move, even if there is a capture.
    fn has_quiet(&self, pieces: &Pieces<G>) -> bool;
}

impl<R: Rules> MoveSource<R::Geometry> for RulesOf<R> {
    fn captures(&self, pieces: &Pieces<R::Geometry>, list: &mut MoveList<R::Geometry>) {
        outlined::captures(&pieces.unkeyed(self.0), list);
    }

    fn quiets(&self, pieces: &Pieces<R::Geometry>, list: &mut MoveList<R::Geometry>) {
        movegen::quiets(&pieces.unkeyed(self.0), list);
    }

    fn has_capture(&self, pieces: &Pieces<R::Geometry>) -> bool {
        outlined::has_capture(&pieces.unkeyed(self.0))
    }

    fn has_quiet(&self, pieces: &Pieces<R::Geometry>) -> bool {
        outlined::has_quiet(&pieces.unkeyed(self.0))
    }
}

/// Removes from a list of quiet moves those that are not promotions. Returns the number removed.
#[inline(never)]
pub(super) fn retain_promotions<G: Geometry>(pieces: &Pieces<G>, moves: &mut MoveList<G>) -> usize {
    let all = moves.len();
    moves.retain(|mv| pieces.is_promotion(mv));
    all - moves.len()
}

/// Calls a function with two properties of a variant's quiet moves as const parameters: whether
/// kings fly, and whether pieces move along rows and columns instead of diagonals. The function is
/// thus compiled once for all variants with the same board and the same quiet moves.
macro_rules! with_quiet_moves {
    ($rules:ident, $function:ident $arguments:tt) => {
        if $rules::FLYING_KINGS {
            if const { $rules::DIRECTIONS.has_side_steps() } {
                $function::<$rules::Geometry, true, true> $arguments
            } else {
                $function::<$rules::Geometry, true, false> $arguments
            }
        } else if const { $rules::DIRECTIONS.has_side_steps() } {
            $function::<$rules::Geometry, false, true> $arguments
        } else {
            $function::<$rules::Geometry, false, false> $arguments
        }
    };
}
pub(super) use with_quiet_moves;

/// Calls `visit` with each predecessor of a position and its number. A predecessor is a position
/// from which a quiet move other than a promotion leads to the given one. The move was made by the
/// opponent, which is therefore the side to move in the predecessor.
#[inline(always)]
pub(super) fn each_predecessor<G: Geometry, const FLYING: bool, const ORTHOGONAL: bool>(
    pieces: &Pieces<G>,
    index: &Index,
    mut visit: impl FnMut(&Pieces<G>, u64),
) {
    let before = pieces.of_opponent();
    let empty = Bitboard::PLAYABLE & !before.occupied();
    for direction in const { directions(ORTHOGONAL).forward(Side::White) } {
        let back = direction.opposite();
        for from in (before.men[0].step(back) & empty).squares() {
            let to = G::next(from, *direction);
            let men = [moved(before.men[0], to, from), before.men[1]];
            let before = Pieces { men, ..before };
            visit(&before, index.number(&before));
        }
    }
    let men = index.with_men(before.men);
    for to in before.kings[0].squares() {
        for from in origins::<G, FLYING, ORTHOGONAL>(to, empty).squares() {
            let kings = [moved(before.kings[0], to, from), before.kings[1]];
            visit(&Pieces { kings, ..before }, men.number(kings));
        }
    }
}

/// The directions of quiet moves.
const fn directions(orthogonal: bool) -> Directions {
    if orthogonal { Directions::Orthogonal } else { Directions::Diagonal }
}

#[inline(always)]
fn moved<G: Geometry>(pieces: Bitboard<G>, from: Square, to: Square) -> Bitboard<G> {
    (pieces & !Bitboard::of(from)) | Bitboard::of(to)
}

/// The squares from which a king can reach `to` with a quiet move.
#[inline(always)]
fn origins<G: Geometry, const FLYING: bool, const ORTHOGONAL: bool>(
    to: Square,
    empty: Bitboard<G>,
) -> Bitboard<G> {
    let all = const { directions(ORTHOGONAL).moves() };
    let all = all.iter().fold(Bitboard::EMPTY, |all, &direction| {
        all | match FLYING {
            true => (!empty).reach(to, direction),
            false => Bitboard::of(to).step(direction),
        }
    });
    all & empty
}

//! One side's captures at a glance: which pieces can capture something, without following where it
//! leads.

use std::marker::PhantomData;

use crate::board::{Bitboard, Direction, Geometry, Square};
use crate::position::Position;
use crate::rules::Rules;

use super::turn::Turn;

/// The board as the side to move sees it. A plain value, so that it stays in registers.
#[derive(Clone, Copy)]
pub(super) struct Attack<R: Rules, T: Turn> {
    /// The men of the side to move.
    pub men: Bitboard<R::Geometry>,
    /// Its kings.
    pub kings: Bitboard<R::Geometry>,
    /// The pieces of the other side.
    pub opponents: Bitboard<R::Geometry>,
    /// Its kings.
    pub opponent_kings: Bitboard<R::Geometry>,
    /// The empty squares; within a capture also the square it started from.
    pub empty: Bitboard<R::Geometry>,
    /// Whose turn it is.
    pub turn: PhantomData<T>,
}

impl<R: Rules, T: Turn> Attack<R, T> {
    /// How `T` sees a position, to move or not.
    #[inline(always)]
    pub fn new(position: &Position<R>) -> Self {
        Attack {
            men: position.men(T::SIDE),
            kings: position.kings(T::SIDE),
            opponents: position.pieces(T::SIDE.opponent()),
            opponent_kings: position.kings(T::SIDE.opponent()),
            empty: position.empty(),
            turn: PhantomData,
        }
    }

    /// The directions in which kings capture.
    pub const KING_DIRECTIONS: &'static [Direction] =
        if R::ORTHOGONAL_CAPTURES { &Direction::ALL } else { &Direction::DIAGONAL };

    /// The directions in which men capture.
    pub const MEN_DIRECTIONS: &'static [Direction] =
        if R::MEN_CAPTURE_BACKWARD { Self::KING_DIRECTIONS } else { &T::FORWARD };

    /// What men may capture.
    #[inline(always)]
    pub fn men_targets(&self) -> Bitboard<R::Geometry> {
        if R::MEN_CAPTURE_KINGS { self.opponents } else { self.opponents & !self.opponent_kings }
    }

    /// Whether the side to move can capture.
    #[inline(always)]
    pub fn exists(&self) -> bool {
        (self.men_origins().all() & self.men).is_some() || self.kings_can_capture()
    }

    /// The squares from which a man could capture.
    #[inline(always)]
    pub fn men_origins(&self) -> Origins<R::Geometry> {
        self.origins(Self::MEN_DIRECTIONS, self.men_targets())
    }

    /// The squares with a target next to them and an empty square behind it.
    #[inline(always)]
    fn origins(
        &self,
        directions: &[Direction],
        targets: Bitboard<R::Geometry>,
    ) -> Origins<R::Geometry> {
        let mut origins = Origins([Bitboard::EMPTY; 8]);
        for &direction in directions {
            let back = direction.opposite();
            origins.0[direction.index()] = (self.empty.step(back) & targets).step(back);
        }
        origins
    }

    /// Whether a king of the side to move can capture.
    #[inline(always)]
    pub fn kings_can_capture(&self) -> bool {
        if !R::FLYING_KINGS {
            return self.kings_next_to_a_capture().is_some();
        }
        self.free_kings().squares().any(|king| {
            let victims = Self::KING_DIRECTIONS
                .iter()
                .map(|&direction| self.flying_capture(king, direction, Bitboard::EMPTY));
            victims.fold(Bitboard::EMPTY, |all, victim| all | victim).is_some()
        })
    }

    /// The kings without those that are surely shut in. Looking costs about as much as following
    /// two kings, so a few are returned as they are.
    #[inline(always)]
    pub fn free_kings(&self) -> Bitboard<R::Geometry> {
        const FEW: usize = 4;
        if R::FLYING_KINGS && self.kings.len() <= FEW {
            return self.kings;
        }
        let adjacent = self.kings_next_to_a_capture();
        if R::FLYING_KINGS { adjacent | self.kings_beside_empty() } else { adjacent }
    }

    #[inline(always)]
    fn kings_next_to_a_capture(&self) -> Bitboard<R::Geometry> {
        self.origins(Self::KING_DIRECTIONS, self.opponents).all() & self.kings
    }

    #[inline(always)]
    fn kings_beside_empty(&self) -> Bitboard<R::Geometry> {
        let beside = Self::KING_DIRECTIONS
            .iter()
            .fold(Bitboard::EMPTY, |beside, &direction| beside | self.empty.step(direction));
        self.kings & beside
    }

    /// The piece that a flying king on `at` can capture in a direction, the empty set if there is
    /// none. Pieces already captured cannot be jumped.
    #[inline(always)]
    pub fn flying_capture(
        &self,
        at: Square,
        direction: Direction,
        captured: Bitboard<R::Geometry>,
    ) -> Bitboard<R::Geometry> {
        let free_behind = self.empty.step(direction.opposite());
        (!self.empty).reach(at, direction) & self.opponents & !captured & free_behind
    }
}

/// For each direction the squares with a target next to them and an empty square behind it: where
/// a piece that captures one step away could start.
#[derive(Clone, Copy)]
pub(super) struct Origins<G: Geometry>([Bitboard<G>; 8]);

impl<G: Geometry> Origins<G> {
    /// Where a piece could start in any direction.
    #[inline(always)]
    pub fn all(&self) -> Bitboard<G> {
        self.0.iter().fold(Bitboard::EMPTY, |all, &origins| all | origins)
    }

    /// Where those of `pieces` land that can capture in a direction.
    #[inline(always)]
    pub fn jump(&self, pieces: Bitboard<G>, direction: Direction) -> Bitboard<G> {
        (pieces & self.0[direction.index()]).step(direction).step(direction)
    }

    /// Where a piece that came in a direction could go on. It cannot turn back.
    #[inline(always)]
    pub fn after(&self, came: Direction) -> Bitboard<G> {
        let mut others = *self;
        others.0[came.opposite().index()] = Bitboard::EMPTY;
        others.all()
    }
}

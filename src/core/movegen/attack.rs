//! Capture detection for one side: which pieces can make a first jump, without following the
//! capture any further.

use std::marker::PhantomData;

use crate::board::{Bitboard, Direction, Geometry, Side, Square};
use crate::position::BitPosition;
use crate::rules::Rules;

/// The side to move as a type, so that all shifts along the board are compile-time constants.
pub(super) trait Turn: Copy {
    /// The side.
    const SIDE: Side;
    /// The other side.
    type Other: Turn;
}

/// White to move.
#[derive(Clone, Copy)]
pub(super) struct White;

/// Black to move.
#[derive(Clone, Copy)]
pub(super) struct Black;

impl Turn for White {
    const SIDE: Side = Side::White;
    type Other = Black;
}

impl Turn for Black {
    const SIDE: Side = Side::Black;
    type Other = White;
}

/// The board from the point of view of one side. A plain value, so that it stays in registers.
#[derive(Clone, Copy)]
pub(super) struct Attack<R: Rules, T: Turn> {
    /// The rules of the variant.
    pub rules: R,
    /// The men of the side.
    pub men: Bitboard<R::Geometry>,
    /// The kings of the side.
    pub kings: Bitboard<R::Geometry>,
    /// The pieces of the opponent.
    pub opponents: Bitboard<R::Geometry>,
    /// The kings of the opponent.
    pub opponent_kings: Bitboard<R::Geometry>,
    /// The empty squares. During a capture they include its starting square and, if the rules
    /// remove captured pieces at once, the squares of these pieces.
    pub empty: Bitboard<R::Geometry>,
    /// The side.
    pub turn: PhantomData<T>,
}

impl<R: Rules, T: Turn> Attack<R, T> {
    /// The board from the point of view of `T`, whether or not it is to move.
    #[inline(always)]
    pub fn new(position: &BitPosition<R>) -> Self {
        Attack {
            rules: position.rules(),
            men: position.men(T::SIDE),
            kings: position.kings(T::SIDE),
            opponents: position.pieces(T::SIDE.opponent()),
            opponent_kings: position.kings(T::SIDE.opponent()),
            empty: position.empty(),
            turn: PhantomData,
        }
    }

    /// The board after an opponent's piece has been taken off a square.
    #[inline(always)]
    pub fn without(self, square: Square) -> Self {
        let square = Bitboard::of(square);
        Attack {
            opponents: self.opponents & !square,
            opponent_kings: self.opponent_kings & !square,
            empty: self.empty | square,
            ..self
        }
    }

    /// The directions in which kings capture.
    pub const KING_DIRECTIONS: &'static [Direction] = R::DIRECTIONS.captures();

    /// The directions in which men capture.
    pub const MEN_DIRECTIONS: &'static [Direction] = if R::MEN_CAPTURE_BACKWARD {
        Self::KING_DIRECTIONS
    } else {
        R::DIRECTIONS.forward(T::SIDE)
    };

    /// The pieces that men may capture.
    #[inline(always)]
    pub fn men_targets(&self) -> Bitboard<R::Geometry> {
        if R::MEN_CAPTURE_KINGS { self.opponents } else { self.opponents & !self.opponent_kings }
    }

    /// Whether the side can capture.
    #[inline(always)]
    pub fn can_capture(&self) -> bool {
        (self.men_origins().all() & self.men).is_some() || self.kings_can_capture()
    }

    /// The squares from which a man could capture.
    #[inline(always)]
    pub fn men_origins(&self) -> Origins<R::Geometry> {
        self.origins(Self::MEN_DIRECTIONS, self.men_targets())
    }

    /// By direction, the squares with an adjacent target and an empty square behind the target.
    #[inline(always)]
    fn origins(
        &self,
        directions: &[Direction],
        targets: Bitboard<R::Geometry>,
    ) -> Origins<R::Geometry> {
        let mut origins = Origins::NONE;
        for &direction in directions {
            let back = direction.opposite();
            origins.0[direction.index()] = (self.empty.step(back) & targets).step(back);
        }
        origins
    }

    /// Whether a king of the side can capture.
    #[inline(always)]
    pub fn kings_can_capture(&self) -> bool {
        if !R::FLYING_KINGS {
            return self.kings_next_to_a_capture().is_some();
        }
        self.free_kings().squares().any(|king| self.flying_king_captures(king))
    }

    /// The kings of the side that can capture.
    #[inline(always)]
    pub fn capturing_kings(&self) -> Bitboard<R::Geometry> {
        if !R::FLYING_KINGS {
            return self.kings_next_to_a_capture();
        }
        let mut kings = Bitboard::EMPTY;
        for king in self.free_kings().squares() {
            if self.flying_king_captures(king) {
                kings |= Bitboard::of(king);
            }
        }
        kings
    }

    /// Whether a flying king on a square can capture.
    #[inline(always)]
    fn flying_king_captures(&self, king: Square) -> bool {
        let victims = Self::KING_DIRECTIONS
            .iter()
            .map(|&direction| self.flying_capture(king, direction, Bitboard::EMPTY));
        victims.fold(Bitboard::EMPTY, |all, victim| all | victim).is_some()
    }

    /// The flying kings except those that certainly cannot capture. The test costs about as much as
    /// following two kings, so a small number of kings is returned unfiltered.
    #[inline(always)]
    fn free_kings(&self) -> Bitboard<R::Geometry> {
        const FEW: usize = 4;
        if self.kings.len() <= FEW {
            return self.kings;
        }
        self.kings_next_to_a_capture() | self.kings_next_to_empty()
    }

    #[inline(always)]
    fn kings_next_to_a_capture(&self) -> Bitboard<R::Geometry> {
        self.origins(Self::KING_DIRECTIONS, self.opponents).all() & self.kings
    }

    #[inline(always)]
    fn kings_next_to_empty(&self) -> Bitboard<R::Geometry> {
        let beside = Self::KING_DIRECTIONS
            .iter()
            .fold(Bitboard::EMPTY, |beside, &direction| beside | self.empty.step(direction));
        self.kings & beside
    }

    /// By direction, the empty squares from which a flying king can capture.
    #[inline(always)]
    pub fn flying_origins(&self) -> Origins<R::Geometry> {
        let mut origins = self.origins(Self::KING_DIRECTIONS, self.opponents);
        for &direction in Self::KING_DIRECTIONS {
            let adjacent = &mut origins.0[direction.index()];
            *adjacent = (*adjacent & self.empty).slide(direction.opposite(), self.empty);
        }
        origins
    }

    /// The piece that a flying king on `at` can capture in a direction; empty if there is none.
    /// Pieces already captured cannot be jumped again; unless the rules remove them at once, they
    /// also block the way.
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

/// The origins of short jumps: by direction, the squares with an adjacent target and an empty
/// square behind the target.
#[derive(Clone, Copy)]
pub(super) struct Origins<G: Geometry>([Bitboard<G>; 8]);

impl<G: Geometry> Origins<G> {
    /// No origins.
    pub const NONE: Self = Origins([Bitboard::EMPTY; 8]);

    /// The origins in any direction.
    #[inline(always)]
    pub fn all(&self) -> Bitboard<G> {
        self.0.iter().fold(Bitboard::EMPTY, |all, &origins| all | origins)
    }

    /// The landing squares of the `pieces` that can jump in a direction.
    #[inline(always)]
    pub fn jump(&self, pieces: Bitboard<G>, direction: Direction) -> Bitboard<G> {
        (pieces & self.0[direction.index()]).step(direction).step(direction)
    }

    /// The origins in any of the given directions.
    #[inline(always)]
    pub fn any(&self, directions: &[Direction]) -> Bitboard<G> {
        directions.iter().fold(Bitboard::EMPTY, |any, direction| any | self.0[direction.index()])
    }

    /// The squares from which a piece can continue after a jump in the direction `last`; it cannot
    /// turn back.
    #[inline(always)]
    pub fn after(&self, last: Direction) -> Bitboard<G> {
        let mut others = *self;
        others.0[last.opposite().index()] = Bitboard::EMPTY;
        others.all()
    }
}

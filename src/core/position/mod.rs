//! Positions on bitboards, their Zobrist keys, and the validation of arbitrary boards ([`Setup`]).

mod key;
mod pieces;
mod setup;

pub use key::Key;
pub use pieces::Pieces;
pub use setup::{Fault, Setup, SetupError};

use std::hash::{Hash, Hasher};

use crate::board::{BitMove, Bitboard, Geometry, Kind, Side, Square, SquareSet};
use crate::rules::{Rules, VariantSetup};

/// A legal position of a variant: the pieces, the side to move and, in variants with the
/// three-king-moves rule, its counters. It is a small `Copy` value; [`BitPosition::after`] returns
/// a new one.
#[derive(Clone, Copy, Debug)]
pub struct BitPosition<R: Rules> {
    // Two fields rather than an array: an array indexed by side would be kept in memory instead of
    // in registers.
    white: Bitboard<R::Geometry>,
    black: Bitboard<R::Geometry>,
    kings: Bitboard<R::Geometry>,
    key: Key,
    king_runs: [KingRun<Square>; 2],
    side: Side,
    rules: R,
}

/// A side's count of consecutive moves with the same king and without a capture; zero by default.
/// `S` is the type of the king's square: a number, or a [`Square`] on bitboards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct KingRun<S = u8> {
    square: S,
    count: u8,
}

impl<S: Copy + Default> KingRun<S> {
    /// A run of `count` moves by the king now on `square`.
    pub fn new(square: S, count: u8) -> Self {
        if count == 0 { KingRun::default() } else { KingRun { square, count } }
    }

    /// The square of the king; `None` if no moves are counted.
    pub fn square(self) -> Option<S> {
        (self.count > 0).then_some(self.square)
    }

    /// The number of consecutive moves.
    pub fn count(self) -> u8 {
        self.count
    }

    /// The run with its count capped at `limit`.
    fn at_most(self, limit: u8) -> Self {
        KingRun { count: self.count.min(limit), ..self }
    }
}

impl<R: Rules> BitPosition<R> {
    /// The start position of a variant with the given setup.
    pub fn start_of(rules: R, setup: &VariantSetup) -> Self {
        let [before, last] = [setup.start_rows.start, setup.start_rows.end]
            .map(|rows| SquareSet::up_to((rows * R::Geometry::ROW) as u8));
        let black = Bitboard::of_set(last & !before);
        Self::from_parts(rules, [black.rotated(), black], Bitboard::EMPTY, setup.first)
    }

    /// A position from its parts, which the caller has validated.
    pub(crate) fn from_parts(
        rules: R,
        sides: [Bitboard<R::Geometry>; 2],
        kings: Bitboard<R::Geometry>,
        side: Side,
    ) -> Self {
        let king_runs = [KingRun::default(); 2];
        let [white, black] = sides;
        let mut position =
            BitPosition { white, black, kings, key: Key::default(), king_runs, side, rules };
        position.key = position.computed_key();
        position
    }

    /// A position from its parts and key, taken from another position.
    pub(crate) fn with_key(
        rules: R,
        sides: [Bitboard<R::Geometry>; 2],
        kings: Bitboard<R::Geometry>,
        side: Side,
        king_runs: [KingRun<Square>; 2],
        key: Key,
    ) -> Self {
        let [white, black] = sides;
        BitPosition { white, black, kings, key, king_runs, side, rules }
    }

    /// A position without a key, from parts that the caller has validated. For move generation
    /// only: omitting the key saves time, but the position does not compare equal to the same
    /// position with a key.
    #[inline(always)]
    pub(crate) fn without_key(
        rules: R,
        sides: [Bitboard<R::Geometry>; 2],
        kings: Bitboard<R::Geometry>,
        side: Side,
    ) -> Self {
        let (key, king_runs) = (Key::default(), [KingRun::default(); 2]);
        let [white, black] = sides;
        BitPosition { white, black, kings, key, king_runs, side, rules }
    }

    /// The rules of the variant.
    #[inline(always)]
    pub fn rules(&self) -> R {
        self.rules
    }

    /// The side to move.
    #[inline(always)]
    pub fn side(&self) -> Side {
        self.side
    }

    /// All pieces of a side.
    #[inline(always)]
    pub fn pieces(&self, side: Side) -> Bitboard<R::Geometry> {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// The men of a side.
    #[inline(always)]
    pub fn men(&self, side: Side) -> Bitboard<R::Geometry> {
        self.pieces(side) & !self.kings
    }

    /// The kings of a side.
    #[inline(always)]
    pub fn kings(&self, side: Side) -> Bitboard<R::Geometry> {
        self.pieces(side) & self.kings
    }

    /// One side's pieces of a given kind.
    #[inline(always)]
    pub fn pieces_of(&self, side: Side, kind: Kind) -> Bitboard<R::Geometry> {
        match kind {
            Kind::Man => self.men(side),
            Kind::King => self.kings(side),
        }
    }

    /// The kings of both sides.
    #[inline(always)]
    pub fn all_kings(&self) -> Bitboard<R::Geometry> {
        self.kings
    }

    /// The pieces of both sides.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard<R::Geometry> {
        self.white | self.black
    }

    /// The empty playable squares.
    #[inline(always)]
    pub fn empty(&self) -> Bitboard<R::Geometry> {
        Bitboard::PLAYABLE & !self.occupied()
    }

    /// The Zobrist key: pieces, side to move and three-king-moves counters.
    #[inline(always)]
    pub fn key(&self) -> Key {
        self.key
    }

    /// A side's current run of consecutive moves with the same king. Always [`KingRun::default`] in
    /// variants without the three-king-moves rule.
    #[inline(always)]
    pub fn king_run(&self, side: Side) -> KingRun<Square> {
        self.king_runs[side.index()]
    }

    /// The same position with the given three-king-moves counters. Invalid counters (no such rule,
    /// no king on the square, no man left) become [`KingRun::default`].
    pub fn with_king_runs(mut self, runs: [KingRun<Square>; 2]) -> Self {
        for side in Side::ALL {
            let run = runs[side.index()];
            let fits = R::KING_MOVES_IN_A_ROW > 0
                && run.count() > 0
                && self.men(side).is_some()
                && run.square().is_some_and(|square| self.kings(side).has(square));
            self.king_runs[side.index()] =
                if fits { run.at_most(R::KING_MOVES_IN_A_ROW) } else { KingRun::default() };
        }
        self.key = self.computed_key();
        self
    }

    /// The position after a legal move.
    #[inline(always)]
    pub fn after(&self, mv: BitMove<R::Geometry>) -> Self {
        self.after_move_of(self.side, mv)
    }

    /// The position after a legal move of `us`, which must be the side to move. For callers that
    /// know the side at compile time.
    #[inline(always)]
    pub(crate) fn after_move_of(&self, us: Side, mv: BitMove<R::Geometry>) -> Self {
        debug_assert_eq!(us, self.side);
        let them = us.opponent();
        let (from, to) = (Bitboard::of(mv.from), Bitboard::of(mv.to));
        debug_assert!((self.pieces(us) & from).is_some());
        let was_king = (self.kings & from).is_some();
        let is_king = was_king || self.promotes(us, to, mv.captured);

        // Remove before adding: a capture may end on its starting square.
        let ours = (self.pieces(us) & !from) | to;
        let theirs = self.pieces(them) & !mv.captured;
        let (white, black) = match us {
            Side::White => (ours, theirs),
            Side::Black => (theirs, ours),
        };
        let mut kings = self.kings & !from & !mv.captured;
        if is_king {
            kings |= to;
        }
        let key = self.key_after(us, mv, was_king, is_king);
        let mut next = BitPosition {
            white,
            black,
            kings,
            key,
            king_runs: self.king_runs,
            side: them,
            rules: self.rules,
        };
        if R::KING_MOVES_IN_A_ROW > 0 {
            next.update_king_runs(mv, was_king);
        }
        next
    }

    /// The position after a legal move of `us`, with the key of this position. For counting moves
    /// only.
    #[inline(always)]
    pub(crate) fn after_without_key(&self, us: Side, mv: BitMove<R::Geometry>) -> Self {
        BitPosition { key: self.key, ..self.after_move_of(us, mv) }
    }

    /// Whether a man of `side` that ends on `to` after capturing `captured` is promoted.
    ///
    /// A man promoted in passing need not end on the promotion row, but it can only have reached
    /// that row by capturing a piece on the row before it.
    #[inline(always)]
    fn promotes(
        &self,
        side: Side,
        to: Bitboard<R::Geometry>,
        captured: Bitboard<R::Geometry>,
    ) -> bool {
        let ends = (to & promotion_row::<R::Geometry>(side)).is_some();
        ends || self.rules.promotes_in_passing()
            && (captured & row_before_promotion::<R::Geometry>(side)).is_some()
    }

    /// Whether a move is a conversion, after which no earlier position can recur: a capture or a
    /// man's move forward.
    #[inline(always)]
    pub fn is_conversion(&self, mv: BitMove<R::Geometry>) -> bool {
        let is_forward = || {
            !R::DIRECTIONS.has_side_steps() || R::Geometry::row(mv.from) != R::Geometry::row(mv.to)
        };
        mv.is_capture() || !self.kings.has(mv.from) && is_forward()
    }

    /// Updates the three-king-moves counters after a move; `self` is the position after the move.
    ///
    /// A side's run ends when the side captures or moves another piece, when its king is captured,
    /// and when it has no man left.
    fn update_king_runs(&mut self, mv: BitMove<R::Geometry>, was_king: bool) {
        let (us, them) = (self.side().opponent(), self.side());
        let old = self.king_runs;
        self.king_runs = [KingRun::default(); 2];

        let theirs = old[them.index()];
        let stays = theirs.square().is_some_and(|square| self.kings(them).has(square));
        if stays && self.men(them).is_some() {
            self.king_runs[them.index()] = theirs;
        }
        if was_king && !mv.is_capture() && self.men(us).is_some() {
            let ours = old[us.index()];
            let before = if ours.square() == Some(mv.from) { ours.count } else { 0 };
            self.king_runs[us.index()] = KingRun::new(mv.to, before + 1);
        }
        self.key = self.key.with_king_runs(old, self.king_runs);
    }
}

/// The promotion row of a side.
#[inline(always)]
pub fn promotion_row<G: Geometry>(side: Side) -> Bitboard<G> {
    row::<G>(match side {
        Side::White => 0,
        Side::Black => G::SIZE - 1,
    })
}

/// The row before the promotion row of a side.
#[inline(always)]
fn row_before_promotion<G: Geometry>(side: Side) -> Bitboard<G> {
    row::<G>(match side {
        Side::White => 1,
        Side::Black => G::SIZE - 2,
    })
}

/// The squares of a row, 0 at the top.
#[inline(always)]
fn row<G: Geometry>(row: usize) -> Bitboard<G> {
    use crate::board::Bits;
    type Word<G> = <G as Geometry>::Bits;
    let start = G::LAYOUT.index(row, 0) as u32;
    let next = start + G::ROW as u32;
    let below = |bit: u32| Bitboard::<G>(!(!Word::<G>::ZERO << bit));
    below(next) & !below(start)
}

impl<R: Rules> PartialEq for BitPosition<R> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.white == other.white
            && self.black == other.black
            && self.kings == other.kings
            && self.king_runs == other.king_runs
            && self.side == other.side
            && self.rules == other.rules
    }
}

impl<R: Rules> Eq for BitPosition<R> {}

impl<R: Rules> Hash for BitPosition<R> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

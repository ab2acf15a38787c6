//! Positions from the point of view of the side to move.

use crate::board::{BitMove, Bitboard, Geometry, Side};
use crate::rules::Rules;

use super::{BitPosition, promotion_row, row_before_promotion};

/// The pieces from the point of view of the side to move: its men move up the board, like White's.
/// Index 0 is the side to move, 1 the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pieces<G: Geometry> {
    /// The men of each side.
    pub men: [Bitboard<G>; 2],
    /// The kings of each side.
    pub kings: [Bitboard<G>; 2],
}

impl<G: Geometry> Pieces<G> {
    /// No pieces.
    pub const NONE: Self = Pieces { men: [Bitboard::EMPTY; 2], kings: [Bitboard::EMPTY; 2] };

    /// The pieces of a position.
    #[inline(always)]
    pub fn of<R: Rules<Geometry = G>>(position: &BitPosition<R>) -> Self {
        let us = position.side();
        let sides = [us, us.opponent()];
        let pieces = Pieces {
            men: sides.map(|side| position.men(side)),
            kings: sides.map(|side| position.kings(side)),
        };
        match us {
            Side::White => pieces,
            Side::Black => pieces.rotated(),
        }
    }

    /// Converts to a position with White to move.
    #[inline(always)]
    pub fn position<R: Rules<Geometry = G>>(&self, rules: R) -> BitPosition<R> {
        BitPosition::from_parts(rules, self.sides(), self.kings[0] | self.kings[1], Side::White)
    }

    /// Converts to a position with White to move, without computing its key: for move generation
    /// only.
    #[inline(always)]
    pub(crate) fn unkeyed<R: Rules<Geometry = G>>(&self, rules: R) -> BitPosition<R> {
        BitPosition::without_key(rules, self.sides(), self.kings[0] | self.kings[1], Side::White)
    }

    #[inline(always)]
    fn sides(&self) -> [Bitboard<G>; 2] {
        [self.men[0] | self.kings[0], self.men[1] | self.kings[1]]
    }

    /// The occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard<G> {
        self.men[0] | self.men[1] | self.kings[0] | self.kings[1]
    }

    /// Whether a man of the side to move is one step from an empty square of its promotion row.
    #[inline(always)]
    pub(crate) fn can_promote<R: Rules<Geometry = G>>(&self) -> bool {
        let directions = R::DIRECTIONS.forward(Side::White).iter();
        let steps = directions
            .fold(Bitboard::EMPTY, |steps, &direction| steps | self.men[0].step(direction));
        (steps & promotion_row::<G>(Side::White) & !self.occupied()).is_some()
    }

    /// The pieces after a legal move of the side to move, from the point of view of the opponent.
    /// Like [`BitPosition::after`], but compiled once per board instead of once per variant.
    #[inline(always)]
    pub(crate) fn after(&self, mv: BitMove<G>, promotion_in_passing: bool) -> Self {
        let (from, to) = (Bitboard::of(mv.from), Bitboard::of(mv.to));
        let is_king = (self.kings[0] & from).is_some()
            || (to & promotion_row::<G>(Side::White)).is_some()
            || promotion_in_passing
                && (mv.captured & row_before_promotion::<G>(Side::White)).is_some();
        // Remove before adding: a capture may end on its starting square.
        let mut men = [self.men[0] & !from, self.men[1] & !mv.captured];
        let mut kings = [self.kings[0] & !from, self.kings[1] & !mv.captured];
        let moved = if is_king { &mut kings[0] } else { &mut men[0] };
        *moved |= to;
        Pieces { men, kings }.of_opponent()
    }

    /// Whether a man of the side to move is on the row before its promotion row.
    #[inline(always)]
    pub(crate) fn has_man_before_promotion(&self) -> bool {
        (self.men[0] & row_before_promotion::<G>(Side::White)).is_some()
    }

    /// Whether a quiet move is a promotion.
    #[inline(always)]
    pub(crate) fn is_promotion(&self, mv: &BitMove<G>) -> bool {
        self.men[0].has(mv.from) && promotion_row::<G>(Side::White).has(mv.to)
    }

    /// The pieces after a rotation of the board by 180 degrees; each side keeps its index.
    #[inline(always)]
    fn rotated(&self) -> Self {
        Pieces { men: self.men.map(Bitboard::rotated), kings: self.kings.map(Bitboard::rotated) }
    }

    /// The same pieces from the opponent's point of view.
    #[inline(always)]
    pub fn of_opponent(&self) -> Self {
        let Pieces { men: [us, them], kings: [our_kings, their_kings] } = self.rotated();
        Pieces { men: [them, us], kings: [their_kings, our_kings] }
    }
}

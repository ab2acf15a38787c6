//! A position as the side to move sees it.

use crate::board::{Bitboard, Direction, Geometry, Move, Side};
use crate::rules::Rules;

use super::{Position, promotion_row};

/// The pieces as the side to move sees them: its men go up the board, as White's do. Index 0 is the
/// side to move, 1 the opponent.
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
    pub fn of<R: Rules<Geometry = G>>(position: &Position<R>) -> Self {
        let us = position.side();
        let sides = [us, us.opponent()];
        let pieces = Pieces {
            men: sides.map(|side| position.men(side)),
            kings: sides.map(|side| position.kings(side)),
        };
        match us {
            Side::White => pieces,
            Side::Black => pieces.turned(),
        }
    }

    /// The position, with White to move.
    #[inline(always)]
    pub fn position<R: Rules<Geometry = G>>(&self) -> Position<R> {
        Position::from_parts(self.sides(), self.kings[0] | self.kings[1], Side::White)
    }

    /// The position to list moves of, with White to move: it has no key, which takes time.
    #[inline(always)]
    pub(crate) fn unkeyed<R: Rules<Geometry = G>>(&self) -> Position<R> {
        Position::without_key(self.sides(), self.kings[0] | self.kings[1], Side::White)
    }

    #[inline(always)]
    fn sides(&self) -> [Bitboard<G>; 2] {
        [self.men[0] | self.kings[0], self.men[1] | self.kings[1]]
    }

    /// The squares that are taken.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard<G> {
        self.men[0] | self.men[1] | self.kings[0] | self.kings[1]
    }

    /// Whether the side to move has a man that could be promoted without a capture.
    #[inline(always)]
    pub(crate) fn can_promote<R: Rules<Geometry = G>>(&self) -> bool {
        let men = self.men[0];
        let steps = men.step(Direction::NorthWest) | men.step(Direction::NorthEast);
        (steps & promotion_row::<R>(Side::White) & !self.occupied()).is_some()
    }

    /// Whether a quiet move is a promotion.
    #[inline(always)]
    pub(crate) fn is_promotion<R: Rules<Geometry = G>>(&self, mv: &Move<G>) -> bool {
        self.men[0].has(mv.from) && promotion_row::<R>(Side::White).has(mv.to)
    }

    /// The same pieces after a half turn of the board, each still with its side.
    #[inline(always)]
    fn turned(&self) -> Self {
        Pieces { men: self.men.map(Bitboard::turned), kings: self.kings.map(Bitboard::turned) }
    }

    /// The same pieces as the opponent sees them.
    #[inline(always)]
    pub fn of_opponent(&self) -> Self {
        let Pieces { men: [us, them], kings: [our_kings, their_kings] } = self.turned();
        Pieces { men: [them, us], kings: [their_kings, our_kings] }
    }
}

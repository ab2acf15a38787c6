//! Counting two plies at once: the quiet moves of all men in a direction, and the replies to them.
//!
//! If the opponent has only men and cannot capture, a quiet move of a man changes the replies only
//! next to the square it leaves and the square it reaches. So a few operations on bitboards find
//! the moves, of all men in a direction, that allow a capture, and count the replies to the others.

use crate::board::{Bitboard, Direction, Geometry, Square};
use crate::position::{BitPosition, promotion_row};
use crate::rules::{Goal, Rules};

use super::attack::{Attack, Turn};

/// The quiet moves of the men of `T`, and the replies of an opponent without kings and captures.
pub(super) struct TwoPlies<R: Rules, T: Turn> {
    /// The men of `T`.
    men: Bitboard<R::Geometry>,
    /// The men and kings of `T`.
    pieces: Bitboard<R::Geometry>,
    /// The position before the move from the opponent's point of view.
    opponent: Attack<R, T::Other>,
    /// The number of the opponent's quiet moves before the move.
    mobility: u64,
}

impl<R: Rules, T: Turn> TwoPlies<R, T> {
    /// `None` if the opponent has a king or could capture if it were the opponent's turn.
    #[inline(always)]
    pub fn new(position: &BitPosition<R>) -> Option<Self> {
        let opponent = Attack::<R, T::Other>::new(position);
        let is_over = position.rules().goal() == Goal::King && position.all_kings().is_some();
        let can_capture = (opponent.men_origins().all() & opponent.men).is_some();
        if opponent.kings.is_some() || can_capture || is_over {
            return None;
        }
        let (men, pieces) = (position.men(T::SIDE), position.pieces(T::SIDE));
        let mobility = Self::REPLIES
            .iter()
            .map(|&reply| (opponent.men.step(reply) & opponent.empty).len() as u64)
            .sum();
        Some(TwoPlies { men, pieces, opponent, mobility })
    }

    /// The directions of the moves.
    const MOVES: &'static [Direction] = R::DIRECTIONS.forward(T::SIDE);

    /// The directions of quiet replies.
    const REPLIES: &'static [Direction] = R::DIRECTIONS.forward(<T::Other as Turn>::SIDE);

    /// The number of replies to all moves, except those for which it calls `visit`, with their
    /// origin and destination: moves that allow a capture, and promotions.
    #[inline(always)]
    pub fn count(&self, mut visit: impl FnMut(Square, Square)) -> u64 {
        let mut count = 0;
        for &direction in Self::MOVES {
            let to = self.men.step(direction) & self.opponent.empty;
            // A new king may be safe from men, or may end the game.
            let others = to & (self.exposed(to, direction) | promotion_row::<R::Geometry>(T::SIDE));
            count += self.quiet_replies(to & !others, direction);
            for to in others.squares() {
                visit(R::Geometry::next(to, direction.opposite()), to);
            }
        }
        count
    }

    /// The destinations, among `to`, of moves in a direction that allow a capture.
    #[inline(always)]
    fn exposed(&self, to: Bitboard<R::Geometry>, direction: Direction) -> Bitboard<R::Geometry> {
        let Attack { men: opponents, empty, .. } = self.opponent;
        let back = direction.opposite();
        let from = to.step(back);
        let (mut of_moved, mut across_origin) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for &capture in Attack::<R, T::Other>::MEN_DIRECTIONS {
            // Behind a man captured from the front is the square that it has left.
            let landing = if capture == back { to } else { empty.step(capture.opposite()) };
            of_moved |= opponents.step(capture) & landing;
            across_origin |= (self.pieces & opponents.step(capture)).step(capture);
        }
        of_moved | (across_origin & from).step(direction)
    }

    /// The number of quiet replies to moves in a direction, to the squares `to`.
    #[inline(always)]
    fn quiet_replies(&self, to: Bitboard<R::Geometry>, direction: Direction) -> u64 {
        let from = to.step(direction.opposite());
        let mut count = self.mobility * to.len() as u64;
        for &reply in Self::REPLIES {
            let reached = self.opponent.men.step(reply);
            count += (reached & from).len() as u64;
            count -= (reached & to).len() as u64;
        }
        count
    }
}

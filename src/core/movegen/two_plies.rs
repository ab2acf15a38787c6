//! Counting two plies at once: quiet moves, and the replies to them.
//!
//! If the opponent cannot capture, a quiet move changes the replies only next to the square it
//! leaves and the square it reaches, and in the lines of the opponent's kings. So a few operations
//! on bitboards find the moves, of all men in a direction or of one king, that allow a capture or
//! touch such a line, and count the replies to the others.

use std::marker::PhantomData;

use crate::board::{Bitboard, Direction, Geometry, Square};
use crate::position::{BitPosition, promotion_row};
use crate::rules::{Goal, Rules};

use super::attack::{Attack, Turn};
use super::quiets::{each_man_move, each_quiet, king_targets, movable_kings};

/// The number of replies to the quiet moves of `T`, except those for which it calls `visit`, with
/// their origin and destination. `T` must not be able to capture.
#[inline(always)]
pub(super) fn count<R: Rules, T: Turn>(
    position: &BitPosition<R>,
    mut visit: impl FnMut(Square, Square),
) -> u64 {
    // A side with a king has won, so there are no replies to its moves.
    if position.rules().goal() == Goal::King && position.all_kings().is_some() {
        each_quiet::<R, T>(position, visit);
        return 0;
    }
    let mut count = 0;
    let opponent = Attack::<R, T::Other>::new(position);
    let kings = KingReplies::new(&opponent);
    match kings.and_then(|kings| Replies::<R, T>::new(opponent, kings)) {
        Some(replies) => count += replies.to_men(position.men(T::SIDE), &mut visit),
        None => each_man_move::<R, T>(position, &mut visit),
    }
    for from in movable_kings::<R, T>(position).squares() {
        let targets = king_targets::<R>(from, position.empty());
        if targets.is_empty() {
            continue;
        }
        let without = opponent.without(from);
        let kings = match kings {
            Some(kings) if !kings.lines.has(from) => Some(kings),
            _ => KingReplies::new(&without),
        };
        match kings.and_then(|kings| Replies::<R, T>::new(without, kings)) {
            Some(replies) => count += replies.to_king(from, targets, &mut visit),
            None => targets.squares().for_each(|to| visit(from, to)),
        }
    }
    count
}

/// What the opponent's kings, which cannot capture, can reply.
#[derive(Clone, Copy)]
struct KingReplies<G: Geometry> {
    /// The number of their moves.
    mobility: u64,
    /// The squares on which a change may change what they can do: those that they see, up to the
    /// first piece in each direction, and the squares behind those pieces that are not their own.
    lines: Bitboard<G>,
}

impl<G: Geometry> KingReplies<G> {
    /// `None` if a king can capture or the rules may forbid it to move.
    #[inline(always)]
    fn new<R: Rules<Geometry = G>, T: Turn>(opponent: &Attack<R, T>) -> Option<Self> {
        if R::KING_MOVES_IN_A_ROW > 0 && opponent.kings.is_some() {
            return None;
        }
        let mut replies = KingReplies { mobility: 0, lines: Bitboard::EMPTY };
        for king in opponent.kings.squares() {
            let mut behind = Bitboard::EMPTY;
            for &direction in Attack::<R, T>::KING_DIRECTIONS {
                let reach = if R::FLYING_KINGS {
                    (!opponent.empty).reach(king, direction)
                } else {
                    Bitboard::of(king).step(direction)
                };
                replies.lines |= reach;
                behind |= (reach & opponent.opponents).step(direction);
            }
            if (behind & opponent.empty).is_some() {
                return None;
            }
            replies.lines |= behind;
            replies.mobility += king_targets::<R>(king, opponent.empty).len() as u64;
        }
        Some(replies)
    }
}

/// The replies of an opponent who cannot capture, before a move of `T`.
struct Replies<R: Rules, T: Turn> {
    /// The position from the opponent's point of view.
    opponent: Attack<R, T::Other>,
    /// The number of the opponent's quiet moves.
    mobility: u64,
    /// See [`KingReplies::lines`].
    lines: Bitboard<R::Geometry>,
    /// The side that moves first.
    turn: PhantomData<T>,
}

impl<R: Rules, T: Turn> Replies<R, T> {
    /// `None` if a man of the opponent can capture.
    #[inline(always)]
    fn new(opponent: Attack<R, T::Other>, kings: KingReplies<R::Geometry>) -> Option<Self> {
        if (opponent.men_origins().all() & opponent.men).is_some() {
            return None;
        }
        let KingReplies { mut mobility, lines } = kings;
        for &reply in Self::REPLIES {
            mobility += (opponent.men.step(reply) & opponent.empty).len() as u64;
        }
        Some(Replies { opponent, mobility, lines, turn: PhantomData })
    }

    /// The directions of the moves of men.
    const MOVES: &'static [Direction] = R::DIRECTIONS.forward(T::SIDE);

    /// The directions of quiet replies of men.
    const REPLIES: &'static [Direction] = R::DIRECTIONS.forward(<T::Other as Turn>::SIDE);

    /// The number of replies to all moves of men, except those for which it calls `visit`: moves
    /// that allow a capture or touch a king's line, and promotions.
    #[inline(always)]
    fn to_men(&self, men: Bitboard<R::Geometry>, visit: &mut impl FnMut(Square, Square)) -> u64 {
        let mut count = 0;
        for &direction in Self::MOVES {
            let to = men.step(direction) & self.opponent.empty;
            let lines = self.lines | self.lines.step(direction);
            // A new king may be safe from men, or may end the game.
            let promotions = promotion_row::<R::Geometry>(T::SIDE);
            let others = to & (self.exposed_men(to, direction) | lines | promotions);
            count += self.quiet_replies_to_men(to & !others, direction);
            for to in others.squares() {
                visit(R::Geometry::next(to, direction.opposite()), to);
            }
        }
        count
    }

    /// The number of replies to the moves of a king, which is not on the board, except those for
    /// which it calls `visit`: moves that allow a capture or touch a king's line.
    #[inline(always)]
    fn to_king(
        &self,
        from: Square,
        targets: Bitboard<R::Geometry>,
        visit: &mut impl FnMut(Square, Square),
    ) -> u64 {
        let Attack { men, empty, .. } = self.opponent;
        let mut others = targets & self.lines;
        for &capture in Attack::<R, T::Other>::MEN_DIRECTIONS {
            others |= targets & men.step(capture) & empty.step(capture.opposite());
        }
        let to = targets & !others;
        let mut count = self.mobility * to.len() as u64;
        for &reply in Self::REPLIES {
            count -= (men.step(reply) & to).len() as u64;
        }
        others.squares().for_each(|to| visit(from, to));
        count
    }

    /// The destinations, among `to`, of moves of men in a direction that allow a man's capture.
    #[inline(always)]
    fn exposed_men(
        &self,
        to: Bitboard<R::Geometry>,
        direction: Direction,
    ) -> Bitboard<R::Geometry> {
        let Attack { men: opponents, opponents: pieces, empty, .. } = self.opponent;
        let back = direction.opposite();
        let from = to.step(back);
        let (mut of_moved, mut across_origin) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for &capture in Attack::<R, T::Other>::MEN_DIRECTIONS {
            // Behind a man captured from the front is the square that it has left.
            let landing = if capture == back { to } else { empty.step(capture.opposite()) };
            of_moved |= opponents.step(capture) & landing;
            across_origin |= (pieces & opponents.step(capture)).step(capture);
        }
        of_moved | (across_origin & from).step(direction)
    }

    /// The number of quiet replies to moves of men in a direction, to the squares `to`.
    #[inline(always)]
    fn quiet_replies_to_men(&self, to: Bitboard<R::Geometry>, direction: Direction) -> u64 {
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

//! Captures: every route of every piece, then the rule of precedence.
//!
//! Captured pieces stay on the board until the capture is over: they cannot be jumped twice and
//! stop whatever comes against them. The square the piece started from counts as empty. A capture
//! must go on as long as it can, so a route is a move only at its end.

use crate::board::{Bitboard, Direction, Geometry, Move, MoveList, Side, Square};
use crate::position::{Position, promotion_row};
use crate::rules::{Precedence, Rules};

use super::{forward, is_decided};

/// Adds the legal captures of the side to move to an empty list: none if it cannot capture.
#[inline]
pub fn captures<R: Rules>(position: &Position<R>, list: &mut MoveList<R::Geometry>) {
    if is_decided(position) {
        return;
    }
    let side = position.side();
    let mut routes = Routes::new(position, list);
    match side {
        Side::White => routes.of_men(position.men(side), Side::White),
        Side::Black => routes.of_men(position.men(side), Side::Black),
    }
    let kings = position.kings(side);
    if kings.is_some() {
        routes.of_kings(kings);
    }
}

/// Whether the side to move can capture.
#[inline]
pub fn has_capture<R: Rules>(position: &Position<R>) -> bool {
    if is_decided(position) {
        return false;
    }
    let side = position.side();
    let mut list = MoveList::new();
    let routes = Routes::new(position, &mut list);
    let men = position.men(side);
    let by_man = match side {
        Side::White => routes.men_that_capture(men, Side::White).is_some(),
        Side::Black => routes.men_that_capture(men, Side::Black).is_some(),
    };
    by_man
        || position
            .kings(side)
            .squares()
            .any(|king| routes.king_can_capture(king))
}

/// The directions in which pieces capture.
#[inline(always)]
const fn capture_directions<R: Rules>() -> &'static [Direction] {
    if R::ORTHOGONAL_CAPTURES {
        &Direction::ALL
    } else {
        &Direction::DIAGONAL
    }
}

/// The directions in which the men of a side capture.
#[inline(always)]
fn men_directions<R: Rules>(side: Side) -> &'static [Direction] {
    const UP: [Direction; 2] = forward(Side::White);
    const DOWN: [Direction; 2] = forward(Side::Black);
    match side {
        _ if R::MEN_CAPTURE_BACKWARD => capture_directions::<R>(),
        Side::White => &UP,
        Side::Black => &DOWN,
    }
}

/// The search for the captures of one side.
struct Routes<'a, R: Rules> {
    /// The pieces of the other side.
    opponents: Bitboard<R::Geometry>,
    /// Those a man may capture.
    men_targets: Bitboard<R::Geometry>,
    /// The kings of the other side.
    kings: Bitboard<R::Geometry>,
    /// The empty squares; within a capture also the square it started from.
    empty: Bitboard<R::Geometry>,
    /// The moves of the highest rank so far.
    list: &'a mut MoveList<R::Geometry>,
    /// Their rank.
    best: u32,
}

/// A capture on its way.
#[derive(Clone, Copy)]
struct Route<G: Geometry> {
    from: Square,
    /// Whether the piece was a king at the start.
    is_king: bool,
    captured: Bitboard<G>,
    /// How many pieces it has captured; for games that rank the order of captures.
    length: u8,
    /// A bit for each king captured, the first piece's bit highest; for the same games.
    order: u16,
}

impl<G: Geometry> Route<G> {
    #[inline(always)]
    fn start(from: Square, is_king: bool) -> Self {
        Route {
            from,
            is_king,
            captured: Bitboard::EMPTY,
            length: 0,
            order: 0,
        }
    }
}

impl<'a, R: Rules> Routes<'a, R> {
    #[inline(always)]
    fn new(position: &Position<R>, list: &'a mut MoveList<R::Geometry>) -> Self {
        let opponent = position.side().opponent();
        let opponents = position.pieces(opponent);
        let kings = position.kings(opponent);
        let men_targets = if R::MEN_CAPTURE_KINGS {
            opponents
        } else {
            opponents & !kings
        };
        Routes {
            opponents,
            men_targets,
            kings,
            empty: position.empty(),
            list,
            best: 0,
        }
    }

    /// The men that can capture something.
    #[inline(always)]
    fn men_that_capture(&self, men: Bitboard<R::Geometry>, side: Side) -> Bitboard<R::Geometry> {
        men_directions::<R>(side)
            .iter()
            .fold(Bitboard::EMPTY, |found, &direction| {
                found | self.steppers(men, self.men_targets, direction)
            })
    }

    /// The pieces with a target on the next square of a direction and an empty square behind it.
    #[inline(always)]
    fn steppers(
        &self,
        pieces: Bitboard<R::Geometry>,
        targets: Bitboard<R::Geometry>,
        direction: Direction,
    ) -> Bitboard<R::Geometry> {
        let back = direction.opposite();
        ((self.empty.step(back) & targets).step(back)) & pieces
    }

    #[inline(always)]
    fn of_men(&mut self, men: Bitboard<R::Geometry>, side: Side) {
        for from in self.men_that_capture(men, side).squares() {
            self.with_start_empty(from, |routes| {
                routes.man(Bitboard::of(from), side, Route::start(from, false));
            });
        }
    }

    fn of_kings(&mut self, kings: Bitboard<R::Geometry>) {
        for from in kings.squares() {
            if !self.king_can_capture(from) {
                continue;
            }
            self.with_start_empty(from, |routes| {
                let route = Route::start(from, true);
                if R::FLYING_KINGS {
                    for &direction in capture_directions::<R>() {
                        routes.flying_king_jump(from, direction, route);
                    }
                } else {
                    routes.short_king(Bitboard::of(from), route);
                }
            });
        }
    }

    #[inline(always)]
    fn with_start_empty(&mut self, from: Square, search: impl FnOnce(&mut Self)) {
        let empty = self.empty;
        self.empty |= Bitboard::of(from);
        search(self);
        self.empty = empty;
    }

    /// Goes on with a man that stands on `at`; ends the route if it cannot.
    fn man(&mut self, at: Bitboard<R::Geometry>, side: Side, route: Route<R::Geometry>) {
        let targets = self.men_targets & !route.captured;
        let mut goes_on = false;
        for &direction in men_directions::<R>(side) {
            let victim = at.step(direction) & targets;
            let landing = victim.step(direction) & self.empty;
            if landing.is_some() {
                goes_on = true;
                let route = self.captured(route, victim);
                if R::PROMOTION_IN_PASSING && (landing & promotion_row::<R>(side)).is_some() {
                    self.promoted_man(landing.first(), direction, route);
                } else {
                    self.man(landing, side, route);
                }
            }
        }
        if !goes_on {
            self.end(at, route);
        }
    }

    /// Goes on as a king with a man that has just reached the far row in a direction.
    fn promoted_man(&mut self, at: Square, direction: Direction, route: Route<R::Geometry>) {
        let mut goes_on = false;
        for &next in capture_directions::<R>() {
            if next != direction.opposite() {
                goes_on |= self.flying_king_jump(at, next, route);
            }
        }
        if !goes_on {
            self.end(Bitboard::of(at), route);
        }
    }

    /// Goes on with a king that moves one square at a time; ends the route if it cannot.
    fn short_king(&mut self, at: Bitboard<R::Geometry>, route: Route<R::Geometry>) {
        let targets = self.opponents & !route.captured;
        let mut goes_on = false;
        for &direction in capture_directions::<R>() {
            let victim = at.step(direction) & targets;
            let landing = victim.step(direction) & self.empty;
            if landing.is_some() {
                goes_on = true;
                self.short_king(landing, self.captured(route, victim));
            }
        }
        if !goes_on {
            self.end(at, route);
        }
    }

    /// Captures the first piece that a flying king on `at` meets in a direction, with everything
    /// that follows. Returns whether there is such a capture.
    fn flying_king_jump(
        &mut self,
        at: Square,
        direction: Direction,
        route: Route<R::Geometry>,
    ) -> bool {
        let Some(victim) = self.flying_target(at, direction, route.captured) else {
            return false;
        };
        let landings = self.empty.slide(victim, direction);
        let route = self.captured(route, Bitboard::of(victim));
        let mut goes_on = false;
        // Straight on it makes no difference from which landing square the king goes.
        let first = R::Geometry::next(victim, direction);
        goes_on |= self.flying_king_jump(first, direction, route);
        for landing in landings.squares() {
            for &next in capture_directions::<R>() {
                if next != direction && next != direction.opposite() {
                    goes_on |= self.flying_king_jump(landing, next, route);
                }
            }
        }
        if !goes_on {
            let halts = R::HALT_BEHIND_KING && self.kings.has(victim);
            let ends = if halts { Bitboard::of(first) } else { landings };
            for end in ends.squares() {
                self.end(Bitboard::of(end), route);
            }
        }
        true
    }

    /// The piece that a flying king on `at` can jump in a direction.
    #[inline(always)]
    fn flying_target(
        &self,
        at: Square,
        direction: Direction,
        captured: Bitboard<R::Geometry>,
    ) -> Option<Square> {
        let victim = (!self.empty).nearest(at, direction)?;
        let is_target = (self.opponents & !captured).has(victim);
        let is_free_behind = (Bitboard::of(victim).step(direction) & self.empty).is_some();
        (is_target && is_free_behind).then_some(victim)
    }

    #[inline(always)]
    fn king_can_capture(&self, king: Square) -> bool {
        capture_directions::<R>().iter().any(|&direction| {
            if R::FLYING_KINGS {
                self.flying_target(king, direction, Bitboard::EMPTY)
                    .is_some()
            } else {
                self.steppers(Bitboard::of(king), self.opponents, direction)
                    .is_some()
            }
        })
    }

    /// The route with one more piece captured.
    #[inline(always)]
    fn captured(
        &self,
        route: Route<R::Geometry>,
        victim: Bitboard<R::Geometry>,
    ) -> Route<R::Geometry> {
        let mut next = Route {
            captured: route.captured | victim,
            ..route
        };
        if R::PRECEDENCE == Precedence::PiecesKingKingsEarly {
            next.length += 1;
            if (victim & self.kings).is_some() {
                next.order |= 0x8000 >> route.length;
            }
        }
        next
    }

    /// Ends a route: a move if no other ranks higher.
    #[inline(always)]
    fn end(&mut self, to: Bitboard<R::Geometry>, route: Route<R::Geometry>) {
        let rank = self.rank(route);
        if rank < self.best {
            return;
        }
        if rank > self.best {
            self.best = rank;
            self.list.clear();
        }
        let mv = Move {
            from: route.from,
            to: to.first(),
            captured: route.captured,
        };
        if !self.list.contains(&mv) {
            self.list.push(mv);
        }
    }

    /// The rank of a capture: only those of the highest rank are legal.
    #[inline(always)]
    fn rank(&self, route: Route<R::Geometry>) -> u32 {
        let pieces = route.captured.len() as u32;
        let kings = || (route.captured & self.kings).len() as u32;
        let is_king = u32::from(route.is_king);
        match R::PRECEDENCE {
            Precedence::Free => 0,
            Precedence::King => is_king,
            Precedence::Pieces => pieces,
            Precedence::PiecesKings => pieces << 8 | kings(),
            Precedence::PiecesKingKingsEarly => {
                // At most twelve pieces and kings on 8x8.
                pieces << 25 | is_king << 24 | kings() << 16 | u32::from(route.order)
            }
            Precedence::Value => {
                // A king is worth two men less a little that never adds up to a man.
                let kings = kings();
                ((pieces + kings) * 64 - kings) << 1 | is_king
            }
        }
    }
}

//! The routes of a capture: Hub and the move generator know only where it starts and ends and what
//! it captures, PDN tells captures apart by the squares in between.

use std::collections::HashSet;

use crate::board::{Bitboard, Direction, Geometry, Move, Side, Square};
use crate::position::{Position, promotion_row};
use crate::rules::Rules;

/// Whether a legal move has a route that visits the squares, in this order, between its start and
/// its end. A quiet move visits none.
pub(super) fn visits<R: Rules>(
    position: &Position<R>,
    mv: Move<R::Geometry>,
    squares: &[Square],
    visit: Visit,
) -> bool {
    if !mv.is_capture() {
        return squares.is_empty();
    }
    Tracer::new(position, mv, visit).start(squares).is_some()
}

/// The squares between the jumps of a legal capture, on one of its routes: the one whose jumps are
/// shortest. No other capture has a route with the same squares.
pub(super) fn stops<R: Rules>(position: &Position<R>, mv: Move<R::Geometry>) -> Vec<Square> {
    let landings = Tracer::new(position, mv, Visit::Passing).start(&[]);
    let mut stops = landings.unwrap_or_default();
    stops.pop();
    stops
}

/// How a route visits the squares of a written path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Visit {
    /// They are where its jumps end, all of them.
    EveryLanding,
    /// They are where some of its jumps end.
    SomeLandings,
    /// It passes them.
    Passing,
}

impl Visit {
    /// From what PDN demands to what is left of it in old files.
    pub const STRICT_FIRST: [Visit; 3] = [Visit::EveryLanding, Visit::SomeLandings, Visit::Passing];
}

/// One jump.
struct Jump<G: Geometry> {
    landing: Square,
    /// The empty squares on the way, the landing square last.
    passed: Vec<Square>,
    /// What is still to be captured after it.
    remaining: Bitboard<G>,
}

/// A search for a route of one move.
struct Tracer<R: Rules> {
    side: Side,
    mv: Move<R::Geometry>,
    was_king: bool,
    /// The empty squares, the start of the move among them.
    empty: Bitboard<R::Geometry>,
    visit: Visit,
    /// Where nothing was found: square, king or not, still to capture, squares still to visit.
    dead: HashSet<(Square, bool, Bitboard<R::Geometry>, usize)>,
}

impl<R: Rules> Tracer<R> {
    fn new(position: &Position<R>, mv: Move<R::Geometry>, visit: Visit) -> Self {
        Tracer {
            side: position.side(),
            mv,
            was_king: position.all_kings().has(mv.from),
            empty: position.empty() | Bitboard::of(mv.from),
            visit,
            dead: HashSet::new(),
        }
    }

    /// The landing squares of a route that visits the squares.
    fn start(mut self, squares: &[Square]) -> Option<Vec<Square>> {
        let mut landings = self.trace(self.mv.from, self.was_king, self.mv.captured, squares)?;
        landings.reverse();
        Some(landings)
    }

    /// The landing squares from `at` on, the last one first.
    fn trace(
        &mut self,
        at: Square,
        is_king: bool,
        remaining: Bitboard<R::Geometry>,
        squares: &[Square],
    ) -> Option<Vec<Square>> {
        if remaining.is_empty() {
            return (at == self.mv.to && squares.is_empty()).then(Vec::new);
        }
        let place = (at, is_king, remaining, squares.len());
        if self.dead.contains(&place) {
            return None;
        }
        for jump in self.jumps(at, is_king, remaining) {
            let Some(rest) = self.visit(&jump, squares) else {
                continue;
            };
            let is_king = is_king || self.promotes_in_passing(jump.landing);
            if let Some(mut landings) = self.trace(jump.landing, is_king, jump.remaining, rest) {
                landings.push(jump.landing);
                return Some(landings);
            }
        }
        self.dead.insert(place);
        None
    }

    /// The squares that are still to be visited after a jump, `None` if it goes astray.
    fn visit<'s>(&self, jump: &Jump<R::Geometry>, squares: &'s [Square]) -> Option<&'s [Square]> {
        let without = |rest: &'s [Square], square| rest.strip_prefix(&[square]);
        let after_landing = without(squares, jump.landing);
        let is_last = jump.remaining.is_empty();
        match self.visit {
            // The last jump ends on the end of the move, which is not among the squares.
            Visit::EveryLanding if is_last => Some(squares),
            Visit::EveryLanding => after_landing,
            Visit::SomeLandings => after_landing.or(Some(squares)),
            Visit::Passing => Some(
                jump.passed
                    .iter()
                    .fold(squares, |rest, &square| without(rest, square).unwrap_or(rest)),
            ),
        }
    }

    fn promotes_in_passing(&self, landing: Square) -> bool {
        R::PROMOTION_IN_PASSING && promotion_row::<R>(self.side).has(landing)
    }

    fn jumps(
        &self,
        at: Square,
        is_king: bool,
        remaining: Bitboard<R::Geometry>,
    ) -> Vec<Jump<R::Geometry>> {
        let flies = is_king && R::FLYING_KINGS;
        let mut jumps = Vec::new();
        for &direction in self.directions(is_king) {
            let Some(victim) = self.victim(at, direction, flies) else {
                continue;
            };
            if !remaining.has(victim) {
                continue;
            }
            let remaining = remaining & !Bitboard::of(victim);
            for landing in self.landings(victim, direction, flies) {
                jumps.push(Jump {
                    landing,
                    passed: passed::<R::Geometry>(at, victim, landing, direction),
                    remaining,
                });
            }
        }
        jumps
    }

    fn directions(&self, is_king: bool) -> &'static [Direction] {
        const UP: [Direction; 2] = [Direction::NorthWest, Direction::NorthEast];
        const DOWN: [Direction; 2] = [Direction::SouthWest, Direction::SouthEast];
        match self.side {
            _ if R::ORTHOGONAL_CAPTURES => &Direction::ALL,
            _ if is_king || R::MEN_CAPTURE_BACKWARD => &Direction::DIAGONAL,
            Side::White => &UP,
            Side::Black => &DOWN,
        }
    }

    /// The piece that could be jumped in a direction.
    fn victim(&self, at: Square, direction: Direction, flies: bool) -> Option<Square> {
        let mut squares = in_order::<R::Geometry>(Bitboard::ray(at, direction), direction);
        if !flies {
            squares.truncate(1);
        }
        squares.into_iter().find(|&square| !self.empty.has(square))
    }

    /// The squares behind a victim, the nearest first.
    fn landings(&self, victim: Square, direction: Direction, flies: bool) -> Vec<Square> {
        let squares = in_order::<R::Geometry>(Bitboard::ray(victim, direction), direction);
        let most = if flies { squares.len() } else { 1 };
        let empty = squares.into_iter().take_while(|&square| self.empty.has(square));
        empty.take(most).collect()
    }
}

/// The squares a piece passes on a jump from `at`, the landing square last.
fn passed<G: Geometry>(
    at: Square,
    victim: Square,
    landing: Square,
    direction: Direction,
) -> Vec<Square> {
    let ray = Bitboard::<G>::ray(at, direction) & !Bitboard::ray(landing, direction);
    in_order(ray & !Bitboard::of(victim), direction)
}

/// The squares of a ray, the nearest first.
fn in_order<G: Geometry>(ray: Bitboard<G>, direction: Direction) -> Vec<Square> {
    let mut squares: Vec<_> = ray.squares().collect();
    if direction.is_upward() {
        squares.reverse();
    }
    squares
}

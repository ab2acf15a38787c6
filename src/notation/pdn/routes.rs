//! The routes of captures. A [`Move`] has the start and end squares and the captured pieces; PDN
//! distinguishes captures by the squares between the jumps, which are found here.

use std::collections::HashSet;

use crate::board::{Direction, Grid, Move, Side, SquareSet};
use crate::erased::{MoveRules, Position};

/// Whether a legal move has a route that visits the squares in this order between start and end. A
/// quiet move visits none.
pub(super) fn visits(position: &Position, mv: Move, squares: &[u8], visit: Visit) -> bool {
    if !mv.is_capture() {
        return squares.is_empty();
    }
    Tracer::new(position, mv, visit).start(squares).is_some()
}

/// The squares between the jumps of a legal capture, on the first of its routes in depth-first
/// order with the shortest jumps first. No other capture has a route with the same squares.
pub(super) fn stops(position: &Position, mv: Move) -> Vec<u8> {
    let landings = Tracer::new(position, mv, Visit::Passing).start(&[]);
    let mut stops = landings.unwrap_or_default();
    stops.pop();
    stops
}

/// How a route must visit the squares of a written path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Visit {
    /// They are the landing squares of all its jumps but the last.
    EveryLanding,
    /// They are among its landing squares.
    SomeLandings,
    /// It passes over them or lands on them.
    Passing,
}

impl Visit {
    /// From the form that PDN demands to the loosest form in old files.
    pub const STRICT_FIRST: [Visit; 3] = [Visit::EveryLanding, Visit::SomeLandings, Visit::Passing];
}

/// One jump.
struct Jump {
    direction: Direction,
    landing: u8,
    /// The empty squares it passes, the landing square last.
    passed: Vec<u8>,
    /// The pieces still to be captured after it.
    remaining: SquareSet,
}

/// A depth-first search for a route of a move.
struct Tracer {
    grid: Grid,
    mechanics: MoveRules,
    side: Side,
    mv: Move,
    was_king: bool,
    /// The empty squares, including the start of the move.
    empty: SquareSet,
    visit: Visit,
    /// Stages without a route to the end, with the number of squares still to be visited.
    dead: HashSet<(Stage, usize)>,
}

/// A capture in progress.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Stage {
    at: u8,
    is_king: bool,
    /// The pieces still to be captured.
    remaining: SquareSet,
    /// The direction it cannot turn to: back where it came from. Kept only where captured pieces
    /// are taken off at once; elsewhere they bar the way.
    barred: Option<Direction>,
}

impl Tracer {
    fn new(position: &Position, mv: Move, visit: Visit) -> Self {
        Tracer {
            grid: position.grid(),
            mechanics: position.variant().move_rules(),
            side: position.side(),
            mv,
            was_king: position.all_kings().has(mv.from),
            empty: position.empty() | SquareSet::of(mv.from),
            visit,
            dead: HashSet::new(),
        }
    }

    /// The landing squares of the first route that visits the squares.
    fn start(mut self, squares: &[u8]) -> Option<Vec<u8>> {
        let Move { from: at, captured: remaining, .. } = self.mv;
        let stage = Stage { at, is_king: self.was_king, remaining, barred: None };
        let mut landings = self.trace(stage, squares)?;
        landings.reverse();
        Some(landings)
    }

    /// The remaining landing squares of a route from a stage on, last one first.
    fn trace(&mut self, stage: Stage, squares: &[u8]) -> Option<Vec<u8>> {
        if stage.remaining.is_empty() {
            return (stage.at == self.mv.to && squares.is_empty()).then(Vec::new);
        }
        if self.dead.contains(&(stage, squares.len())) {
            return None;
        }
        for jump in self.jumps(stage) {
            let Some(rest) = self.visit(&jump, squares) else {
                continue;
            };
            if let Some(mut landings) = self.trace(self.after(stage, &jump), rest) {
                landings.push(jump.landing);
                return Some(landings);
            }
        }
        self.dead.insert((stage, squares.len()));
        None
    }

    /// The stage after a jump.
    fn after(&self, stage: Stage, jump: &Jump) -> Stage {
        Stage {
            at: jump.landing,
            is_king: stage.is_king || self.promotes_in_passing(jump.landing),
            remaining: jump.remaining,
            barred: self.mechanics.captured_at_once.then(|| jump.direction.opposite()),
        }
    }

    /// The squares still to be visited after a jump, `None` if the jump is not part of the path.
    fn visit<'s>(&self, jump: &Jump, squares: &'s [u8]) -> Option<&'s [u8]> {
        let without = |rest: &'s [u8], square| rest.strip_prefix(&[square]);
        let after_landing = without(squares, jump.landing);
        let is_last = jump.remaining.is_empty();
        match self.visit {
            // The last jump lands on the end of the move, which is not one of the squares.
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

    fn promotes_in_passing(&self, landing: u8) -> bool {
        self.mechanics.promotion_in_passing && self.grid.promotion_row(self.side).has(landing)
    }

    /// The jumps over the pieces still to be captured.
    fn jumps(&self, stage: Stage) -> Vec<Jump> {
        let directions = self.directions(stage.is_king).iter();
        // Mirrored boards mirror the search order, which decides which of several routes is found.
        let seen = directions.map(|&direction| match self.grid.mirrored {
            true => direction.mirrored(),
            false => direction,
        });
        let open = seen.filter(|&direction| stage.barred != Some(direction));
        open.flat_map(|direction| self.jumps_along(direction, stage)).collect()
    }

    /// The empty squares at a stage.
    fn empty(&self, remaining: SquareSet) -> SquareSet {
        match self.mechanics.captured_at_once {
            true => self.empty | self.mv.captured & !remaining,
            false => self.empty,
        }
    }

    /// The directions in which a piece captures.
    fn directions(&self, is_king: bool) -> &'static [Direction] {
        let MoveRules { directions, men_capture_backward, .. } = self.mechanics;
        match is_king || men_capture_backward {
            true => directions.captures(),
            false => directions.forward(self.side),
        }
    }

    /// The jumps in a direction, shortest first; none unless the first piece in that direction is
    /// still to be captured.
    fn jumps_along(&self, direction: Direction, stage: Stage) -> Vec<Jump> {
        let Stage { at, is_king, remaining, .. } = stage;
        let flies = is_king && self.mechanics.flying_kings;
        let empty = self.empty(remaining);
        let is_empty = |square: &u8| empty.has(*square);
        let mut ray = self.grid.ray(at, direction).peekable();
        let mut passed = Vec::new();
        while flies && let Some(square) = ray.next_if(is_empty) {
            passed.push(square);
        }
        let Some(victim) = ray.next().filter(|&victim| remaining.has(victim)) else {
            return Vec::new();
        };
        let remaining = remaining & !SquareSet::of(victim);
        let longest = if flies { usize::MAX } else { 1 };
        let landings = ray.take_while(is_empty).take(longest);
        let jump = |landing| {
            passed.push(landing);
            Jump { direction, landing, passed: passed.clone(), remaining }
        };
        landings.map(jump).collect()
    }
}

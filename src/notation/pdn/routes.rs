//! Routes of captures. A [`Move`] consists of the start and end squares and the captured pieces,
//! but PDN distinguishes captures by the squares between the jumps. This module finds these
//! squares.

use std::collections::HashSet;

use crate::board::{Direction, Grid, Move, Side, SquareSet};
use crate::erased::{MoveRules, Position};

/// Whether a legal move has a route that visits the given squares, in this order, between start and
/// end. A quiet move visits none.
pub(super) fn visits(position: &Position, mv: Move, squares: &[u8], path_match: PathMatch) -> bool {
    if !mv.is_capture() {
        return squares.is_empty();
    }
    RouteSearch::new(position, mv, path_match).start(squares).is_some()
}

/// The squares between the jumps of a legal capture, on the first route found by a depth-first
/// search that tries the shortest jumps first. No other capture has a route with the same squares.
pub(super) fn stops(position: &Position, mv: Move) -> Vec<u8> {
    let landings = RouteSearch::new(position, mv, PathMatch::Passed).start(&[]);
    let mut stops = landings.unwrap_or_default();
    stops.pop();
    stops
}

/// How a written path must match a route.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PathMatch {
    /// The squares of the path are the landing squares of all jumps but the last.
    EveryLanding,
    /// The squares of the path are among the landing squares.
    SomeLandings,
    /// The route passes over the squares of the path or lands on them.
    Passed,
}

impl PathMatch {
    /// All kinds of match, from the form that PDN requires to the loosest form found in old files.
    pub const STRICT_FIRST: [PathMatch; 3] =
        [PathMatch::EveryLanding, PathMatch::SomeLandings, PathMatch::Passed];
}

/// One jump.
struct Jump {
    direction: Direction,
    landing: u8,
    /// The empty squares that the piece crosses, ending with the landing square.
    passed: Vec<u8>,
    /// The pieces still to be captured after the jump.
    remaining: SquareSet,
}

/// A depth-first search for a route of a move.
struct RouteSearch {
    grid: Grid,
    mechanics: MoveRules,
    side: Side,
    mv: Move,
    was_king: bool,
    /// The empty squares, including the start of the move.
    empty: SquareSet,
    path_match: PathMatch,
    /// States without a route to the end, with the number of squares still to be visited.
    failed: HashSet<(CaptureState, usize)>,
}

/// A capture in progress.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct CaptureState {
    at: u8,
    is_king: bool,
    /// The pieces still to be captured.
    remaining: SquareSet,
    /// The direction back along the last jump, which is forbidden. `None` unless captured pieces
    /// are removed at once: otherwise the pieces on the board already block this direction.
    blocked: Option<Direction>,
}

impl RouteSearch {
    fn new(position: &Position, mv: Move, path_match: PathMatch) -> Self {
        RouteSearch {
            grid: position.grid(),
            mechanics: position.variant().move_rules(),
            side: position.side(),
            mv,
            was_king: position.all_kings().has(mv.from),
            empty: position.empty() | SquareSet::of(mv.from),
            path_match,
            failed: HashSet::new(),
        }
    }

    /// The landing squares of the first route that visits the given squares.
    fn start(mut self, squares: &[u8]) -> Option<Vec<u8>> {
        let Move { from: at, captured: remaining, .. } = self.mv;
        let state = CaptureState { at, is_king: self.was_king, remaining, blocked: None };
        let mut landings = self.trace(state, squares)?;
        landings.reverse();
        Some(landings)
    }

    /// The landing squares of a route from a state to the end of the move, in reverse order.
    fn trace(&mut self, state: CaptureState, squares: &[u8]) -> Option<Vec<u8>> {
        if state.remaining.is_empty() {
            return (state.at == self.mv.to && squares.is_empty()).then(Vec::new);
        }
        if self.failed.contains(&(state, squares.len())) {
            return None;
        }
        for jump in self.jumps(state) {
            let Some(rest) = self.visit(&jump, squares) else {
                continue;
            };
            if let Some(mut landings) = self.trace(self.after(state, &jump), rest) {
                landings.push(jump.landing);
                return Some(landings);
            }
        }
        self.failed.insert((state, squares.len()));
        None
    }

    /// The state after a jump.
    fn after(&self, state: CaptureState, jump: &Jump) -> CaptureState {
        CaptureState {
            at: jump.landing,
            is_king: state.is_king || self.promotes_in_passing(jump.landing),
            remaining: jump.remaining,
            blocked: self.mechanics.captured_at_once.then(|| jump.direction.opposite()),
        }
    }

    /// The squares still to be visited after a jump; `None` if the jump does not match the path.
    fn visit<'s>(&self, jump: &Jump, squares: &'s [u8]) -> Option<&'s [u8]> {
        let without = |rest: &'s [u8], square| rest.strip_prefix(&[square]);
        let after_landing = without(squares, jump.landing);
        let is_last = jump.remaining.is_empty();
        match self.path_match {
            // The last jump lands on the end square of the move, which is not in `squares`.
            PathMatch::EveryLanding if is_last => Some(squares),
            PathMatch::EveryLanding => after_landing,
            PathMatch::SomeLandings => after_landing.or(Some(squares)),
            PathMatch::Passed => Some(
                jump.passed
                    .iter()
                    .fold(squares, |rest, &square| without(rest, square).unwrap_or(rest)),
            ),
        }
    }

    fn promotes_in_passing(&self, landing: u8) -> bool {
        self.mechanics.promotion_in_passing && self.grid.promotion_row(self.side).has(landing)
    }

    /// The possible jumps from a state over the pieces still to be captured.
    fn jumps(&self, state: CaptureState) -> Vec<Jump> {
        let directions = self.directions(state.is_king).iter();
        // On mirrored boards the search order is mirrored too, because it determines which of
        // several routes is found.
        let seen = directions.map(|&direction| match self.grid.mirrored {
            true => direction.mirrored(),
            false => direction,
        });
        let open = seen.filter(|&direction| state.blocked != Some(direction));
        open.flat_map(|direction| self.jumps_along(direction, state)).collect()
    }

    /// The squares that are empty while the `remaining` pieces are still to be captured.
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
    fn jumps_along(&self, direction: Direction, state: CaptureState) -> Vec<Jump> {
        let CaptureState { at, is_king, remaining, .. } = state;
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

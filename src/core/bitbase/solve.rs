//! Solving an ending by retrograde analysis (K. Thompson, *Retrograde analysis of certain
//! endgames*, ICCA Journal 9, 1986).
//!
//! A slice is solved together with its mirror, the same pieces with the other side to move. First
//! every position is visited once: captures and promotions lead to endings that have already been
//! solved, and the other quiet moves are only counted. Then decided positions are propagated to
//! their predecessors: a loss makes them wins; a win removes one of the moves that could save them.
//! Positions that remain undecided are draws.

use std::ops::Range;

use crate::board::{Geometry, MoveList};
use crate::movegen;
use crate::parallel;
use crate::position::Pieces;
use crate::progress::Progress;
use crate::rules::Rules;

use super::codec::{BLOCK, Packed, pack};
use super::counts::ValueCounts;
use super::index::Index;
use super::retrograde::{
    RulesOf, SolveError, each_chunk, each_predecessor, retain_promotions, with_quiet_moves,
};
use super::slice::Slice;
use super::state::{ChunkFrontier, Frontier, State, States};
use super::tables::{ValueTable, ValueTables};
use super::value::{Value, without_move};

/// A solved slice.
#[derive(Debug)]
pub(super) struct SolvedSlice {
    /// The values of its positions.
    pub table: ValueTable,
    /// The number of positions of each value.
    pub counts: ValueCounts,
    /// The compressed values of its quiet positions.
    pub packed: Packed,
}

/// The parts of the value solver that depend on the rules of a variant.
pub(super) trait ValueRules: Sync {
    /// Initialises the states of the positions in `numbers`. On failure, the error is the missing
    /// slice.
    fn initialise(
        &self,
        solver: &ValueSolver,
        tables: &ValueTables,
        numbers: Range<u64>,
    ) -> Result<(), Slice>;

    /// Propagates the decided positions of a chunk to their predecessors in the mirrored slice.
    fn propagate(
        &self,
        solver: &ValueSolver,
        chunk: usize,
        frontier: &ChunkFrontier,
        mirror: &ValueSolver,
    );
}

/// Solves a slice and its mirror on rayon's threads. Returns two results, or one if the slice is
/// its own mirror. `tables` must contain every slice with fewer pieces, and those with the same
/// number of pieces and fewer men.
pub(super) fn solve(
    rules: &dyn ValueRules,
    indices: Vec<Index>,
    tables: &ValueTables,
    progress: &dyn Progress,
) -> Result<Vec<SolvedSlice>, SolveError> {
    let solvers = indices.into_iter().map(ValueSolver::new).collect::<Result<Vec<_>, _>>()?;
    for solver in &solvers {
        each_chunk(&solver.index, progress, &|numbers| rules.initialise(solver, tables, numbers))?;
    }
    loop {
        let mut is_changed = false;
        for (solver, mirror) in solvers.iter().zip(solvers.iter().rev()) {
            is_changed |= solver.propagate(rules, mirror);
        }
        if !is_changed {
            break;
        }
        if progress.is_stopped() {
            return Err(SolveError::Stopped);
        }
    }
    // Free all frontiers before allocating the first table.
    let without_frontier = |solver| ValueSolver { frontier: Frontier::empty(), ..solver };
    let solvers: Vec<_> = solvers.into_iter().map(without_frontier).collect();
    solvers.into_iter().map(|solver| solver.finish(progress)).collect()
}

/// A slice being solved for values.
pub(super) struct ValueSolver {
    index: Index,
    states: States,
    /// The decided positions not yet propagated.
    frontier: Frontier,
}

impl ValueSolver {
    fn new(index: Index) -> Result<Self, SolveError> {
        let memory = SolveError::Memory(index.slice());
        let states = States::new(index.len()).ok_or(memory)?;
        let frontier = Frontier::new(index.len()).ok_or(memory)?;
        Ok(ValueSolver { index, states, frontier })
    }

    /// Propagates the newly decided positions to the mirrored slice. Returns whether there were
    /// any.
    fn propagate(&self, rules: &dyn ValueRules, mirror: &ValueSolver) -> bool {
        let propagate = |chunk: usize| {
            let frontier = self.frontier.take(chunk);
            let is_any = !frontier.is_empty();
            if is_any {
                rules.propagate(self, chunk, &frontier, mirror);
            }
            is_any
        };
        parallel::map(self.index.chunks(), &propagate).contains(&true)
    }

    fn finish(self, progress: &dyn Progress) -> Result<SolvedSlice, SolveError> {
        let count = |chunk| {
            let (mut counts, numbers) = (ValueCounts::default(), self.index.chunk(chunk));
            progress.advance(numbers.end - numbers.start);
            for number in numbers {
                let state = self.states.get(number);
                counts.add(state.value(), state.is_capture());
            }
            counts
        };
        let counts = parallel::map(self.index.chunks(), &count);
        let counts = counts.into_iter().fold(ValueCounts::default(), ValueCounts::plus);
        let packed =
            pack(self.index.len(), Value::ALL.len(), &|start, values| self.fill(start, values));
        let ValueSolver { index, states, .. } = self;
        let slice = index.slice();
        let table = ValueTable::new(index, |number| states.get(number).value());
        Ok(SolvedSlice { table: table.ok_or(SolveError::Memory(slice))?, counts, packed })
    }

    /// Appends the values of a block of positions; `None` for positions with a capture.
    fn fill(&self, start: u64, values: &mut Vec<Option<u8>>) {
        for number in start..self.index.len().min(start + BLOCK) {
            let state = self.states.get(number);
            values.push((!state.is_capture()).then_some(state.value() as u8));
        }
    }
}

impl<R: Rules> ValueRules for RulesOf<R> {
    fn initialise(
        &self,
        solver: &ValueSolver,
        tables: &ValueTables,
        numbers: Range<u64>,
    ) -> Result<(), Slice> {
        let mut cursor = solver.index.cursor(numbers.start);
        let mut moves = MoveList::new();
        for number in numbers.clone() {
            let state = initial_state(self.0, &cursor.pieces(), tables, &mut moves)?;
            solver.states.set(number, state);
            cursor.advance_inlined();
        }
        solver.frontier.add_all(numbers, |number| solver.states.get(number).is_decisive());
        Ok(())
    }

    fn propagate(
        &self,
        solver: &ValueSolver,
        chunk: usize,
        frontier: &ChunkFrontier,
        mirror: &ValueSolver,
    ) {
        with_quiet_moves!(R, propagate(solver, chunk, frontier, mirror));
    }
}

/// The initial state of a position.
#[inline(always)]
fn initial_state<R: Rules>(
    rules: R,
    pieces: &Pieces<R::Geometry>,
    tables: &ValueTables,
    moves: &mut MoveList<R::Geometry>,
) -> Result<State, Slice> {
    let position = pieces.unkeyed(rules);
    moves.clear();
    movegen::captures(&position, moves);
    if !moves.is_empty() {
        return Ok(State::capture(tables.best(pieces, moves)?));
    }
    if !pieces.can_promote::<R>() {
        return Ok(match movegen::count_quiet(&position) {
            0 => State::quiet(without_move(rules)),
            moves => State::undecided(moves),
        });
    }
    movegen::quiets(&position, moves);
    if moves.is_empty() {
        return Ok(State::quiet(without_move(rules)));
    }
    let others = retain_promotions(pieces, moves) as u64;
    Ok(match tables.best(pieces, moves)? {
        Value::Win => State::quiet(Value::Win),
        Value::Draw if others == 0 => State::quiet(Value::Draw),
        Value::Draw => State::SAFE,
        Value::Loss if others == 0 => State::quiet(Value::Loss),
        Value::Loss => State::undecided(others),
    })
}

/// See [`ValueRules::propagate`].
fn propagate<G: Geometry, const FLYING: bool, const ORTHOGONAL: bool>(
    solver: &ValueSolver,
    chunk: usize,
    frontier: &ChunkFrontier,
    mirror: &ValueSolver,
) {
    let numbers = solver.index.chunk(chunk);
    let mut batch = PredecessorBatch::new(mirror);
    let mut cursor = solver.index.cursor::<G>(numbers.start);
    for number in frontier.offsets().map(|offset| numbers.start + offset) {
        cursor.advance_to(number);
        let value = solver.states.get(number).value();
        batch.add::<G, FLYING, ORTHOGONAL>(value, &cursor.pieces());
    }
    batch.flush();
}

/// A batch of updates to predecessors, whose states are scattered over memory and are prefetched
/// while the batch fills.
struct PredecessorBatch<'a> {
    solver: &'a ValueSolver,
    /// Predecessors with a move to a position that is lost for the opponent.
    wins: Vec<u64>,
    /// Predecessors for which one more potentially saving move has just been ruled out.
    losses: Vec<u64>,
}

impl<'a> PredecessorBatch<'a> {
    /// The size of a batch: its states fit in a small part of the first-level cache.
    const SIZE: usize = 128;

    /// An empty batch of updates to a slice.
    fn new(solver: &'a ValueSolver) -> Self {
        let empty = || Vec::with_capacity(2 * Self::SIZE);
        PredecessorBatch { solver, wins: empty(), losses: empty() }
    }

    /// Adds the predecessors of a decided position of the mirrored slice.
    #[inline(always)]
    fn add<G: Geometry, const FLYING: bool, const ORTHOGONAL: bool>(
        &mut self,
        value: Value,
        pieces: &Pieces<G>,
    ) {
        let batch = if value == Value::Loss { &mut self.wins } else { &mut self.losses };
        each_predecessor::<G, FLYING, ORTHOGONAL>(pieces, &self.solver.index, |_, number| {
            self.solver.states.prefetch(number);
            batch.push(number);
        });
        if batch.len() >= Self::SIZE {
            self.flush();
        }
    }

    /// Applies the updates of the batch.
    #[inline(never)]
    fn flush(&mut self) {
        let ValueSolver { states, frontier, .. } = self.solver;
        for number in self.wins.drain(..) {
            if states.win(number) {
                frontier.add(number);
            }
        }
        for number in self.losses.drain(..) {
            if states.lose_one(number) {
                frontier.add(number);
            }
        }
    }
}

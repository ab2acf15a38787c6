//! Solving an ending by retrograde analysis (K. Thompson, *Retrograde analysis of certain
//! endgames*, ICCA Journal 9, 1986).
//!
//! A slice is solved together with its mirror, the same pieces with the other side to move. First
//! every position is visited once: captures and promotions lead to endings solved before, and the
//! other quiet moves are only counted. Then decided positions are propagated to their predecessors:
//! a loss makes them wins, a win removes one of the moves that could save them. Positions that
//! remain undecided are draws.

mod letters;
mod news;
mod state;

use std::ops::Range;

use crate::board::{Geometry, MoveList};
use crate::movegen;
use crate::parallel;
use crate::progress::Progress;
use crate::rules::Rules;

use super::chunks::each_chunk;
use super::codec::{BLOCK, Packed, pack};
use super::counts::ValueCounts;
use super::error::SolveError;
use super::index::Index;
use super::rules_of::RulesOf;
use super::slice::Slice;
use super::table::{ValueTable, ValueTables};
use super::value::{Value, without_move};
use crate::position::Pieces;
use letters::Letters;
use news::{ChunkNews, News};
use state::{State, States};

/// A solved slice.
#[derive(Debug)]
pub struct Solved<G: Geometry> {
    /// The values of its positions.
    pub table: ValueTable<G>,
    /// The number of positions of each value.
    pub counts: ValueCounts,
    /// The compressed values of its quiet positions.
    pub(super) packed: Packed,
}

/// What the solver asks of the rules of a game, a chunk of positions at a time.
pub(in crate::bitbase) trait ValueRules<G: Geometry>: Sync {
    /// Sets the initial state of positions by their numbers.
    fn look(
        &self,
        half: &Half<G>,
        tables: &ValueTables<G>,
        numbers: Range<u64>,
    ) -> Result<(), Slice>;

    /// Propagates the decided positions of a chunk of one half to the other.
    fn tell(&self, half: &Half<G>, chunk: usize, news: &ChunkNews, other: &Half<G>);
}

/// Solves a slice and its mirror on rayon's threads: two results, or one if they are the same.
/// `tables` must contain every slice with fewer pieces, and those with as many pieces and fewer
/// men.
pub(in crate::bitbase) fn solve<G: Geometry>(
    rules: &dyn ValueRules<G>,
    slice: Slice,
    tables: &ValueTables<G>,
    progress: &dyn Progress,
) -> Result<Vec<Solved<G>>, SolveError> {
    let slices = slice.with_mirror().into_iter();
    let halves = slices.map(Half::new).collect::<Result<Vec<_>, _>>()?;
    for half in &halves {
        let look = |numbers| rules.look(half, tables, numbers).map_err(SolveError::Missing);
        each_chunk(half.index.len(), progress, &look)?;
    }
    let pairs: Vec<_> = halves.iter().zip(halves.iter().rev()).collect();
    while pairs.iter().fold(false, |is_new, (half, other)| half.spread(rules, other) || is_new) {
        if progress.is_stopped() {
            return Err(SolveError::Stopped);
        }
    }
    // All news are gone before the first table takes their place.
    let halves: Vec<_> = halves.into_iter().map(Half::without_news).collect();
    halves.into_iter().map(|half| half.finish(progress)).collect()
}

/// The positions of an ending with a given side to move.
pub(in crate::bitbase) struct Half<G: Geometry> {
    index: Index<G>,
    states: States,
    /// The decided positions not yet propagated.
    news: News,
}

impl<G: Geometry> Half<G> {
    fn new(slice: Slice) -> Result<Self, SolveError> {
        let index = Index::new(slice);
        let states = States::new(index.len()).ok_or(SolveError::Memory(slice))?;
        let news = News::new(index.len()).ok_or(SolveError::Memory(slice))?;
        Ok(Half { index, states, news })
    }

    /// Propagates the positions decided here to the other half. Returns whether there were any.
    fn spread(&self, rules: &dyn ValueRules<G>, other: &Half<G>) -> bool {
        let tell = |chunk: usize| {
            let news = self.news.take(chunk);
            let is_any = !news.is_empty();
            if is_any {
                rules.tell(self, chunk, &news, other);
            }
            is_any
        };
        parallel::map(self.index.chunks(), &tell).contains(&true)
    }

    fn without_news(self) -> Self {
        Half { news: News::none(), ..self }
    }

    fn finish(self, progress: &dyn Progress) -> Result<Solved<G>, SolveError> {
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
        let Half { index, states, .. } = self;
        let slice = index.slice();
        let table = ValueTable::new(index, |number| states.get(number).value());
        Ok(Solved { table: table.ok_or(SolveError::Memory(slice))?, counts, packed })
    }

    /// Appends the values of a block of positions. Those with a capture need none.
    fn fill(&self, start: u64, values: &mut Vec<Option<u8>>) {
        for number in start..self.index.len().min(start + BLOCK) {
            let state = self.states.get(number);
            values.push((!state.is_capture()).then_some(state.value() as u8));
        }
    }
}

impl<R: Rules> ValueRules<R::Geometry> for RulesOf<R> {
    fn look(
        &self,
        half: &Half<R::Geometry>,
        tables: &ValueTables<R::Geometry>,
        numbers: Range<u64>,
    ) -> Result<(), Slice> {
        let mut cursor = half.index.cursor(numbers.start);
        let mut moves = MoveList::new();
        for number in numbers.clone() {
            half.states.set(number, look::<R>(&cursor.pieces(), tables, &mut moves)?);
            cursor.advance_inlined();
        }
        half.news.add_all(numbers, |number| half.states.get(number).is_news());
        Ok(())
    }

    fn tell(
        &self,
        half: &Half<R::Geometry>,
        chunk: usize,
        news: &ChunkNews,
        other: &Half<R::Geometry>,
    ) {
        let numbers = half.index.chunk(chunk);
        let mut letters = Letters::new(other);
        let mut cursor = half.index.cursor(numbers.start);
        for number in news.offsets().map(|offset| numbers.start + offset) {
            cursor.go_on_to(number);
            letters.write::<R>(half.states.get(number).value(), &cursor.pieces());
        }
        letters.deliver();
    }
}

/// The initial state of a position.
#[inline(always)]
fn look<R: Rules>(
    pieces: &Pieces<R::Geometry>,
    tables: &ValueTables<R::Geometry>,
    moves: &mut MoveList<R::Geometry>,
) -> Result<State, Slice> {
    let position = pieces.unkeyed::<R>();
    moves.clear();
    movegen::captures(&position, moves);
    if !moves.is_empty() {
        return Ok(State::capture(tables.best(&position, moves.iter())?));
    }
    if !pieces.can_promote::<R>() {
        return Ok(match movegen::count_quiet(&position) {
            0 => State::quiet(without_move::<R>()),
            moves => State::open(moves),
        });
    }
    movegen::quiets(&position, moves);
    if moves.is_empty() {
        return Ok(State::quiet(without_move::<R>()));
    }
    let promotions = moves.iter().filter(|mv| pieces.is_promotion(mv));
    let others = (moves.len() - promotions.clone().count()) as u64;
    Ok(match tables.best(&position, promotions)? {
        Value::Win => State::quiet(Value::Win),
        Value::Draw if others == 0 => State::quiet(Value::Draw),
        Value::Draw => State::SAFE,
        Value::Loss if others == 0 => State::quiet(Value::Loss),
        Value::Loss => State::open(others),
    })
}

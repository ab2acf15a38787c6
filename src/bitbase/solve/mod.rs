//! Solving an ending backwards from its ends (retrograde analysis; K. Thompson, *Retrograde analysis
//! of certain endgames*, ICCA Journal 9, 1986).
//!
//! A slice is solved together with its mirror, the same pieces with the other side to move. First
//! every position is looked at once: captures and promotions lead to endings solved before, the rest
//! of its quiet moves are only counted. Then what is decided tells the positions before it: a loss
//! makes them wins, a win takes one of the moves that could save them. What nothing decides is drawn.

mod letters;
mod news;
mod state;

use std::fmt;

use rayon::prelude::*;

use crate::board::MoveList;
use crate::movegen;
use crate::rules::Rules;

use super::codec::{BLOCK, Packed, pack};
use super::counts::Counts;
use super::index::Index;
use super::slice::Slice;
use super::table::{Table, Tables};
use super::value::{Value, without_move};
use crate::position::Pieces;
use letters::Letters;
use news::{ChunkNews, News};
use state::{State, States};

/// Why an ending could not be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolveError {
    /// It leads to this slice, which has not been solved.
    Missing(Slice),
    /// There is no memory for this slice.
    Memory(Slice),
    /// It takes so long to win in this slice that the plies cannot be stored.
    Long(Slice),
    /// It was told to stop.
    Stopped,
}

/// Looks on while endings are solved.
pub trait Watch: Sync {
    /// The work is so many steps further. The value of a position takes two, its distance two more: one
    /// to look at it, one to write down what was found out.
    fn advance(&self, steps: u64);

    /// Whether to stop.
    fn is_stopped(&self) -> bool;
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Missing(slice) => write!(f, "slice {slice} has to be solved first"),
            SolveError::Memory(slice) => write!(f, "not enough memory for slice {slice}"),
            SolveError::Long(slice) => write!(f, "too many plies to win in slice {slice}"),
            SolveError::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for SolveError {}

/// A slice, solved.
#[derive(Debug)]
pub struct Solved<R: Rules> {
    /// What its positions are worth.
    pub table: Table<R>,
    /// How many positions have which value.
    pub counts: Counts,
    /// The values of quiet positions, compressed.
    pub(super) packed: Packed,
}

/// Solves a slice and its mirror, with rayon's threads: two results, or one if they are the same.
/// The tables must have every slice of fewer pieces, and those of as many with fewer men.
pub fn solve<R: Rules>(
    slice: Slice,
    tables: &Tables<R>,
    watch: &impl Watch,
) -> Result<Vec<Solved<R>>, SolveError> {
    let slices = slice.with_mirror().into_iter();
    let halves = slices.map(Half::new).collect::<Result<Vec<_>, _>>()?;
    for half in &halves {
        half.look_at_all(tables, watch)?;
    }
    let pairs: Vec<_> = halves.iter().zip(halves.iter().rev()).collect();
    while pairs.iter().fold(false, |is_new, (half, other)| half.spread(other) || is_new) {
        if watch.is_stopped() {
            return Err(SolveError::Stopped);
        }
    }
    halves.into_iter().map(|half| half.finish(watch)).collect()
}

/// The positions of an ending with one side to move.
struct Half<R: Rules> {
    index: Index<R>,
    states: States,
    /// What has been decided and not been told.
    news: News,
}

impl<R: Rules> Half<R> {
    fn new(slice: Slice) -> Result<Self, SolveError> {
        let index = Index::new(slice);
        let states = States::new(index.len()).ok_or(SolveError::Memory(slice))?;
        let news = News::new(index.len()).ok_or(SolveError::Memory(slice))?;
        Ok(Half { index, states, news })
    }

    /// Gives every position its first state.
    fn look_at_all(&self, tables: &Tables<R>, watch: &impl Watch) -> Result<(), SolveError> {
        (0..self.index.chunks()).into_par_iter().try_for_each(|chunk| {
            if watch.is_stopped() {
                return Err(SolveError::Stopped);
            }
            let numbers = self.index.chunk(chunk);
            watch.advance(numbers.end - numbers.start);
            let mut cursor = self.index.cursor(numbers.start);
            let mut moves = MoveList::new();
            for number in numbers.clone() {
                let state =
                    look(&cursor.pieces(), tables, &mut moves).map_err(SolveError::Missing)?;
                self.states.set(number, state);
                cursor.advance();
            }
            self.news.add_all(numbers, |number| self.states.get(number).is_news());
            Ok(())
        })
    }

    /// Tells the positions of the other half what has been decided here. Returns whether there was
    /// anything to tell.
    fn spread(&self, other: &Half<R>) -> bool {
        let tell = |chunk: usize| {
            let news = self.news.take(chunk);
            let is_any = !news.is_empty();
            if is_any {
                self.tell_all(chunk, &news, other);
            }
            is_any
        };
        (0..self.index.chunks()).into_par_iter().map(tell).reduce(|| false, |one, two| one || two)
    }

    /// Tells what has been decided in a chunk.
    fn tell_all(&self, chunk: usize, news: &ChunkNews, other: &Half<R>) {
        let numbers = self.index.chunk(chunk);
        let mut letters = Letters::new(other);
        let mut cursor = self.index.cursor(numbers.start);
        for number in news.offsets().map(|offset| numbers.start + offset) {
            cursor.go_on_to(number);
            letters.write(self.states.get(number).value(), &cursor.pieces());
        }
        letters.deliver();
    }

    fn finish(self, watch: &impl Watch) -> Result<Solved<R>, SolveError> {
        let count = |chunk| {
            let (mut counts, numbers) = (Counts::default(), self.index.chunk(chunk));
            watch.advance(numbers.end - numbers.start);
            for number in numbers {
                let state = self.states.get(number);
                counts.add(state.value(), state.is_capture());
            }
            counts
        };
        let counts = (0..self.index.chunks()).into_par_iter().map(count);
        let counts = counts.reduce(Counts::default, Counts::plus);
        let packed =
            pack(self.index.len(), Value::ALL.len(), |start, values| self.fill(start, values));
        let Half { index, states, .. } = self;
        let slice = index.slice();
        let table = Table::new(index, |number| states.get(number).value());
        Ok(Solved { table: table.ok_or(SolveError::Memory(slice))?, counts, packed })
    }

    /// The values of a block of positions. Those with a capture to make need none.
    fn fill(&self, start: u64, values: &mut Vec<Option<u8>>) {
        for number in start..self.index.len().min(start + BLOCK) {
            let state = self.states.get(number);
            values.push((!state.is_capture()).then_some(state.value() as u8));
        }
    }
}

/// The first state of a position.
#[inline(always)]
fn look<R: Rules>(
    pieces: &Pieces<R::Geometry>,
    tables: &Tables<R>,
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
    let promotions = moves.iter().filter(|mv| pieces.is_promotion::<R>(mv));
    let others = (moves.len() - promotions.clone().count()) as u64;
    Ok(match tables.best(&position, promotions)? {
        Value::Win => State::quiet(Value::Win),
        Value::Draw if others == 0 => State::quiet(Value::Draw),
        Value::Draw => State::SAFE,
        Value::Loss if others == 0 => State::quiet(Value::Loss),
        Value::Loss => State::open(others),
    })
}

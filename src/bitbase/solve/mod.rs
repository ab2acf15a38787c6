//! Solving an ending backwards from its ends (retrograde analysis; K. Thompson, *Retrograde analysis
//! of certain endgames*, ICCA Journal 9, 1986).
//!
//! A slice is solved together with its mirror, the same pieces with the other side to move. First
//! every position is looked at once: captures and promotions lead to endings solved before, the rest
//! of its quiet moves are only counted. Then what is decided tells the positions before it: a loss
//! makes them wins, a win takes one of the moves that could save them. What nothing decides is drawn.

mod state;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::board::MoveList;
use crate::movegen;
use crate::rules::Rules;

use super::codec::{BLOCK, Packed, pack};
use super::counts::Counts;
use super::index::{CHUNK, Index};
use super::pieces::Pieces;
use super::slice::Slice;
use super::table::{Table, Tables};
use super::unmoves::each_unmove;
use super::value::{Value, without_move};
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
#[derive(Clone, Debug)]
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
    Ok(halves.into_iter().map(|half| half.finish(watch)).collect())
}

/// The positions of an ending with one side to move.
struct Half<R: Rules> {
    index: Index<R>,
    states: States,
    /// For each chunk of positions whether some have news.
    has_news: Vec<AtomicBool>,
}

impl<R: Rules> Half<R> {
    fn new(slice: Slice) -> Result<Self, SolveError> {
        let index = Index::new(slice);
        let states = States::new(index.len()).ok_or(SolveError::Memory(slice))?;
        let has_news = (0..index.chunks()).map(|_| AtomicBool::new(true)).collect();
        Ok(Half { index, states, has_news })
    }

    /// Gives every position its first state.
    fn look_at_all(&self, tables: &Tables<R>, watch: &impl Watch) -> Result<(), SolveError> {
        (0..self.has_news.len()).into_par_iter().try_for_each(|chunk| {
            if watch.is_stopped() {
                return Err(SolveError::Stopped);
            }
            let numbers = self.index.chunk(chunk);
            watch.advance(numbers.end - numbers.start);
            let mut cursor = self.index.cursor(numbers.start);
            let mut moves = MoveList::new();
            for number in numbers {
                let state =
                    look(cursor.pieces(), tables, &mut moves).map_err(SolveError::Missing)?;
                self.states.set(number, state);
                cursor.advance();
            }
            Ok(())
        })
    }

    /// Tells the positions of the other half what has been decided here. Returns whether there was
    /// anything to tell.
    fn spread(&self, other: &Half<R>) -> bool {
        let tell = |chunk: usize| {
            let has_news = self.has_news[chunk].swap(false, Ordering::Relaxed);
            if has_news {
                self.tell_all(chunk, other);
            }
            has_news
        };
        (0..self.has_news.len()).into_par_iter().map(tell).reduce(|| false, |one, two| one || two)
    }

    /// Tells what has been decided in a chunk.
    fn tell_all(&self, chunk: usize, other: &Half<R>) {
        /// With more news than one in so many positions it is quicker to visit all of them.
        const DENSE: usize = 8;
        let is_news = |&number: &u64| self.states.get(number).is_news();
        let numbers = self.index.chunk(chunk);
        let news = numbers.clone().filter(is_news);
        if numbers.clone().filter(is_news).count() * DENSE < CHUNK as usize {
            return news.for_each(|number| self.tell(number, &self.index.pieces(number), other));
        }
        let mut cursor = self.index.cursor(numbers.start);
        for number in numbers {
            if is_news(&number) {
                self.tell(number, cursor.pieces(), other);
            }
            cursor.advance();
        }
    }

    /// Tells the positions before one what has been decided there.
    #[inline(always)]
    fn tell(&self, number: u64, pieces: &Pieces<R::Geometry>, other: &Half<R>) {
        let state = self.states.get(number);
        self.states.set_told(number);
        each_unmove::<R>(pieces, |before| {
            let number = other.index.number(before);
            let is_new = match state.value() {
                Value::Loss => other.states.win(number),
                _ => other.states.lose_one(number),
            };
            if is_new {
                other.has_news[(number / CHUNK) as usize].store(true, Ordering::Relaxed);
            }
        });
    }

    fn finish(self, watch: &impl Watch) -> Solved<R> {
        let count = |chunk| {
            let (mut counts, numbers) = (Counts::default(), self.index.chunk(chunk));
            watch.advance(numbers.end - numbers.start);
            for number in numbers {
                let state = self.states.get(number);
                counts.add(state.value(), state.is_capture());
            }
            counts
        };
        let counts = (0..self.has_news.len()).into_par_iter().map(count);
        let counts = counts.reduce(Counts::default, Counts::plus);
        let packed =
            pack(self.index.len(), Value::ALL.len(), |start, values| self.fill(start, values));
        let Half { index, states, .. } = self;
        Solved { table: Table::new(index, |number| states.get(number).value()), counts, packed }
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
    let position = pieces.position::<R>();
    moves.clear();
    movegen::captures(&position, moves);
    if !moves.is_empty() {
        return Ok(State::capture(tables.best(&position, moves.iter())?));
    }
    if !pieces.can_promote::<R>() {
        return Ok(match movegen::count(&position) {
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

//! Data shared between threads while a slice is solved: the state of each position (one byte), the
//! set of decided positions not yet propagated, and the distance of each position.

use std::array;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::memory::{prefetch, zeroed};

use super::index::CHUNK;
use super::value::{NO_DISTANCE, Value};

/// The state of a position.
///
/// An undecided position has a quiet move, and its state is below [`State::DECIDED`]: either the
/// number of quiet moves within the ending that may still save it, or [`State::SAFE`]. The state of
/// a decided position has the value in the lowest two bits and flags above.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State(u8);

impl State {
    /// Undecided, but at least a draw because a promotion draws.
    pub const SAFE: State = State(0x7f);
    /// The lowest of the decided states.
    const DECIDED: u8 = 0x80;
    /// The flag of a position decided by captures.
    const CAPTURE: u8 = 0x20;

    /// Undecided, with the given number of quiet moves that may still save the position.
    #[inline(always)]
    pub fn undecided(moves: u64) -> Self {
        debug_assert!(moves > 0 && moves < u64::from(State::SAFE.0));
        State(moves as u8)
    }

    /// Decided without captures.
    #[inline(always)]
    pub fn quiet(value: Value) -> Self {
        State(Self::DECIDED | value as u8)
    }

    /// Decided by captures.
    #[inline(always)]
    pub fn capture(value: Value) -> Self {
        State(Self::quiet(value).0 | Self::CAPTURE)
    }

    /// The value: a draw while undecided.
    #[inline(always)]
    pub fn value(self) -> Value {
        if self.is_decided() { Value::from_bits(self.0) } else { Value::Draw }
    }

    /// Whether the value is known.
    #[inline(always)]
    pub fn is_decided(self) -> bool {
        self.0 >= Self::DECIDED
    }

    /// Whether the value was decided by captures.
    #[inline(always)]
    pub fn is_capture(self) -> bool {
        self.is_decided() && self.0 & Self::CAPTURE != 0
    }

    /// Whether the value is known and affects the predecessors: a win or a loss.
    #[inline(always)]
    pub fn is_decisive(self) -> bool {
        self.value() != Value::Draw
    }
}

/// The states of a slice.
pub(super) struct States {
    states: Box<[AtomicU8]>,
    /// Whether there is only one thread, which needs no atomic updates: these would take a tenth of
    /// the propagation time.
    is_single_threaded: bool,
}

impl States {
    /// The states of `len` positions; `None` if there is not enough memory.
    pub fn new(len: u64) -> Option<Self> {
        let states = zeroed(usize::try_from(len).ok()?)?;
        Some(States { states, is_single_threaded: rayon::current_num_threads() == 1 })
    }

    /// Prefetches a state that will be read soon.
    #[inline(always)]
    pub fn prefetch(&self, number: u64) {
        prefetch(&self.states[number as usize]);
    }

    /// The state of a position.
    #[inline(always)]
    pub fn get(&self, number: u64) -> State {
        State(self.states[number as usize].load(Ordering::Relaxed))
    }

    /// Sets the state of a position that no other thread is updating.
    #[inline(always)]
    pub fn set(&self, number: u64, state: State) {
        self.states[number as usize].store(state.0, Ordering::Relaxed);
    }

    /// Marks an undecided position as won, after a move to a loss for the opponent has been found.
    /// Returns whether the position was undecided.
    #[inline(always)]
    pub fn win(&self, number: u64) -> bool {
        let win = |state: u8| (state < State::DECIDED).then_some(State::quiet(Value::Win).0);
        self.update(number, win).is_some()
    }

    /// Rules out one of the quiet moves that could save a position. Returns whether the position is
    /// now lost.
    #[inline(always)]
    pub fn lose_one(&self, number: u64) -> bool {
        let lose = |state: u8| match state {
            0 | 0x7f.. => None,
            1 => Some(State::quiet(Value::Loss).0),
            moves => Some(moves - 1),
        };
        self.update(number, lose) == Some(1)
    }

    /// Updates a state without losing the updates of other threads. Returns the previous state, or
    /// `None` if nothing changes.
    #[inline(always)]
    fn update(&self, number: u64, change: impl Fn(u8) -> Option<u8>) -> Option<u8> {
        let state = &self.states[number as usize];
        if !self.is_single_threaded {
            return state.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change).ok();
        }
        let before = state.load(Ordering::Relaxed);
        state.store(change(before)?, Ordering::Relaxed);
        Some(before)
    }
}

/// The number of positions per word.
const WORD: u64 = u64::BITS as u64;
/// The number of words per chunk.
const WORDS: usize = (CHUNK / WORD) as usize;

/// The decided positions of a slice not yet propagated to their predecessors, one bit each.
pub(super) struct Frontier(Box<[AtomicU64]>);

impl Frontier {
    /// An empty set with room for `len` positions; `None` if there is not enough memory.
    pub fn new(len: u64) -> Option<Self> {
        let chunks = usize::try_from(len.div_ceil(CHUNK)).ok()?;
        zeroed(chunks * WORDS).map(Frontier)
    }

    /// An empty set for no positions.
    pub fn empty() -> Self {
        Frontier(Box::default())
    }

    /// Adds a position.
    #[inline(always)]
    pub fn add(&self, number: u64) {
        self.0[(number / WORD) as usize].fetch_or(1 << (number % WORD), Ordering::Relaxed);
    }

    /// Adds the positions of a chunk for which `is_decisive` holds.
    pub fn add_all(&self, numbers: Range<u64>, is_decisive: impl Fn(u64) -> bool) {
        for start in numbers.clone().step_by(WORD as usize) {
            let end = numbers.end.min(start + WORD);
            let bits =
                (start..end).fold(0, |bits, n| bits | u64::from(is_decisive(n)) << (n - start));
            self.0[(start / WORD) as usize].fetch_or(bits, Ordering::Relaxed);
        }
    }

    /// Removes the positions of a chunk from the set and returns them.
    pub fn take(&self, chunk: usize) -> ChunkFrontier {
        let words = &self.0[chunk * WORDS..][..WORDS];
        let take = |word: &AtomicU64| match word.load(Ordering::Relaxed) {
            0 => 0,
            _ => word.swap(0, Ordering::Relaxed),
        };
        ChunkFrontier(array::from_fn(|index| take(&words[index])))
    }
}

/// The positions of a chunk that a [`Frontier`] contains.
pub(super) struct ChunkFrontier([u64; WORDS]);

impl ChunkFrontier {
    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The offsets of the positions from the start of the chunk, ascending.
    pub fn offsets(&self) -> impl Iterator<Item = u64> {
        self.0.iter().zip((0..).step_by(WORD as usize)).flat_map(|(&word, start)| {
            let bits = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
            let bits = bits.take_while(|&word| word != 0);
            bits.map(move |word| start + u64::from(word.trailing_zeros()))
        })
    }
}

/// The distance of each position of a slice, or [`NO_DISTANCE`].
pub(super) struct Distances {
    plies: Vec<AtomicU8>,
    /// For each chunk, one bit per distance, set if any position of the chunk has or had that
    /// distance.
    present: Vec<[AtomicU64; 4]>,
    /// The greatest distance recorded.
    longest: AtomicU8,
}

impl Distances {
    /// Distances of `len` positions, none of them known yet; `None` if there is not enough memory.
    pub fn new(len: u64) -> Option<Self> {
        let mut plies = Vec::new();
        plies.try_reserve_exact(usize::try_from(len).ok()?).ok()?;
        plies.resize_with(len as usize, || AtomicU8::new(NO_DISTANCE));
        let present = (0..len.div_ceil(CHUNK)).map(|_| Default::default()).collect();
        Some(Distances { plies, present, longest: AtomicU8::new(0) })
    }

    /// The distance of a position, or [`NO_DISTANCE`].
    #[inline(always)]
    pub fn get(&self, number: u64) -> u8 {
        self.plies[number as usize].load(Ordering::Relaxed)
    }

    /// Lowers the recorded distance of a position to `plies` if it is greater.
    #[inline(always)]
    pub fn lower(&self, number: u64, plies: u8) {
        // Most updates change nothing, and a load costs less than an atomic update.
        let cell = &self.plies[number as usize];
        if self.get(number) > plies && cell.fetch_min(plies, Ordering::Relaxed) > plies {
            let present = &self.present[(number / CHUNK) as usize][usize::from(plies / 64)];
            present.fetch_or(1 << (plies % 64), Ordering::Relaxed);
            self.longest.fetch_max(plies, Ordering::Relaxed);
        }
    }

    /// Whether a chunk may have a position with a given distance.
    #[inline(always)]
    pub fn may_have(&self, chunk: usize, plies: u8) -> bool {
        let present = self.present[chunk][usize::from(plies / 64)].load(Ordering::Relaxed);
        present >> (plies % 64) & 1 == 1
    }

    /// The greatest distance recorded.
    pub fn longest(&self) -> u8 {
        self.longest.load(Ordering::Relaxed)
    }

    /// The distances by position number.
    pub fn into_plies(self) -> Vec<u8> {
        self.plies.into_iter().map(AtomicU8::into_inner).collect()
    }
}

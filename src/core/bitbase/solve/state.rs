//! The state of each position of a slice during solving: one byte.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::bitbase::value::Value;
use crate::memory::{prefetch, zeroed};

/// The state of a position.
///
/// Undecided positions have a quiet move to play and are below [`State::DECIDED`]: either the
/// number of quiet moves within the ending that may still save them, or [`State::SAFE`]. Decided
/// positions have their value in the lowest two bits and flags above.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State(u8);

impl State {
    /// Undecided, but not a loss: a promotion draws.
    pub(super) const SAFE: State = State(0x7f);
    /// The least decided state.
    const DECIDED: u8 = 0x80;
    /// The flag of a position decided by captures.
    const CAPTURE: u8 = 0x20;

    /// Undecided, with a number of quiet moves left to try.
    #[inline(always)]
    pub(super) fn open(moves: u64) -> Self {
        debug_assert!(moves > 0 && moves < u64::from(State::SAFE.0));
        State(moves as u8)
    }

    /// Decided without captures.
    #[inline(always)]
    pub(super) fn quiet(value: Value) -> Self {
        State(Self::DECIDED | value as u8)
    }

    /// Decided by captures.
    #[inline(always)]
    pub(super) fn capture(value: Value) -> Self {
        State(Self::quiet(value).0 | Self::CAPTURE)
    }

    /// The value: a draw while undecided.
    #[inline(always)]
    pub(super) fn value(self) -> Value {
        if self.is_decided() { Value::from_bits(self.0) } else { Value::Draw }
    }

    /// Whether the value is known.
    #[inline(always)]
    pub(super) fn is_decided(self) -> bool {
        self.0 >= Self::DECIDED
    }

    /// Whether the value is known by captures.
    #[inline(always)]
    pub(super) fn is_capture(self) -> bool {
        self.is_decided() && self.0 & Self::CAPTURE != 0
    }

    /// Whether the value is known and affects the predecessors: a win or a loss.
    #[inline(always)]
    pub(super) fn is_news(self) -> bool {
        self.value() != Value::Draw
    }
}

/// The states of a slice, shared between rayon's threads.
pub(super) struct States {
    states: Box<[AtomicU8]>,
    /// Whether there is only one thread: it needs no atomic updates, which cost a tenth of the
    /// propagation time.
    is_alone: bool,
}

impl States {
    /// The states of `len` positions; `None` if there is not enough memory.
    pub(super) fn new(len: u64) -> Option<Self> {
        let states = zeroed(usize::try_from(len).ok()?)?;
        Some(States { states, is_alone: rayon::current_num_threads() == 1 })
    }

    /// Prefetches a state that will be read soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, number: u64) {
        prefetch(&self.states[number as usize]);
    }

    /// The state of a position.
    #[inline(always)]
    pub(super) fn get(&self, number: u64) -> State {
        State(self.states[number as usize].load(Ordering::Relaxed))
    }

    /// Sets the state of a position that no other thread is updating.
    #[inline(always)]
    pub(super) fn set(&self, number: u64, state: State) {
        self.states[number as usize].store(state.0, Ordering::Relaxed);
    }

    /// Marks a position as won: a move to a loss for the opponent has been found. Returns whether
    /// that is new.
    #[inline(always)]
    pub(super) fn win(&self, number: u64) -> bool {
        let win = |state: u8| (state < State::DECIDED).then_some(State::quiet(Value::Win).0);
        self.update(number, win).is_some()
    }

    /// Removes one of the quiet moves that could save the position. Returns whether it is now lost.
    #[inline(always)]
    pub(super) fn lose_one(&self, number: u64) -> bool {
        let lose = |state: u8| match state {
            0 | 0x7f.. => None,
            1 => Some(State::quiet(Value::Loss).0),
            moves => Some(moves - 1),
        };
        self.update(number, lose) == Some(1)
    }

    /// Updates a state without losing the updates of other threads. Returns the previous state,
    /// `None` if nothing changes.
    #[inline(always)]
    fn update(&self, number: u64, change: impl Fn(u8) -> Option<u8>) -> Option<u8> {
        let state = &self.states[number as usize];
        if !self.is_alone {
            return state.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change).ok();
        }
        let before = state.load(Ordering::Relaxed);
        state.store(change(before)?, Ordering::Relaxed);
        Some(before)
    }
}

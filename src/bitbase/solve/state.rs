//! What is known about each position of a slice while it is being solved: one byte.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::bitbase::value::Value;
use crate::memory::{prefetch, zeroed};

/// What is known about one position.
///
/// Undecided positions have a quiet move to play and are below [`State::DECIDED`]: either the number
/// of quiet moves within the ending that may still save them, or [`State::SAFE`]. Decided ones have
/// their value in the lowest two bits and a flag above.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State(u8);

impl State {
    /// Undecided, but no loss: a promotion draws.
    pub(super) const SAFE: State = State(0x7f);
    /// The least decided state.
    const DECIDED: u8 = 0x80;
    /// Decided by captures.
    const CAPTURE: u8 = 0x20;

    /// Undecided, with so many quiet moves to try.
    #[inline(always)]
    pub(super) fn open(moves: u64) -> Self {
        debug_assert!(moves > 0 && moves < u64::from(State::SAFE.0));
        State(moves as u8)
    }

    /// Decided by what happens without a capture.
    #[inline(always)]
    pub(super) fn quiet(value: Value) -> Self {
        State(Self::DECIDED | value as u8)
    }

    /// Decided by captures.
    #[inline(always)]
    pub(super) fn capture(value: Value) -> Self {
        State(Self::quiet(value).0 | Self::CAPTURE)
    }

    /// The value: a draw if nothing has decided otherwise.
    #[inline(always)]
    pub(super) fn value(self) -> Value {
        if self.is_decided() { Value::from_bits(self.0) } else { Value::Draw }
    }

    /// Whether the value is known.
    #[inline(always)]
    pub(super) fn is_decided(self) -> bool {
        self.0 >= Self::DECIDED
    }

    /// Whether it is known by captures.
    #[inline(always)]
    pub(super) fn is_capture(self) -> bool {
        self.is_decided() && self.0 & Self::CAPTURE != 0
    }

    /// Whether it is known and matters to the positions before it.
    #[inline(always)]
    pub(super) fn is_news(self) -> bool {
        self.value() != Value::Draw
    }
}

/// The states of a slice, which rayon's threads share.
pub(super) struct States {
    states: Box<[AtomicU8]>,
    /// One thread needs no atomic changes, which cost it a tenth of the time to tell the news.
    is_alone: bool,
}

impl States {
    /// Of so many positions; `None` if there is no memory for them.
    pub(super) fn new(len: u64) -> Option<Self> {
        let states = zeroed(usize::try_from(len).ok()?)?;
        Some(States { states, is_alone: rayon::current_num_threads() == 1 })
    }

    /// Announces that a state will be read soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, number: u64) {
        prefetch(&self.states[number as usize]);
    }

    /// The state of a position.
    #[inline(always)]
    pub(super) fn get(&self, number: u64) -> State {
        State(self.states[number as usize].load(Ordering::Relaxed))
    }

    /// Sets the state of a position that no other thread is at.
    #[inline(always)]
    pub(super) fn set(&self, number: u64, state: State) {
        self.states[number as usize].store(state.0, Ordering::Relaxed);
    }

    /// A move to an opponent that loses has been found: the position is won. Returns whether that is
    /// new.
    #[inline(always)]
    pub(super) fn win(&self, number: u64) -> bool {
        let win = |state: u8| (state < State::DECIDED).then_some(State::quiet(Value::Win).0);
        self.update(number, win).is_some()
    }

    /// One quiet move less can save the position. Returns whether it is lost now.
    #[inline(always)]
    pub(super) fn lose_one(&self, number: u64) -> bool {
        let lose = |state: u8| match state {
            0 | 0x7f.. => None,
            1 => Some(State::quiet(Value::Loss).0),
            moves => Some(moves - 1),
        };
        self.update(number, lose) == Some(1)
    }

    /// Changes a state without losing what other threads change.
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

//! Which moves the threads are at, so that another thread takes a different one first (T. Kerrigan,
//! *Simplified ABDADA*, 2016; after J.-C. Weill, *The ABDADA distributed minimax search algorithm*,
//! 1996).

use std::sync::atomic::{AtomicU64, Ordering};

use crate::board::PackedMove;
use crate::position::Key;

use super::params::BUSY_ENTRIES;

/// The moves that are being searched. It may forget some: then two threads search the same.
#[derive(Default)]
pub(super) struct Busy(Vec<AtomicU64>);

impl Busy {
    /// For so many threads. One thread needs none.
    pub(super) fn new(threads: usize) -> Self {
        let entries = if threads > 1 { BUSY_ENTRIES } else { 0 };
        Busy((0..entries).map(|_| AtomicU64::new(0)).collect())
    }

    /// Whether it serves a single thread.
    #[inline(always)]
    pub(super) fn is_alone(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether some thread is at a move of a position.
    #[inline(always)]
    pub(super) fn has(&self, key: Key, mv: PackedMove) -> bool {
        let mixed = mix(key, mv);
        self.entry(mixed).is_some_and(|entry| entry.load(Ordering::Relaxed) == mixed)
    }

    /// This thread begins with a move of a position.
    #[inline(always)]
    pub(super) fn enter(&self, key: Key, mv: PackedMove) {
        let mixed = mix(key, mv);
        if let Some(entry) = self.entry(mixed) {
            entry.store(mixed, Ordering::Relaxed);
        }
    }

    /// This thread is done with a move of a position.
    #[inline(always)]
    pub(super) fn leave(&self, key: Key, mv: PackedMove) {
        let mixed = mix(key, mv);
        if let Some(entry) = self.entry(mixed).filter(|_| self.has(key, mv)) {
            entry.store(0, Ordering::Relaxed);
        }
    }

    #[inline(always)]
    fn entry(&self, mixed: u64) -> Option<&AtomicU64> {
        self.0.get(mixed as usize & (BUSY_ENTRIES - 1))
    }
}

/// A number for a move of a position.
#[inline(always)]
fn mix(key: Key, mv: PackedMove) -> u64 {
    key.0 ^ u64::from(mv.bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_busy_from_enter_to_leave() {
        let busy = Busy::new(2);
        let mv = PackedMove::from_bits(77).unwrap();
        assert!(!busy.has(Key(5), mv));
        busy.enter(Key(5), mv);
        assert!(busy.has(Key(5), mv) && !busy.has(Key(6), mv));
        busy.leave(Key(5), mv);
        assert!(!busy.has(Key(5), mv));
    }

    #[test]
    fn one_thread_has_nobody_to_look_for() {
        let busy = Busy::new(1);
        let mv = PackedMove::from_bits(77).unwrap();
        busy.enter(Key(5), mv);
        assert!(busy.is_alone() && !busy.has(Key(5), mv));
    }
}

//! The moves being searched by some thread, so that another thread searches a different one first
//! (T. Kerrigan, *Simplified ABDADA*, 2016; after J.-C. Weill, *The ABDADA distributed minimax
//! search algorithm*, 1996).

use std::sync::atomic::{AtomicU64, Ordering};

use crate::board::PackedMove;
use crate::position::Key;

use super::params::BUSY_ENTRIES;

/// The moves being searched, as a lossy hash table: where one is forgotten, two threads search the
/// same move.
#[derive(Default)]
pub(super) struct Busy(Vec<AtomicU64>);

impl Busy {
    /// For a number of threads. A single thread needs no entries.
    pub(super) fn new(threads: usize) -> Self {
        let entries = if threads > 1 { BUSY_ENTRIES } else { 0 };
        Busy((0..entries).map(|_| AtomicU64::new(0)).collect())
    }

    /// Whether there is only one thread.
    #[inline(always)]
    pub(super) fn is_alone(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a move of a position is being searched.
    #[inline(always)]
    pub(super) fn has(&self, key: Key, mv: PackedMove) -> bool {
        let mixed = mix(key, mv);
        self.entry(mixed).is_some_and(|entry| entry.load(Ordering::Relaxed) == mixed)
    }

    /// This thread starts searching a move of a position.
    #[inline(always)]
    pub(super) fn enter(&self, key: Key, mv: PackedMove) {
        let mixed = mix(key, mv);
        if let Some(entry) = self.entry(mixed) {
            entry.store(mixed, Ordering::Relaxed);
        }
    }

    /// This thread has finished searching a move of a position.
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

/// The hash of a position and a move.
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
    fn one_thread_sees_no_other_threads() {
        let busy = Busy::new(1);
        let mv = PackedMove::from_bits(77).unwrap();
        busy.enter(Key(5), mv);
        assert!(busy.is_alone() && !busy.has(Key(5), mv));
    }
}

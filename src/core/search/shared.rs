//! Numbers shared between search threads without locks.

use std::sync::atomic::{AtomicI16, Ordering};

/// A list of small numbers. If two threads update one at the same time, one update is lost; values
/// learned in many small steps can tolerate that.
pub(super) struct Numbers(Vec<AtomicI16>);

impl Numbers {
    /// `len` zeros.
    pub(super) fn new(len: usize) -> Self {
        Numbers((0..len).map(|_| AtomicI16::new(0)).collect())
    }

    /// The number at an index.
    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> i16 {
        self.0[index].load(Ordering::Relaxed)
    }

    /// Sets the number at an index.
    #[inline(always)]
    pub(super) fn set(&self, index: usize, number: i16) {
        self.0[index].store(number, Ordering::Relaxed);
    }
}

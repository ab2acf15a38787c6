//! Numbers that the threads of a search share without locks.

use std::sync::atomic::{AtomicI16, Ordering};

/// A list of small numbers. Where two threads change one at the same time, one of the changes is
/// lost; what is learned by many small steps can bear that.
pub(super) struct Numbers(Vec<AtomicI16>);

impl Numbers {
    /// So many zeros.
    pub(super) fn new(len: usize) -> Self {
        Numbers((0..len).map(|_| AtomicI16::new(0)).collect())
    }

    /// The number at an index.
    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> i16 {
        self.0[index].load(Ordering::Relaxed)
    }

    /// Changes the number at an index.
    #[inline(always)]
    pub(super) fn set(&self, index: usize, number: i16) {
        self.0[index].store(number, Ordering::Relaxed);
    }
}

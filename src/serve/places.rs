//! A number of places, each free or taken.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Semaphore.
pub struct Semaphore(Arc<AtomicUsize>);

/// A place that is taken until this is dropped.
pub struct Permit(Arc<AtomicUsize>);

impl Semaphore {
    /// A number of free places.
    pub fn new(number: usize) -> Semaphore {
        Semaphore(Arc::new(AtomicUsize::new(number)))
    }

    /// Takes a place; `None` if none is free.
    pub fn take(&self) -> Option<Permit> {
        let less = |free: usize| free.checked_sub(1);
        self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, less).ok()?;
        Some(Permit(Arc::clone(&self.0)))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_after_use() {
        let places = Semaphore::new(2);
        let first = places.take();
        let second = places.take();
        assert!(first.is_some() && second.is_some() && places.take().is_none());
        drop(first);
        assert!(places.take().is_some());
    }
}

//! The flag that ends a match before its time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set once, by Ctrl-C or when a match is decided. Clones are the same flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Ends the match.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the match is to end.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

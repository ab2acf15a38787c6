//! The flag that stops long-running work early.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that is set once: by Ctrl-C, or by the work itself when it is finished. Clones share the
/// flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A flag that Ctrl-C sets from now on.
    ///
    /// # Errors
    ///
    /// The system refuses the handler, or the process already has one.
    pub fn on_ctrl_c() -> io::Result<Interrupt> {
        let interrupt = Interrupt::default();
        let flag = interrupt.clone();
        ctrlc::set_handler(move || flag.set()).map_err(io::Error::other)?;
        Ok(interrupt)
    }

    /// Stops the work.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work is to stop.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

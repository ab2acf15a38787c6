//! The handler for Ctrl-C, and a flag that stops long-running work early.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::Receiver;

/// Calls `action` each time Ctrl-C is pressed, instead of ending the process. Each press also sends
/// a message to the returned channel, which holds at most one.
///
/// # Errors
///
/// The handler cannot be installed, or the process already has one.
pub fn on_ctrl_c(mut action: impl FnMut() + Send + 'static) -> io::Result<Receiver<()>> {
    let (sender, presses) = crossbeam_channel::bounded(1);
    let handler = move || {
        action();
        // One pending message is enough, and the receiver may have been dropped.
        let _ = sender.try_send(());
    };
    ctrlc::set_handler(handler).map_err(io::Error::other)?;
    Ok(presses)
}

/// A flag that is set once: by Ctrl-C, or by the work itself when it is finished. Clones share the
/// flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A flag that Ctrl-C sets from now on.
    ///
    /// # Errors
    ///
    /// The same as for [`on_ctrl_c`].
    pub fn on_ctrl_c() -> io::Result<Interrupt> {
        let interrupt = Interrupt::default();
        let flag = interrupt.clone();
        on_ctrl_c(move || flag.set())?;
        Ok(interrupt)
    }

    /// Stops the work.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work should stop.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

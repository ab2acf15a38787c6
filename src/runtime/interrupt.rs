//! Ctrl-C, and the flag that stops long work early.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::Receiver;

/// Calls `action` each time Ctrl-C is pressed, which no longer ends the process. Afterwards the
/// channel has a message.
///
/// # Errors
///
/// The system refuses the handler, or the process already has one.
pub fn on_ctrl_c(mut action: impl FnMut() + Send + 'static) -> io::Result<Receiver<()>> {
    let (sender, presses) = crossbeam_channel::bounded(1);
    let handler = move || {
        action();
        // One waiting message is enough, and the receiver may be gone.
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
    /// Those of [`on_ctrl_c`].
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

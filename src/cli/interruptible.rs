//! Ctrl-C in commands that only compute: it ends them with a message.

use std::panic;
use std::thread;

use crossbeam_channel::select;

use crate::search::STACK_SIZE;

use super::Error;
use super::ctrl_c::on_ctrl_c;

/// Runs a command until it ends or Ctrl-C is pressed.
///
/// # Errors
///
/// Those of the command; it was interrupted; the system cannot create a thread.
pub fn interruptible(
    command: impl FnOnce() -> Result<(), Error> + Send + 'static,
) -> Result<(), Error> {
    let interrupted = on_ctrl_c()?;
    let (sender, result) = crossbeam_channel::bounded(1);
    let work = move || {
        // The receiver is gone after Ctrl-C.
        let _ = sender.send(command());
    };
    let worker = thread::Builder::new().stack_size(STACK_SIZE).spawn(work)?;
    select! {
        recv(result) -> result => match (result, worker) {
            (Ok(result), _) => result,
            // Without a result it has panicked.
            (Err(_), worker) => match worker.join() {
                Ok(()) => Ok(()),
                Err(payload) => panic::resume_unwind(payload),
            },
        },
        recv(interrupted) -> _ => Err(Error::No("interrupted".to_owned())),
    }
}

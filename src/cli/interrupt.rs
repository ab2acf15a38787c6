//! Commands that Ctrl-C interrupts, and a channel for lines from standard input.

use std::io::{self, BufRead};
use std::{panic, thread};

use crossbeam_channel::{Receiver, select};

use crate::runtime::interrupt::on_ctrl_c;
use crate::search::STACK_SIZE;

use super::Error;

/// Runs a command until it ends or Ctrl-C is pressed.
///
/// # Errors
///
/// The command fails or is interrupted, or the system cannot create a thread.
pub fn interruptible(
    command: impl FnOnce() -> Result<(), Error> + Send + 'static,
) -> Result<(), Error> {
    let interrupted = on_ctrl_c(|| {})?;
    let (sender, result) = crossbeam_channel::bounded(1);
    let work = move || {
        // This fails only after Ctrl-C, when the receiver has been dropped.
        let _ = sender.send(command());
    };
    let worker = thread::Builder::new().stack_size(STACK_SIZE).spawn(work)?;
    select! {
        recv(result) -> result => match (result, worker) {
            (Ok(result), _) => result,
            // If the channel closes without a result, the command has panicked.
            (Err(_), worker) => match worker.join() {
                Ok(()) => Ok(()),
                Err(payload) => panic::resume_unwind(payload),
            },
        },
        recv(interrupted) -> _ => Err(Error::interrupted(false)),
    }
}

/// A channel for lines from standard input. The thread that reads them is at most one line ahead of
/// the receiver.
///
/// # Errors
///
/// The system cannot create a thread.
pub fn lines_of_stdin() -> io::Result<Receiver<io::Result<String>>> {
    let (sender, lines) = crossbeam_channel::bounded(0);
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        for line in io::stdin().lock().lines() {
            // The receiver is dropped after an invalid line.
            if sender.send(line).is_err() {
                return;
            }
        }
    })?;
    Ok(lines)
}

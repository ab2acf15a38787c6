//! Commands that Ctrl-C ends, and standard input as messages.

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
/// Those of the command; it was interrupted; the system cannot create a thread.
pub fn interruptible(
    command: impl FnOnce() -> Result<(), Error> + Send + 'static,
) -> Result<(), Error> {
    let interrupted = on_ctrl_c(|| {})?;
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
        recv(interrupted) -> _ => Err(Error::interrupted(false)),
    }
}

/// The lines of standard input. A thread reads each line only when it is received.
///
/// # Errors
///
/// The system cannot create a thread.
pub fn lines_of_stdin() -> io::Result<Receiver<io::Result<String>>> {
    let (sender, lines) = crossbeam_channel::bounded(0);
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        for line in io::stdin().lock().lines() {
            // The receiver is dropped after a faulty line.
            if sender.send(line).is_err() {
                return;
            }
        }
    })?;
    Ok(lines)
}

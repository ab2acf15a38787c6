//! Standard input, for commands that wait for something else too.

use std::io::{self, BufRead};
use std::thread;

use crossbeam_channel::Receiver;

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

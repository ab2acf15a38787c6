//! Ctrl-C as a message.

use std::io;

use crossbeam_channel::Receiver;

use super::Error;

/// A channel that receives a message when Ctrl-C is pressed, which no longer ends the program.
///
/// # Errors
///
/// The system refuses.
pub fn on_ctrl_c() -> Result<Receiver<()>, Error> {
    let (sender, pressed) = crossbeam_channel::bounded(1);
    let signal = move || {
        // A message that is already waiting is enough.
        let _ = sender.try_send(());
    };
    ctrlc::set_handler(signal).map_err(io::Error::other)?;
    Ok(pressed)
}

//! Bytes into lines, on a separate thread: the session never blocks on input.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::Sender;
use std::thread;

use super::event::HubEvent;

/// The maximum length of a line in bytes. A game of a thousand moves takes 10 kB.
pub const LONGEST_LINE: u64 = 1 << 20;

/// Sends every line of the input, then [`HubEvent::EndOfInput`].
///
/// # Errors
///
/// The system cannot create a thread.
pub fn spawn(mut input: impl BufRead + Send + 'static, events: Sender<HubEvent>) -> io::Result<()> {
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        let client = Client(events);
        // A read error counts as the end of the input.
        while let Ok(Some(line)) = read_line(&mut input) {
            if client.0.send(HubEvent::Line(line)).is_err() {
                return;
            }
        }
    })?;
    Ok(())
}

/// The client, whose input ends when this is dropped: even if reading it panics.
struct Client(Sender<HubEvent>);

impl Drop for Client {
    fn drop(&mut self) {
        // Sending fails only if the session has ended.
        let _ = self.0.send(HubEvent::EndOfInput);
    }
}

/// The next line without its terminator; `None` at the end of the input. Invalid UTF-8 is replaced.
/// A line that is too long is read as empty, since its first part could mean something else.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let length = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    if length as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        log::warn!("a line of more than {LONGEST_LINE} bytes ignored");
        bytes.clear();
    }
    Ok((length > 0).then(|| String::from_utf8_lossy(&bytes).trim_end().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_any_bytes() {
        let mut bytes = b"one\r\n\xff\xfe two\n".to_vec();
        bytes.extend(vec![b'x'; 2 * LONGEST_LINE as usize]);
        bytes.extend(b"\nlast");
        let mut input = bytes.as_slice();
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input).unwrap() {
            lines.push(line);
        }
        assert_eq!(lines, ["one", "\u{fffd}\u{fffd} two", "", "last"]);
    }
}

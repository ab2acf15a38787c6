//! Bytes into lines, on a thread of its own: the session never waits for input.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::Sender;
use std::thread;

use super::session::Event;

/// The longest line in bytes. A game of a thousand moves takes 10 kB.
const LONGEST_LINE: u64 = 1 << 20;

/// Sends every line of the input, then [`Event::End`].
///
/// # Errors
///
/// The system gives no thread.
pub fn spawn(mut input: impl BufRead + Send + 'static, events: Sender<Event>) -> io::Result<()> {
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        // An input that cannot be read any more has ended, too.
        while let Ok(Some(line)) = read_line(&mut input) {
            if events.send(Event::Line(line)).is_err() {
                return;
            }
        }
        // Nobody listens if the session has ended before the input.
        let _ = events.send(Event::End);
    })?;
    Ok(())
}

/// The next line without its end; `None` at the end of the input. Bytes that are no UTF-8 are
/// replaced, and too long a line is an empty one: half of it could mean something else.
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

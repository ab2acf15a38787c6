//! The connection to the other program.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};

use super::{END, Message};

/// The timeout for sending a message.
const SENDING: Duration = Duration::from_secs(10);

/// The minimum interval between messages: of two that arrive together, some programs drop the
/// second.
const PAUSE: Duration = Duration::from_millis(50);

/// The maximum number of unread messages; beyond that the reader stops reading from the stream.
const MAX_WAITING: usize = 64;

/// The maximum length of a message in bytes. Chat is accepted beyond the limit of the protocol.
const LONGEST: u64 = 1024;

/// Something received from the other program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Incoming {
    /// A valid message.
    Message(Message),
    /// An invalid message: a description of the error.
    Nonsense(String),
}

/// A connection, closed on drop.
pub struct MessageStream {
    stream: TcpStream,
    arrivals: Receiver<Incoming>,
    /// When the last message was sent.
    sent: Option<Instant>,
}

impl MessageStream {
    /// A connection over a stream, which is read on a separate thread.
    ///
    /// # Errors
    ///
    /// The stream cannot be configured, or the system cannot create a thread.
    pub fn new(stream: TcpStream) -> io::Result<MessageStream> {
        // On Windows the stream inherits the mode of the listener.
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(SENDING))?;
        let (sender, arrivals) = crossbeam_channel::bounded(MAX_WAITING);
        let input = BufReader::new(stream.try_clone()?);
        thread::Builder::new().name("dxp".to_owned()).spawn(move || read(input, &sender))?;
        Ok(MessageStream { stream, arrivals, sent: None })
    }

    /// What was received; disconnected once the other side has closed the connection.
    pub fn arrivals(&self) -> &Receiver<Incoming> {
        &self.arrivals
    }

    /// Sends a message, at least `PAUSE` after the previous one.
    ///
    /// # Errors
    ///
    /// The connection is closed, or the message cannot be formatted.
    pub fn send(&mut self, message: &Message) -> io::Result<()> {
        let text = message.format().map_err(io::Error::other)?;
        if let Some(sent) = self.sent {
            thread::sleep(PAUSE.saturating_sub(sent.elapsed()));
        }
        log::debug!("> {text}");
        self.stream.write_all(&[text.as_bytes(), &[END]].concat())?;
        self.sent = Some(Instant::now());
        Ok(())
    }
}

impl Drop for MessageStream {
    fn drop(&mut self) {
        // The reader thread holds the stream too. It may already be closed.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Passes on what is received until the input ends or the receiver is dropped.
fn read(mut input: impl BufRead, arrivals: &Sender<Incoming>) {
    // A read error counts as the end of the connection.
    while let Ok(Some(arrival)) = next(&mut input) {
        log::debug!("< {arrival:?}");
        if arrivals.send(arrival).is_err() {
            return;
        }
    }
}

/// The next message, valid or not; `None` at the end of the input.
fn next(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let mut bytes = Vec::new();
    input.by_ref().take(LONGEST).read_until(END, &mut bytes)?;
    if bytes.pop_if(|last| *last == END).is_some() {
        let message = Message::parse(&bytes);
        let nonsense = |error: super::MessageError| Incoming::Nonsense(error.to_string());
        return Ok(Some(message.map_or_else(nonsense, Incoming::Message)));
    }
    if (bytes.len() as u64) < LONGEST {
        return Ok(None);
    }
    input.skip_until(END)?;
    Ok(Some(Incoming::Nonsense(format!("a message of more than {LONGEST} bytes"))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::dxp::{AfterGame, EndReason};

    #[test]
    fn bytes_are_taken_apart() {
        let mut bytes = b"Chello\0\0E01\0".to_vec();
        bytes.extend(vec![b'x'; 3 * LONGEST as usize]);
        bytes.extend(b"\0E01\0E0");
        let (mut input, mut arrivals) = (bytes.as_slice(), Vec::new());
        while let Some(arrival) = next(&mut input).unwrap() {
            arrivals.push(arrival);
        }
        let end =
            Incoming::Message(Message::End { reason: EndReason::Unknown, next: AfterGame::Quit });
        assert_eq!(arrivals.len(), 5);
        assert_eq!(arrivals[0], Incoming::Message(Message::Chat("hello".to_owned())));
        assert!(matches!(&arrivals[1], Incoming::Nonsense(what) if what.contains("first letter")));
        assert!(matches!(&arrivals[3], Incoming::Nonsense(what) if what.contains("1024")));
        assert_eq!((&arrivals[2], &arrivals[4]), (&end, &end));
    }
}

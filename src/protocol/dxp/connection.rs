//! The connection with the other program.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};

use super::{END, Message};

/// How long the sending of a message may take.
const SENDING: Duration = Duration::from_secs(10);

/// The pause between two messages: some programs drop the second of two that arrive together.
const PAUSE: Duration = Duration::from_millis(50);

/// The messages that wait until somebody looks; more stay with their sender.
const MOST_WAITING: usize = 64;

/// Whatever is longer is no message, in bytes. Chat may be longer than the protocol allows.
const LONGEST: u64 = 1024;

/// What comes from the other program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// A message.
    Message(Message),
    /// Something that is none: what is wrong with it.
    Nonsense(String),
}

/// A connection. It is closed when it is dropped.
pub struct Connection {
    stream: TcpStream,
    arrivals: Receiver<Arrival>,
    /// When the last message was sent.
    sent: Option<Instant>,
}

impl Connection {
    /// Talks through a stream; a thread of its own reads it.
    ///
    /// # Errors
    ///
    /// The system refuses something.
    pub fn new(stream: TcpStream) -> io::Result<Connection> {
        // Windows hands the listener's mode on.
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(SENDING))?;
        let (sender, arrivals) = crossbeam_channel::bounded(MOST_WAITING);
        let input = BufReader::new(stream.try_clone()?);
        thread::Builder::new().name("dxp".to_owned()).spawn(move || read(input, &sender))?;
        Ok(Connection { stream, arrivals, sent: None })
    }

    /// What has come; nothing comes any more when the other side has closed the connection.
    pub fn arrivals(&self) -> &Receiver<Arrival> {
        &self.arrivals
    }

    /// Sends a message, not too soon after the last one.
    ///
    /// # Errors
    ///
    /// The connection is gone, or the message cannot be written.
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

impl Drop for Connection {
    fn drop(&mut self) {
        // The thread that reads has the stream, too. It may be closed already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Hands on what comes, until it ends or nobody wants it any more.
fn read(mut input: impl BufRead, arrivals: &Sender<Arrival>) {
    // A connection that cannot be read any more has ended, too.
    while let Ok(Some(arrival)) = next(&mut input) {
        log::debug!("< {arrival:?}");
        if arrivals.send(arrival).is_err() {
            return;
        }
    }
}

/// The next message, or what stands in its place; `None` at the end.
fn next(input: &mut impl BufRead) -> io::Result<Option<Arrival>> {
    let mut bytes = Vec::new();
    input.by_ref().take(LONGEST).read_until(END, &mut bytes)?;
    if bytes.pop_if(|last| *last == END).is_some() {
        let message = Message::parse(&bytes);
        let nonsense = |error: super::MessageError| Arrival::Nonsense(error.to_string());
        return Ok(Some(message.map_or_else(nonsense, Arrival::Message)));
    }
    if (bytes.len() as u64) < LONGEST {
        return Ok(None);
    }
    input.skip_until(END)?;
    Ok(Some(Arrival::Nonsense(format!("a message of more than {LONGEST} bytes"))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::dxp::{EndReason, Next};

    #[test]
    fn bytes_are_taken_apart() {
        let mut bytes = b"Chello\0\0E01\0".to_vec();
        bytes.extend(vec![b'x'; 3 * LONGEST as usize]);
        bytes.extend(b"\0E01\0E0");
        let (mut input, mut arrivals) = (bytes.as_slice(), Vec::new());
        while let Some(arrival) = next(&mut input).unwrap() {
            arrivals.push(arrival);
        }
        let end = Arrival::Message(Message::End { reason: EndReason::Unknown, next: Next::Quit });
        assert_eq!(arrivals.len(), 5);
        assert_eq!(arrivals[0], Arrival::Message(Message::Chat("hello".to_owned())));
        assert!(matches!(&arrivals[1], Arrival::Nonsense(what) if what.contains("first letter")));
        assert!(matches!(&arrivals[3], Arrival::Nonsense(what) if what.contains("1024")));
        assert_eq!((&arrivals[2], &arrivals[4]), (&end, &end));
    }
}

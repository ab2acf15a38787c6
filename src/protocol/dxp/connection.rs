//! The connection to the other program. It sends and receives messages, and reports events to the
//! session.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, never, select_biased};

use super::{END, Message, MessageError};

/// The timeout for sending a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// The minimum interval between sent messages. Some programs drop the second of two messages that
/// arrive together.
const SEND_INTERVAL: Duration = Duration::from_millis(50);

/// The maximum number of unread messages; once it is reached, the reader thread pauses.
const MAX_UNREAD: usize = 64;

/// The maximum number of notes between two messages to the other program; further notes are
/// dropped, so that a program that only chats cannot flood the user.
const MAX_NOTES: u32 = 50;

/// The maximum length of a received message, in bytes. It exceeds the protocol's limit so that
/// longer chat messages are accepted.
const MAX_LENGTH: u64 = 1024;

/// The time after which the connection to an unreachable machine is closed, even while no message
/// is due: a machine that has lost its network or power must not block other opponents.
#[cfg(unix)]
const DEAD_AFTER: Duration = Duration::from_secs(60);

/// Enables TCP keepalive probes, which detect an unreachable machine within [`DEAD_AFTER`]. On
/// other platforms the system's settings apply.
#[cfg(unix)]
fn keep_alive(stream: &TcpStream) -> io::Result<()> {
    use rustix::net::sockopt;
    const PROBES: u32 = 3;
    sockopt::set_socket_keepalive(stream, true)?;
    sockopt::set_tcp_keepidle(stream, DEAD_AFTER / 2)?;
    sockopt::set_tcp_keepintvl(stream, DEAD_AFTER / 2 / PROBES)?;
    sockopt::set_tcp_keepcnt(stream, PROBES)?;
    Ok(())
}

/// Connects to a listening program. Tries each address of the host once, for at most `timeout`
/// each.
///
/// # Errors
///
/// The host is unknown, or no program is listening on the port.
pub fn connect(host: &str, port: u16, timeout: Duration) -> io::Result<TcpStream> {
    let mut last = io::Error::other("no such host");
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, timeout) {
            // If no program is listening, TCP may happen to connect the socket to itself.
            Ok(stream) if stream.local_addr()? == stream.peer_addr()? => {}
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// A message received from the other program.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Incoming {
    /// A valid message.
    Message(Message),
    /// An invalid message; holds a description of the error.
    Invalid(String),
}

/// Sends and receives messages over a stream, which is closed on drop.
pub struct MessageStream {
    stream: TcpStream,
    /// The received messages; disconnected once the other side has closed the connection.
    incoming: Receiver<Incoming>,
    /// The time at which the last message was sent.
    sent: Option<Instant>,
}

impl MessageStream {
    /// Takes over a connected stream and starts a thread that reads from it.
    ///
    /// # Errors
    ///
    /// The stream cannot be configured, or the system cannot create a thread.
    pub fn new(stream: TcpStream) -> io::Result<MessageStream> {
        // On Windows, the stream inherits the non-blocking mode of its listener.
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(SEND_TIMEOUT))?;
        #[cfg(unix)]
        keep_alive(&stream)?;
        let (sender, incoming) = crossbeam_channel::bounded(MAX_UNREAD);
        let input = BufReader::new(stream.try_clone()?);
        thread::Builder::new().name("dxp".to_owned()).spawn(move || read(input, &sender))?;
        Ok(MessageStream { stream, incoming, sent: None })
    }

    /// Sends a message, at least `SEND_INTERVAL` after the previous one.
    fn send(&mut self, message: &Message) -> io::Result<()> {
        let text = message.format().map_err(io::Error::other)?;
        if let Some(sent) = self.sent {
            thread::sleep(SEND_INTERVAL.saturating_sub(sent.elapsed()));
        }
        log::debug!("> {text}");
        self.stream.write_all(&[text.as_bytes(), &[END]].concat())?;
        self.sent = Some(Instant::now());
        Ok(())
    }
}

impl Drop for MessageStream {
    fn drop(&mut self) {
        // An explicit shutdown is needed because the reader thread also holds the stream. It fails
        // if the connection is already closed.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Forwards received messages until the input ends or the receiver is dropped.
fn read(mut input: impl BufRead, sender: &Sender<Incoming>) {
    // A read error counts as the end of the connection.
    while let Ok(Some(incoming)) = read_message(&mut input) {
        log::debug!("< {incoming:?}");
        if sender.send(incoming).is_err() {
            return;
        }
    }
}

/// The next message, valid or not; `None` at the end of the input.
fn read_message(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let mut bytes = Vec::new();
    input.by_ref().take(MAX_LENGTH).read_until(END, &mut bytes)?;
    if bytes.pop_if(|last| *last == END).is_some() {
        let invalid = |error: MessageError| Incoming::Invalid(error.to_string());
        return Ok(Some(Message::parse(&bytes).map_or_else(invalid, Incoming::Message)));
    }
    if (bytes.len() as u64) < MAX_LENGTH {
        return Ok(None);
    }
    input.skip_until(END)?;
    Ok(Some(Incoming::Invalid(format!("message longer than {MAX_LENGTH} bytes"))))
}

/// An event that a session has to handle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DxpEvent {
    /// A message other than chat.
    Message(Message),
    /// The connection is closed.
    Closed,
    /// The user of this program wants to stop.
    Stopped,
    /// Nothing arrived before the timeout.
    Timeout,
}

/// A note for the user, which the session need not handle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// Chat from the opponent.
    Chat(String),
    /// A description of a message that was ignored because it is invalid or unexpected at this
    /// point.
    Ignored(String),
}

/// A connection that reports chat as notes and can be interrupted by the user.
pub struct DxpConnection<'a> {
    stream: MessageStream,
    stop: &'a Receiver<()>,
    notes: &'a mut dyn FnMut(Note),
    /// The number of notes since the last message to the other program.
    note_count: u32,
}

impl<'a> DxpConnection<'a> {
    /// A connection over a stream. A message on `stop` means that the user wants to stop.
    pub fn new(
        stream: MessageStream,
        stop: &'a Receiver<()>,
        notes: &'a mut dyn FnMut(Note),
    ) -> Self {
        DxpConnection { stream, stop, notes, note_count: 0 }
    }

    /// Sends a message.
    ///
    /// # Errors
    ///
    /// The connection is closed, or the message cannot be formatted.
    pub fn send(&mut self, message: &Message) -> io::Result<()> {
        self.note_count = 0;
        self.stream.send(message)
    }

    /// Reports a message that is unexpected at this point as a note.
    pub fn ignore(&mut self, message: &Message) {
        let text = message.format().unwrap_or_else(|_| format!("{message:?}"));
        self.note(Note::Ignored(format!("unexpected message {text:?}")));
    }

    /// Reports a note unless there have been too many.
    fn note(&mut self, note: Note) {
        self.note_count += 1;
        match self.note_count {
            ..=MAX_NOTES => (self.notes)(note),
            count if count == MAX_NOTES + 1 => {
                let text = "too many messages; the following ones are not shown";
                (self.notes)(Note::Ignored(text.to_owned()));
            }
            _ => {}
        }
    }

    /// Waits for an event for at most `timeout`, or indefinitely if it is `None`. Chat and invalid
    /// messages become notes.
    pub fn wait(&mut self, timeout: Option<Duration>) -> DxpEvent {
        let end = timeout.map_or_else(never, after);
        self.wait_until(&end).unwrap_or(DxpEvent::Timeout)
    }

    /// Waits for an event. Returns `None` if `end` receives a message or is disconnected first.
    pub fn wait_until<T>(&mut self, end: &Receiver<T>) -> Option<DxpEvent> {
        loop {
            let incoming = select_biased! {
                recv(self.stop) -> _ => return Some(DxpEvent::Stopped),
                recv(self.stream.incoming) -> incoming => incoming,
                recv(end) -> _ => return None,
            };
            match incoming {
                Err(_) => return Some(DxpEvent::Closed),
                Ok(Incoming::Message(Message::Chat(text))) => self.note(Note::Chat(text)),
                Ok(Incoming::Message(message)) => return Some(DxpEvent::Message(message)),
                Ok(Incoming::Invalid(what)) => self.note(Note::Ignored(what)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::dxp::{AfterGame, EndReason};

    #[test]
    fn splits_bytes_into_messages() {
        let mut bytes = b"Chello\0\0E01\0".to_vec();
        bytes.extend(vec![b'x'; 3 * MAX_LENGTH as usize]);
        bytes.extend(b"\0E01\0E0");
        let (mut input, mut messages) = (bytes.as_slice(), Vec::new());
        while let Some(incoming) = read_message(&mut input).unwrap() {
            messages.push(incoming);
        }
        let end =
            Incoming::Message(Message::End { reason: EndReason::Unknown, next: AfterGame::Quit });
        assert_eq!(messages.len(), 5);
        assert_eq!(messages[0], Incoming::Message(Message::Chat("hello".to_owned())));
        assert!(matches!(&messages[1], Incoming::Invalid(what) if what.contains("message type")));
        assert!(matches!(&messages[3], Incoming::Invalid(what) if what.contains("1024")));
        assert_eq!((&messages[2], &messages[4]), (&end, &end));
    }

    #[test]
    #[cfg(unix)]
    fn dead_connections_are_found() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let stream = MessageStream::new(stream).unwrap().stream.try_clone().unwrap();
        use rustix::net::sockopt;
        assert!(sockopt::socket_keepalive(&stream).unwrap());
        let probing =
            sockopt::tcp_keepintvl(&stream).unwrap() * sockopt::tcp_keepcnt(&stream).unwrap();
        assert_eq!(sockopt::tcp_keepidle(&stream).unwrap() + probing, DEAD_AFTER);
    }
}

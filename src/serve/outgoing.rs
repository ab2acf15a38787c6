//! What goes out to a client: each line is a message.

use std::io::{self, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tungstenite::protocol::frame::CloseFrame;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Bytes, Error, Message, WebSocket};

/// The way out, shared by the session and by what answers questions.
#[derive(Clone)]
pub struct Outgoing {
    socket: Arc<Mutex<WebSocket<TcpStream>>>,
    /// The line that is being written.
    line: Vec<u8>,
}

impl Outgoing {
    pub fn new(stream: TcpStream, config: WebSocketConfig) -> Outgoing {
        let socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config));
        Outgoing { socket: Arc::new(Mutex::new(socket)), line: Vec::new() }
    }

    /// Sends a line.
    ///
    /// # Errors
    ///
    /// The client is gone, or does not read.
    pub fn say(&self, line: &str) -> io::Result<()> {
        self.send(Message::text(line))
    }

    /// Asks whether the client is there.
    ///
    /// # Errors
    ///
    /// As for [`Outgoing::say`].
    pub fn ping(&self) -> io::Result<()> {
        self.send(Message::Ping(Bytes::new()))
    }

    /// Answers the same question, with what came with it.
    ///
    /// # Errors
    ///
    /// As for [`Outgoing::say`].
    pub fn pong(&self, with: Bytes) -> io::Result<()> {
        self.send(Message::Pong(with))
    }

    /// Says why no more will be said.
    ///
    /// # Errors
    ///
    /// As for [`Outgoing::say`].
    pub fn refuse(&self, why: CloseFrame) -> io::Result<()> {
        self.send(Message::Close(Some(why)))
    }

    /// Ends the WebSocket. A client that is gone does not mind.
    pub fn close(&self) {
        let mut socket = self.socket();
        let _ = socket.close(None);
        let _ = socket.flush();
    }

    fn send(&self, message: Message) -> io::Result<()> {
        self.socket().send(message).map_err(|error| match error {
            Error::Io(error) => error,
            // The client has said goodbye while this was said.
            Error::ConnectionClosed | Error::AlreadyClosed | Error::Protocol(_) => {
                io::ErrorKind::BrokenPipe.into()
            }
            error => io::Error::other(error),
        })
    }

    fn socket(&self) -> MutexGuard<'_, WebSocket<TcpStream>> {
        self.socket.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A line is sent when it is flushed.
impl Write for Outgoing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = String::from_utf8_lossy(&self.line).trim_end().to_owned();
        self.line.clear();
        self.say(&line)
    }
}

//! What comes in from a client: lines for the session. Questions are answered here.

use std::io::{self, BufRead, Read, Write};
use std::net::TcpStream;

use tungstenite::protocol::frame::CloseFrame;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};

use crate::page_api::PageApi;

use super::outgoing::Outgoing;

/// The lines of a client, and before them those of the server.
pub struct Incoming {
    socket: WebSocket<ReadOnly>,
    outgoing: Outgoing,
    desk: PageApi,
    /// What the session has not read yet.
    text: io::Cursor<Vec<u8>>,
    /// Whether the client was asked if it is there, and has not answered.
    is_asked: bool,
}

impl Incoming {
    /// The lines of a stream whose reads end in time, and of which `early` was already read; before
    /// them come `settings`.
    pub fn new(
        stream: TcpStream,
        early: Vec<u8>,
        config: WebSocketConfig,
        outgoing: Outgoing,
        desk: PageApi,
        settings: String,
    ) -> Incoming {
        let socket =
            WebSocket::from_partially_read(ReadOnly(stream), early, Role::Server, Some(config));
        let text = io::Cursor::new(settings.into_bytes());
        Incoming { socket, outgoing, desk, text, is_asked: false }
    }

    /// The next line; `None` once the client is gone.
    fn next_line(&mut self) -> io::Result<Option<String>> {
        loop {
            let message = match self.socket.read() {
                Ok(message) => message,
                Err(Error::Io(error)) if is_silence(&error) && !self.is_asked => {
                    self.is_asked = true;
                    self.outgoing.ping()?;
                    continue;
                }
                Err(error) => return self.give_up(&error),
            };
            self.is_asked = false;
            match message {
                Message::Text(line) if PageApi::is_request(&line) => {
                    self.outgoing.say(&self.desk.answer(&line))?;
                }
                Message::Text(line) => return Ok(Some(line.to_string())),
                Message::Ping(with) => self.outgoing.pong(with)?,
                Message::Close(_) => return Ok(None),
                Message::Binary(_) | Message::Pong(_) | Message::Frame(_) => {}
            }
        }
    }

    /// The end, with a word for a client that was wrong and is still there.
    fn give_up(&self, error: &Error) -> io::Result<Option<String>> {
        log::debug!("a client is given up: {error}");
        let code = match error {
            Error::Capacity(_) => CloseCode::Size,
            Error::Protocol(_) => CloseCode::Protocol,
            Error::Utf8(_) => CloseCode::Invalid,
            _ => return Ok(None),
        };
        self.outgoing.refuse(CloseFrame { code, reason: error.to_string().into() })?;
        Ok(None)
    }
}

/// Whether an error means that nothing has come for a while.
fn is_silence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

impl BufRead for Incoming {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.text.fill_buf()?.is_empty()
            && let Some(line) = self.next_line()?
        {
            self.text = io::Cursor::new((line + "\n").into_bytes());
        }
        self.text.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.text.consume(amount);
    }
}

impl Read for Incoming {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

/// A stream that is only read. A WebSocket answers some messages by itself while it reads; here the
/// answers come from [`Outgoing`], which alone writes, so that messages do not mix.
struct ReadOnly(TcpStream);

impl Read for ReadOnly {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for ReadOnly {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

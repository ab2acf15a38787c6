//! A Hub session over a WebSocket whose messages are lines. Requests from the page are answered
//! here and do not reach the session.

use std::io::{self, BufRead, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sha1_smol::Sha1;
use tungstenite::protocol::frame::CloseFrame;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Bytes, Error, Message, WebSocket};

use crate::engine::default_bitbase_folder;
use crate::page_api::{MAX_REQUEST, PageApi};
use crate::protocol::hub::{ParamBounds, run_bounded};

use super::access::ServerConfig;

/// The maximum size of a message in bytes. A request of more than [`MAX_REQUEST`] bytes is answered
/// with an error; only a message larger than this limit ends the session, which bounds its memory
/// use.
const MAX_MESSAGE: usize = 2 * MAX_REQUEST;

/// A client that has been silent for this long is pinged; if it stays silent for as long again, the
/// session ends.
const PING_INTERVAL: Duration = Duration::from_secs(20);

/// The response that opens a WebSocket, for the client's key.
pub fn handshake(key: &str) -> String {
    format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {}\r\n\r\n",
        accept_key(key)
    )
}

/// The value that accepts a client's key (RFC 6455): the SHA-1 of the key and a constant, in base
/// 64.
fn accept_key(key: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let hash = Sha1::from(format!("{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11")).digest().bytes();
    // 20 bytes fill 27 digits of 6 bits, with two padding bits in the last digit; one `=` follows.
    let byte = |index: usize| u32::from(hash.get(index).copied().unwrap_or(0));
    let digit = |index: usize| {
        let at = index * 6;
        let bits = byte(at / 8) << 8 | byte(at / 8 + 1);
        char::from(DIGITS[(bits >> (10 - at % 8) & 63) as usize])
    };
    (0..27).map(digit).chain(['=']).collect()
}

/// Speaks Hub and answers requests until the client sends `quit` or closes the connection. `early`
/// contains the bytes that the client has already sent.
///
/// # Errors
///
/// The connection has failed.
pub fn run(stream: &TcpStream, early: Vec<u8>, config: &ServerConfig) -> io::Result<()> {
    stream.set_read_timeout(Some(PING_INTERVAL))?;
    let limits = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE));
    let outgoing = Outgoing::new(stream.try_clone()?, limits);
    let input = ReadOnly(stream.try_clone()?);
    let incoming = Incoming {
        socket: WebSocket::from_partially_read(input, early, Role::Server, Some(limits)),
        outgoing: outgoing.clone(),
        api: PageApi::with_bitbases(config.bitbases.clone().or_else(default_bitbase_folder)),
        unread: io::Cursor::default(),
        is_pinged: false,
    };
    let bounds = ParamBounds {
        threads: config.threads as u32,
        tt_size: config.tt_size,
        bitbases: config.bitbases.clone(),
    };
    let result = run_bounded(bounds, config.max_search_time, incoming, outgoing.clone());
    outgoing.close();
    result
}

/// The input of the session: the client's lines. Reads time out after [`PING_INTERVAL`].
struct Incoming {
    socket: WebSocket<ReadOnly>,
    outgoing: Outgoing,
    api: PageApi,
    /// Input that the session has not read yet.
    unread: io::Cursor<Vec<u8>>,
    /// Whether the client has been pinged and has not answered.
    is_pinged: bool,
}

impl Incoming {
    /// The next line; `None` once the client has closed the connection.
    fn next_line(&mut self) -> io::Result<Option<String>> {
        loop {
            let message = match self.socket.read() {
                Ok(message) => message,
                Err(Error::Io(error)) if is_timeout(&error) && !self.is_pinged => {
                    self.is_pinged = true;
                    self.outgoing.send(Message::Ping(Bytes::new()))?;
                    continue;
                }
                Err(error) => return self.close_after(&error),
            };
            self.is_pinged = false;
            match message {
                Message::Text(line) if PageApi::is_request(&line) => {
                    self.outgoing.send(Message::text(self.api.answer(&line)))?;
                }
                Message::Text(line) => return Ok(Some(line.to_string())),
                Message::Ping(payload) => self.outgoing.send(Message::Pong(payload))?,
                Message::Close(_) => return Ok(None),
                Message::Binary(_) | Message::Pong(_) | Message::Frame(_) => {}
            }
        }
    }

    /// Ends the session after an error. If the client has violated the protocol, the close frame
    /// explains the error.
    fn close_after(&self, error: &Error) -> io::Result<Option<String>> {
        log::debug!("session closed: {error}");
        let code = match error {
            Error::Capacity(_) => CloseCode::Size,
            Error::Protocol(_) => CloseCode::Protocol,
            Error::Utf8(_) => CloseCode::Invalid,
            _ => return Ok(None),
        };
        let frame = CloseFrame { code, reason: error.to_string().into() };
        self.outgoing.send(Message::Close(Some(frame)))?;
        Ok(None)
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

impl BufRead for Incoming {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.unread.fill_buf()?.is_empty()
            && let Some(line) = self.next_line()?
        {
            self.unread = io::Cursor::new((line + "\n").into_bytes());
        }
        self.unread.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.unread.consume(amount);
    }
}

impl Read for Incoming {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

/// A stream whose writes are discarded. While reading, a WebSocket answers some messages on its
/// own. Here only [`Outgoing`] writes these answers, so that messages are not interleaved.
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

/// The output to a client, to which the session and [`Incoming`] write.
#[derive(Clone)]
struct Outgoing {
    socket: Arc<Mutex<WebSocket<TcpStream>>>,
    /// The line that is being written.
    line: Vec<u8>,
}

impl Outgoing {
    fn new(stream: TcpStream, limits: WebSocketConfig) -> Outgoing {
        let socket = WebSocket::from_raw_socket(stream, Role::Server, Some(limits));
        Outgoing { socket: Arc::new(Mutex::new(socket)), line: Vec::new() }
    }

    /// Sends a message.
    ///
    /// # Errors
    ///
    /// The client has closed the connection, or does not read.
    fn send(&self, message: Message) -> io::Result<()> {
        self.socket().send(message).map_err(|error| match error {
            Error::Io(error) => error,
            // The client has closed the connection in the meantime.
            Error::ConnectionClosed | Error::AlreadyClosed | Error::Protocol(_) => {
                io::ErrorKind::BrokenPipe.into()
            }
            error => io::Error::other(error),
        })
    }

    /// Closes the WebSocket, unless the client has already closed it.
    fn close(&self) {
        let mut socket = self.socket();
        let _ = socket.close(None);
        let _ = socket.flush();
    }

    fn socket(&self) -> MutexGuard<'_, WebSocket<TcpStream>> {
        self.socket.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sends each line when it is flushed.
impl Write for Outgoing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = String::from_utf8_lossy(&self.line).trim_end().to_owned();
        self.line.clear();
        self.send(Message::text(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derives_the_accept_key_of_the_rfc() {
        assert_eq!(accept_key("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }
}

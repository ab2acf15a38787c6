//! Accepting and opening DXP connections.

use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, select_biased};

use crate::protocol::dxp::{END, Message, PORT, connect};

/// The interval between attempts to establish a connection.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// The timeout for one attempt to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum number of accepted connections waiting for a game; further ones wait in the system's
/// queue.
const MAX_WAITING: usize = 16;

/// The time allowed for the current connection to close before the next program is asked to wait.
const NOTICE_DELAY: Duration = Duration::from_secs(1);

/// The timeout for sending that notice.
const NOTICE_TIMEOUT: Duration = Duration::from_secs(1);

/// The chat for a program that connects during a game.
const NOTICE: &str = "Another game is in progress. Yours can start when it has ended.";

/// A host and a port: `host:port`, `host` or `:port`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    pub host: String,
    pub port: u16,
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // An IPv6 address itself contains colons, and is in brackets if a port follows.
        let is_bare = text.matches(':').count() > 1 && !text.contains(']');
        let (host, port) = match text.rsplit_once(':').filter(|_| !is_bare && !text.ends_with(']'))
        {
            Some((host, port)) => {
                let port =
                    port.parse().map_err(|_| format!("not a port from 0 to 65535: {port:?}"))?;
                (host, port)
            }
            None => (text, PORT),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let host = if host.is_empty() { "127.0.0.1" } else { host };
        Ok(Address { host: host.to_owned(), port })
    }
}

/// A source of connections.
pub enum ConnectionSource {
    /// Other programs connect to this one.
    Listening(Acceptor),
    /// This program connects to an address, and retries for the given time.
    Calling(Address, Duration),
}

impl ConnectionSource {
    /// The next connection; `None` if the user wants to stop.
    ///
    /// # Errors
    ///
    /// No program accepts the connection in time.
    pub fn next(&self, stop: &Receiver<()>) -> io::Result<Option<TcpStream>> {
        match self {
            ConnectionSource::Listening(acceptor) => acceptor.next(stop),
            ConnectionSource::Calling(address, timeout) => call(address, *timeout, stop),
        }
    }
}

/// Connects to an address, and retries for `timeout`.
fn call(
    Address { host, port }: &Address,
    timeout: Duration,
    stop: &Receiver<()>,
) -> io::Result<Option<TcpStream>> {
    let began = Instant::now();
    loop {
        match connect(host, *port, CONNECT_TIMEOUT.min(timeout)) {
            Ok(stream) => return Ok(Some(stream)),
            Err(error) if began.elapsed() >= timeout => {
                let what = format!("cannot connect to {host}:{port}: {error}");
                return Err(io::Error::new(error.kind(), what));
            }
            Err(_) => {}
        }
        if stop.recv_timeout(RETRY_INTERVAL).is_ok() {
            return Ok(None);
        }
    }
}

/// Accepts connections on a separate thread, which asks programs that connect during a game to
/// wait.
pub struct Acceptor {
    address: SocketAddr,
    accepted: Receiver<TcpStream>,
    /// Whether a connection is in use.
    is_busy: Arc<AtomicBool>,
}

impl Acceptor {
    /// Starts to listen at an address.
    ///
    /// # Errors
    ///
    /// The address is in use or does not belong to this machine, or the system cannot create a
    /// thread.
    pub fn listen(Address { host, port }: &Address) -> io::Result<Acceptor> {
        let listener = TcpListener::bind((host.as_str(), *port)).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot listen on {host}:{port}: {error}"))
        })?;
        let address = listener.local_addr()?;
        let is_busy = Arc::new(AtomicBool::new(false));
        let (sender, accepted) = bounded(MAX_WAITING);
        let acceptor = Acceptor { address, accepted, is_busy: is_busy.clone() };
        let run = move || accept(&listener, &sender, &is_busy);
        thread::Builder::new().name("dxp accept".to_owned()).spawn(run)?;
        Ok(acceptor)
    }

    /// The address and port on which programs can connect.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    fn next(&self, stop: &Receiver<()>) -> io::Result<Option<TcpStream>> {
        self.is_busy.store(false, Ordering::Relaxed);
        let stream = select_biased! {
            recv(stop) -> _ => return Ok(None),
            recv(self.accepted) -> stream => stream.map_err(io::Error::other)?,
        };
        self.is_busy.store(true, Ordering::Relaxed);
        Ok(Some(stream))
    }
}

/// Accepts connections until the receiver is dropped.
fn accept(listener: &TcpListener, accepted: &Sender<TcpStream>, is_busy: &AtomicBool) {
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                if stays_busy(is_busy) {
                    ask_to_wait(&stream);
                }
                if accepted.send(stream).is_err() {
                    return;
                }
            }
            // Failing to accept a connection, for example because the peer has closed it, is not
            // fatal.
            Err(_) => thread::sleep(RETRY_INTERVAL),
        }
    }
}

/// Whether another connection remains in use for [`NOTICE_DELAY`].
fn stays_busy(is_busy: &AtomicBool) -> bool {
    let began = Instant::now();
    while is_busy.load(Ordering::Relaxed) {
        if began.elapsed() >= NOTICE_DELAY {
            return true;
        }
        thread::sleep(RETRY_INTERVAL);
    }
    false
}

/// Asks a program to wait. A failure is ignored here, because it recurs when the connection is
/// used.
fn ask_to_wait(mut stream: &TcpStream) {
    let Ok(text) = Message::Chat(NOTICE.to_owned()).format() else { return };
    let _ = stream.set_write_timeout(Some(NOTICE_TIMEOUT));
    let _ = stream.write_all(&[text.as_bytes(), &[END]].concat());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_addresses() {
        for (text, host, port) in [
            ("localhost:1234", "localhost", 1234),
            ("localhost", "localhost", PORT),
            (":1234", "127.0.0.1", 1234),
            ("[::1]:1234", "::1", 1234),
            ("[::1]", "::1", PORT),
            ("::1", "::1", PORT),
        ] {
            assert_eq!(text.parse(), Ok(Address { host: host.to_owned(), port }), "{text}");
        }
        for text in ["localhost:", "localhost:x", "localhost:70000"] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}

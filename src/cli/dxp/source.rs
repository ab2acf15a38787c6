//! Accepting and opening DXP connections.

use std::io;
use std::net::{TcpListener, TcpStream};
use std::str::FromStr;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use crate::protocol::dxp::{PORT, connect};

/// The interval between attempts to get a connection.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// The timeout for one attempt to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

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
    Listening(TcpListener),
    /// This program connects to an address, and retries for the given time.
    Calling(Address, Duration),
}

impl ConnectionSource {
    /// Starts to listen at an address.
    pub fn listen(address: &Address) -> io::Result<ConnectionSource> {
        let Address { host, port } = address;
        let listener = TcpListener::bind((host.as_str(), *port)).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot listen on {host}:{port}: {error}"))
        })?;
        listener.set_nonblocking(true)?;
        Ok(ConnectionSource::Listening(listener))
    }

    /// The next connection; `None` if the user wants to stop.
    pub fn next(&self, stop: &Receiver<()>) -> io::Result<Option<TcpStream>> {
        let began = Instant::now();
        loop {
            match self.attempt() {
                Ok(stream) => return Ok(Some(stream)),
                Err(error) => self.give_up(began, error)?,
            }
            if stop.recv_timeout(RETRY_INTERVAL).is_ok() {
                return Ok(None);
            }
        }
    }

    fn attempt(&self) -> io::Result<TcpStream> {
        match self {
            ConnectionSource::Listening(listener) => listener.accept().map(|(stream, _)| stream),
            ConnectionSource::Calling(Address { host, port }, patience) => {
                connect(host, *port, CONNECT_TIMEOUT.min(*patience))
            }
        }
    }

    /// Returns the error if there is no point in trying again.
    fn give_up(&self, began: Instant, error: io::Error) -> io::Result<()> {
        match self {
            // Failing to accept a connection, for example because the peer has closed it, is not
            // fatal.
            ConnectionSource::Listening(_) => Ok(()),
            ConnectionSource::Calling(_, patience) if began.elapsed() < *patience => Ok(()),
            ConnectionSource::Calling(Address { host, port }, _) => {
                let what = format!("cannot connect to {host}:{port}: {error}");
                Err(io::Error::new(error.kind(), what))
            }
        }
    }
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

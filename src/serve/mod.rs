//! The page with the engine behind it: a server on this machine.
//!
//! A browser asks for the files of the page, then opens a WebSocket to `/engine`. Each message is a
//! line: of Hub, or a question about the rules ([`crate::page_api`]). A connection passes
//! through these modules in order:
//!
//! - `connection`: the thread of a connection, from its request to its end.
//! - `request`: the head of an HTTP request.
//! - `guard`: whether to answer: hosts, origins and the token.
//! - `files`: the page, which is inside the program.
//! - `answer`: the answer to a request that is no session.
//! - `session`: a session of Hub over a WebSocket, with its ends `incoming` and `outgoing`.
//!
//! The server is made for one person and the few pages that person has open: a thread for each
//! connection, and few connections.

mod answer;
mod connection;
mod files;
mod guard;
mod incoming;
mod outgoing;
mod places;
mod request;
mod session;
mod terms;

#[cfg(test)]
mod tests;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use connection::ServerState;
use places::Semaphore;

pub use request::{Request, RequestError};
pub use terms::{Origin, ServerConfig, is_token};

/// The port, unless another is asked for.
pub const PORT: u16 = 8555;

/// The most connections at a time, sessions or not; more are closed at once.
const CONNECTIONS: usize = 256;

/// How long to wait after a connection could not be accepted, as when there are no more files.
const RECOVERY: Duration = Duration::from_millis(50);

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    house: Arc<ServerState>,
}

impl Server {
    /// Listens at an address; port 0 is any that is free.
    ///
    /// # Errors
    ///
    /// The address is not of this machine, or is in use.
    pub fn bind(address: SocketAddr, terms: ServerConfig) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        Ok(Server { listener, house: Arc::new(ServerState::new(terms)) })
    }

    /// The address of the page, with the token.
    ///
    /// # Errors
    ///
    /// The system does not know where it listens.
    pub fn address(&self) -> io::Result<String> {
        let address = self.listener.local_addr()?;
        Ok(format!("http://{address}/?token={}", self.house.terms.token))
    }

    /// Answers, one connection after another, until the process ends.
    pub fn run(&self) {
        let places = Semaphore::new(CONNECTIONS);
        loop {
            let stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) => {
                    log::warn!("a connection was not accepted: {error}");
                    thread::sleep(RECOVERY);
                    continue;
                }
            };
            let Some(place) = places.take() else {
                log::warn!("a connection was closed: there are {CONNECTIONS}");
                continue;
            };
            let house = Arc::clone(&self.house);
            let work = move || {
                house.answer(stream);
                drop(place);
            };
            if let Err(error) = thread::Builder::new().name("connection".to_owned()).spawn(work) {
                log::warn!("a connection was closed: {error}");
            }
        }
    }
}

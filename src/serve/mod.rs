//! A local server, for the page with the native engine or for another [`Site`].
//!
//! A browser loads the files of the page, then opens a WebSocket to `/engine`. Each message is a
//! Hub line or a request about the rules ([`crate::page_api`]). A connection passes through these
//! modules in order:
//!
//! - `connection`: runs the thread of the connection, from the request to the end.
//! - `http`: parses the head of the request, and writes the response unless a session follows.
//! - `engine_site`: answers requests for the page and for the engine.
//! - `access`: checks the host, the origin and the token of the request.
//! - `files`: the page, which is embedded in the program.
//! - `session`: a Hub session over a WebSocket.
//!
//! The server is designed for one user with a few open pages, so there are few connections, each
//! with its own thread.

mod access;
mod connection;
mod engine_site;
mod files;
mod http;
mod session;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::instant::Instant;

use connection::{Permit, Semaphore, ServerState};

pub use access::{Origin, ServerConfig, check_request, is_token};
pub use connection::Site;
pub use engine_site::{EngineSite, file};
pub use http::{NOT_FOUND, Request, RequestError, Response};

/// The default port.
pub const PORT: u16 = 8555;

/// The maximum number of simultaneous connections, with or without a session. To make room for
/// another connection, the one that has waited longest for its request is closed; if none is
/// waiting, the new connection is closed.
const MAX_CONNECTIONS: usize = 256;

/// The maximum time to wait for a closed connection to end.
const ROOM_WAIT: Duration = Duration::from_millis(200);
/// The interval at which to check whether it has ended.
const ROOM_POLL: Duration = Duration::from_millis(1);

/// The pause after a failure to accept a connection, for example when file descriptors run out.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);

/// A listening server.
pub struct Server {
    listener: TcpListener,
    state: Arc<ServerState>,
}

impl Server {
    /// Listens on an address; port 0 selects a free port.
    ///
    /// # Errors
    ///
    /// The address does not belong to this machine, or is in use.
    pub fn bind(address: SocketAddr, site: Arc<dyn Site>) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        Ok(Server { listener, state: Arc::new(ServerState::new(site)) })
    }

    /// The URL of the site, with a final slash. If the server listens on all addresses, the URL has
    /// one that other machines can open.
    ///
    /// # Errors
    ///
    /// The system does not report the address.
    pub fn address(&self) -> io::Result<String> {
        let mut address = self.listener.local_addr()?;
        if address.ip().is_unspecified() {
            address.set_ip(own_address(address.ip()));
        }
        Ok(format!("http://{address}/"))
    }

    /// Serves connections until the process ends.
    pub fn run(&self) {
        let connections = Semaphore::new(MAX_CONNECTIONS);
        loop {
            let stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) => {
                    log::warn!("connection not accepted: {error}");
                    thread::sleep(ACCEPT_RETRY);
                    continue;
                }
            };
            let Some(permit) = self.acquire_connection(&connections) else {
                log::warn!("connection closed: the maximum is {MAX_CONNECTIONS}");
                continue;
            };
            let state = Arc::clone(&self.state);
            let work = move || {
                state.handle(stream);
                drop(permit);
            };
            if let Err(error) = thread::Builder::new().name("connection".to_owned()).spawn(work) {
                log::warn!("connection closed: {error}");
            }
        }
    }

    /// A permit for a connection; `None` if none becomes free.
    fn acquire_connection(&self, connections: &Semaphore) -> Option<Permit> {
        let permit = connections.try_acquire();
        if permit.is_some() {
            return permit;
        }
        self.state.close_oldest_waiting();
        let deadline = Instant::now() + ROOM_WAIT;
        loop {
            match connections.try_acquire() {
                None if Instant::now() < deadline => thread::sleep(ROOM_POLL),
                permit => return permit,
            }
        }
    }
}

/// The address of this machine in its network, or the loopback address if it has none. `any` is the
/// unspecified address of the address family.
fn own_address(any: IpAddr) -> IpAddr {
    // Addresses for documentation, which are never reached: connecting a UDP socket sends nothing,
    // but selects the interface that leads to the network.
    let (elsewhere, loopback): (IpAddr, IpAddr) = match any {
        IpAddr::V4(_) => (Ipv4Addr::new(192, 0, 2, 1).into(), Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(_) => {
            (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(), Ipv6Addr::LOCALHOST.into())
        }
    };
    let outgoing = || {
        let socket = UdpSocket::bind((any, 0))?;
        socket.connect((elsewhere, 9))?;
        socket.local_addr()
    };
    outgoing().map_or(loopback, |address| address.ip())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_an_address_that_can_be_opened() {
        for any in [IpAddr::from(Ipv4Addr::UNSPECIFIED), Ipv6Addr::UNSPECIFIED.into()] {
            let own = own_address(any);
            assert!(!own.is_unspecified() && own.is_ipv4() == any.is_ipv4(), "{own}");
        }
    }
}

//! Connecting with a program that listens.

use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

/// Tries all addresses of a host once, each for so long at the most.
///
/// # Errors
///
/// Nobody listens there, or the host is not known.
pub fn dial(host: &str, port: u16, patience: Duration) -> io::Result<TcpStream> {
    let mut last = io::Error::other("no such host");
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, patience) {
            // While nobody listens, a connection may by chance be made with itself.
            Ok(stream) if stream.local_addr()? == stream.peer_addr()? => {}
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

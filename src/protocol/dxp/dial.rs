//! Connecting to a program that listens.

use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

/// Tries each address of a host once, at most for `patience`.
///
/// # Errors
///
/// No program listens there, or the host is unknown.
pub fn connect(host: &str, port: u16, patience: Duration) -> io::Result<TcpStream> {
    let mut last = io::Error::other("no such host");
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, patience) {
            // While no program listens, TCP may by chance connect the socket to itself.
            Ok(stream) if stream.local_addr()? == stream.peer_addr()? => {}
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

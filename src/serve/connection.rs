//! The thread of a connection: reads the request and lets the site answer it.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::instant::Instant;

use super::http::{BAD_REQUEST, Request, RequestError, Response, TIMEOUT};

/// Answers the requests to a server.
pub trait Site: Send + Sync {
    /// Answers a request: writes a response, or uses the stream for as long as necessary.
    ///
    /// # Errors
    ///
    /// The client has closed the connection, or does not read.
    fn answer(&self, stream: &mut TcpStream, request: Request) -> io::Result<()>;
}

/// The maximum time to keep reading after the response. If a connection is closed while unread
/// bytes remain, it is reset, and the client might never see the response.
const LINGER: Duration = Duration::from_secs(2);

/// The maximum number of bytes to read after the response.
const MAX_LINGER_BYTES: u64 = 32 << 20;

/// A semaphore that does not block.
pub struct Semaphore(Arc<AtomicUsize>);

/// A permit of a [`Semaphore`], released on drop.
pub struct Permit(Arc<AtomicUsize>);

impl Semaphore {
    /// A semaphore with the given number of permits, all free.
    pub fn new(permits: usize) -> Semaphore {
        Semaphore(Arc::new(AtomicUsize::new(permits)))
    }

    /// Acquires a permit; `None` if none is free.
    pub fn try_acquire(&self) -> Option<Permit> {
        let less = |free: usize| free.checked_sub(1);
        self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, less).ok()?;
        Some(Permit(Arc::clone(&self.0)))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::AcqRel);
    }
}

/// The state that all connections share.
pub struct ServerState {
    site: Arc<dyn Site>,
    waiting: Mutex<WaitingConnections>,
}

/// The connections whose requests have not fully arrived.
#[derive(Default)]
struct WaitingConnections {
    /// The streams by number; connections are numbered in the order they were opened.
    streams: BTreeMap<u64, TcpStream>,
    next: u64,
}

impl WaitingConnections {
    /// Adds a connection and returns its number.
    fn add(&mut self, stream: TcpStream) -> u64 {
        let number = self.next;
        self.next += 1;
        self.streams.insert(number, stream);
        number
    }
}

impl ServerState {
    pub fn new(site: Arc<dyn Site>) -> ServerState {
        ServerState { site, waiting: Mutex::default() }
    }

    /// Closes the connection that has waited longest for its request, to make room for another one.
    pub fn close_oldest_waiting(&self) {
        if let Some((_, stream)) = self.waiting().streams.pop_first() {
            // This fails if the client has already closed the connection.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, WaitingConnections> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the request of a connection.
    fn read_request(&self, stream: &mut TcpStream) -> Result<Request, RequestError> {
        let number = self.waiting().add(stream.try_clone().map_err(RequestError::Io)?);
        let request = Request::read(stream);
        self.waiting().streams.remove(&number);
        request
    }

    /// Serves a client until the connection ends.
    pub fn handle(&self, mut stream: TcpStream) {
        let result = self.serve(&mut stream).and_then(|()| linger(&mut stream));
        if let Err(error) = result {
            log::debug!("connection ended: {error}");
        }
        // This also ends the reader thread of a session. It fails if the client has already closed
        // the connection.
        let _ = stream.shutdown(Shutdown::Both);
    }

    fn serve(&self, stream: &mut TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        let request = match self.read_request(stream) {
            Ok(request) => request,
            Err(RequestError::Io(error)) => return Err(error),
            Err(error) => return Response::error(BAD_REQUEST, error.to_string()).write(stream),
        };
        self.site.answer(stream, request)
    }
}

/// Closes a connection in such a way that the client receives everything that was sent.
fn linger(stream: &mut TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(LINGER))?;
    let deadline = Instant::now() + LINGER;
    let mut left = MAX_LINGER_BYTES;
    let mut buffer = [0; 4096];
    while left > 0 && Instant::now() < deadline {
        match stream.read(&mut buffer)? {
            0 => break,
            length => left = left.saturating_sub(length as u64),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropping_a_permit_frees_it() {
        let semaphore = Semaphore::new(2);
        let first = semaphore.try_acquire();
        let second = semaphore.try_acquire();
        assert!(first.is_some() && second.is_some() && semaphore.try_acquire().is_none());
        drop(first);
        assert!(semaphore.try_acquire().is_some());
    }
}

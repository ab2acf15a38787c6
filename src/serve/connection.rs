//! The thread of a connection: its request, and the answer or session that follows.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::Duration;

use crate::instant::Instant;

use super::answer::{Answer, BAD_REQUEST, NOT_FOUND, SERVICE_UNAVAILABLE, UPGRADE_REQUIRED};
use super::files;
use super::guard;
use super::places::{Permit, Semaphore};
use super::request::{self, Request, RequestError};
use super::session;
use super::terms::ServerConfig;

/// The path of the WebSocket.
const ENGINE: &str = "/engine";

/// How long to read on after the last word. A connection that closes with bytes unread is reset,
/// and the client might never see that word.
const FAREWELL: Duration = Duration::from_secs(2);

/// How long a client waits for a seat, and how often it looks.
const MOMENT: Duration = Duration::from_secs(2);
const GLANCE: Duration = Duration::from_millis(20);

/// The most bytes to read then.
const LONGEST_FAREWELL: u64 = 32 << 20;

/// What the connections share.
pub struct ServerState {
    pub terms: ServerConfig,
    seats: Semaphore,
}

impl ServerState {
    pub fn new(terms: ServerConfig) -> ServerState {
        ServerState { seats: Semaphore::new(terms.sessions), terms }
    }

    /// Answers a client, until it or the server has had enough.
    pub fn answer(&self, mut stream: TcpStream) {
        let result = self.serve(&mut stream).and_then(|()| say_farewell(&mut stream));
        if let Err(error) = result {
            log::debug!("a connection has ended: {error}");
        }
        // Also ends the thread that reads for a session; the client may have closed it already.
        let _ = stream.shutdown(Shutdown::Both);
    }

    fn serve(&self, stream: &mut TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(request::PATIENCE))?;
        stream.set_write_timeout(Some(request::PATIENCE))?;
        let request = match Request::read(stream) {
            Ok(request) => request,
            Err(RequestError::Io(error)) => return Err(error),
            Err(error) => {
                return Answer::refusal(BAD_REQUEST, error.to_string()).write(stream);
            }
        };
        match self.admitted(&request) {
            Ok(()) => self.open_session(stream, request),
            Err(answer) => {
                log::debug!("{}: {:?}", request.path, answer.status);
                answer.write(stream)
            }
        }
    }

    /// Whether a request opens a session.
    ///
    /// # Errors
    ///
    /// It does not: the answer.
    fn admitted(&self, request: &Request) -> Result<(), Answer> {
        guard::admit(request, &self.terms)?;
        if request.path != ENGINE {
            return Err(page(&request.path));
        }
        guard::admit_to_engine(request, &self.terms)
    }

    /// A seat, if need be after a moment: a page that is loaded again asks for its next session
    /// before its last one has ended.
    fn seat(&self) -> Option<Permit> {
        let until = Instant::now() + MOMENT;
        loop {
            match self.seats.take() {
                None if Instant::now() < until => thread::sleep(GLANCE),
                seat => return seat,
            }
        }
    }

    fn open_session(&self, stream: &mut TcpStream, request: Request) -> io::Result<()> {
        let Some(seat) = self.seat() else {
            let sentence = format!(
                "all {} sessions are in use: close another page, or start manoury serve with \
                 more --sessions",
                self.terms.sessions
            );
            return Answer::refusal(SERVICE_UNAVAILABLE, sentence).write(stream);
        };
        let Some(key) = request.key else {
            let sentence = "this address is for WebSockets: each message is a line of Hub";
            return Answer::refusal(UPGRADE_REQUIRED, sentence).write(stream);
        };
        stream.write_all(session::greeting(&key).as_bytes())?;
        let result = session::run(stream, request.rest, &self.terms);
        drop(seat);
        result
    }
}

/// The answer to who asks for a file.
fn page(path: &str) -> Answer {
    match path.trim_start_matches('/') {
        "" | "index.html" => Answer::page(files::index()),
        path => match files::at(path) {
            Some(file) => Answer::file(file),
            None => Answer::refusal(NOT_FOUND, "there is no such file"),
        },
    }
}

/// Closes a connection so that the client gets the last word.
fn say_farewell(stream: &mut TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(FAREWELL))?;
    let end = Instant::now() + FAREWELL;
    let mut left = LONGEST_FAREWELL;
    let mut part = [0; 4096];
    while left > 0 && Instant::now() < end {
        match stream.read(&mut part)? {
            0 => break,
            length => left = left.saturating_sub(length as u64),
        }
    }
    Ok(())
}

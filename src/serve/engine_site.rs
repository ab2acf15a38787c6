//! The site with the native engine: the files of the page, and a session for each page that may use
//! the engine.

use std::io::{self, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use crate::instant::Instant;

use super::access::{ServerConfig, check_engine_access, check_request};
use super::connection::{Permit, Semaphore, Site};
use super::files;
use super::http::{NOT_FOUND, Request, Response, SERVICE_UNAVAILABLE, UPGRADE_REQUIRED};
use super::session;

/// The path of the WebSocket.
const ENGINE_PATH: &str = "/engine";

/// The maximum time for which a client waits for a free session.
const SESSION_WAIT: Duration = Duration::from_secs(2);
/// How often to check for a free session during [`SESSION_WAIT`].
const SESSION_POLL: Duration = Duration::from_millis(20);

/// The page and the engine.
pub struct EngineSite {
    config: ServerConfig,
    sessions: Semaphore,
}

impl EngineSite {
    /// A site with these settings.
    pub fn new(config: ServerConfig) -> EngineSite {
        let sessions = Semaphore::new(config.sessions);
        EngineSite { config, sessions }
    }

    /// Checks whether a request may open a session.
    ///
    /// # Errors
    ///
    /// The response to a request that is refused or that asks for a file.
    fn check_session(&self, request: &Request) -> Result<(), Response> {
        check_request(request, &self.config.origins)?;
        if request.path != ENGINE_PATH {
            return Err(file(&request.path));
        }
        check_engine_access(request, &self.config)
    }

    /// Acquires a permit for a session. Waits briefly if none is free, because a page that is
    /// reloaded requests a new session before the old one has ended.
    fn acquire_session(&self) -> Option<Permit> {
        let deadline = Instant::now() + SESSION_WAIT;
        loop {
            match self.sessions.try_acquire() {
                None if Instant::now() < deadline => thread::sleep(SESSION_POLL),
                permit => return permit,
            }
        }
    }

    fn run_session(&self, stream: &mut TcpStream, request: Request) -> io::Result<()> {
        let Some(_permit) = self.acquire_session() else {
            let explanation = format!(
                "all {} sessions are in use: close another page, or start manoury serve with \
                 more --sessions",
                self.config.sessions
            );
            return Response::error(SERVICE_UNAVAILABLE, explanation).write_for(&request, stream);
        };
        let Some(key) = &request.key else {
            let explanation = "expected a WebSocket whose messages are lines of the Hub protocol";
            return Response::error(UPGRADE_REQUIRED, explanation).write_for(&request, stream);
        };
        stream.write_all(session::handshake(key).as_bytes())?;
        session::run(stream, request.rest, &self.config)
    }
}

impl Site for EngineSite {
    fn answer(&self, stream: &mut TcpStream, request: Request) -> io::Result<()> {
        match self.check_session(&request) {
            Ok(()) => self.run_session(stream, request),
            Err(response) => {
                log::debug!("{}: {:?}", request.path, response.status);
                response.write_for(&request, stream)
            }
        }
    }
}

/// The response to a request for a file of the page.
pub fn file(path: &str) -> Response {
    match path.trim_start_matches('/') {
        "" | "index.html" => Response::page(files::index()),
        path => match files::find(path) {
            Some(file) => Response::file(file),
            None => Response::error(NOT_FOUND, "no such file"),
        },
    }
}

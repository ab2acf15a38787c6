//! Manoury as a WebAssembly module: a session of the Hub protocol, and the answers to a page's
//! questions about the rules, driven by its host.
//!
//! The module has one thread. The standard library that comes with stable compilers has no threads on
//! this target; one with atomics would have to be built, which is unstable (`-Zbuild-std`). `manoury
//! serve` shows the same page with the native engine, which uses all cores.
//!
//! The host, usually a worker of a web page, passes lines to [`receive`] and calls [`go_on`] as long as
//! a search runs. It gives, in the import module `host`:
//!
//! - `now() -> f64`: milliseconds since some instant, never decreasing.
//! - `random(address, length)`: fills memory with random bytes.
//! - `say(address, length)`: takes a line for the client, as UTF-8 and without its end.
//! - `open_file(address, length) -> size`: gets a file that belongs to the program, such as
//!   `frisian.weights`, by its name; its size in bytes, negative if there is none.
//! - `read_file(address)`: writes that file to memory.
//! - `fail(address, length)`: takes the message of a panic; a trap follows.

mod host;

use std::io::{self, Write};
use std::mem;
use std::time::Duration;

use manoury::engine::bench;
use manoury::page_api::PageApi;
use manoury::protocol::hub::{SlicedSession, Tunables};
use manoury::rules::Variant;
use manoury::weights;

use host::Lines;

/// A session and the line that the host is about to pass to it.
pub struct Session {
    hub: SlicedSession<Lines>,
    desk: PageApi,
    line: Vec<u8>,
}

impl Session {
    /// Passes a line on. Returns `false` once the session is over.
    fn pass_on(&mut self, line: &str) -> io::Result<bool> {
        if !PageApi::is_request(line) {
            return self.hub.receive(line);
        }
        let mut host = Lines::default();
        writeln!(host, "{}", self.desk.answer(line))?;
        host.flush()?;
        Ok(true)
    }
}

/// A new session, the argument of the other functions.
#[unsafe(no_mangle)]
pub extern "C" fn begin() -> *mut Session {
    host::report_panics();
    let hub = SlicedSession::new(Tunables::Hidden, Lines::default());
    Box::into_raw(Box::new(Session { hub, desk: PageApi::default(), line: Vec::new() }))
}

/// Where the host writes the next line, of a length in bytes.
///
/// # Safety
///
/// The session comes from [`begin`], and no other function is using it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn line(session: *mut Session, length: usize) -> *mut u8 {
    // SAFETY: as the caller promises.
    let session = unsafe { &mut *session };
    session.line.resize(length, 0);
    session.line.as_mut_ptr()
}

/// Passes the line that the host has written to the session. Returns 0 once the session is over, by
/// `quit`.
///
/// # Safety
///
/// As for [`line`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn receive(session: *mut Session) -> u32 {
    // SAFETY: as the caller promises.
    let session = unsafe { &mut *session };
    let line = mem::take(&mut session.line);
    let text = String::from_utf8_lossy(&line);
    // Writing to the host cannot fail.
    u32::from(session.pass_on(text.trim_end()).unwrap_or(false))
}

/// Searches for some milliseconds, if there is a search. Returns the milliseconds until this must be
/// called again, unless a line comes before that: zero while a search runs, negative if there is
/// nothing to do before the next line.
///
/// # Safety
///
/// As for [`line`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn go_on(session: *mut Session, milliseconds: f64) -> f64 {
    // SAFETY: as the caller promises.
    let session = unsafe { &mut *session };
    let slice = Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default();
    // Writing to the host cannot fail.
    let due = session.hub.resume(slice).unwrap_or_default();
    due.map_or(-1.0, |due| due.as_secs_f64() * 1000.0)
}

/// The nodes of the bench to a depth in plies: the game is given by its number in the list of all
/// games. The same as those of `manoury bench`.
#[unsafe(no_mangle)]
pub extern "C" fn bench_nodes(game: usize, depth: u32) -> f64 {
    let Some(&variant) = Variant::ALL.get(game) else {
        return -1.0;
    };
    bench::run(variant, Some(depth), 1, &weights::embedded(variant)).nodes as f64
}

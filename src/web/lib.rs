//! Manoury as a WebAssembly module. It runs a Hub session and answers requests from a page; its
//! host drives both.
//!
//! The module has one thread: on this target, the standard library of a stable compiler does not
//! support threads (building one that does requires `-Zbuild-std`). `manoury serve` serves the same
//! page with the native engine, which uses all cores.
//!
//! The host, usually a web worker, passes lines to [`receive`] and calls [`resume`] while a search
//! runs. It provides these functions in the `host` import module:
//!
//! - `now() -> f64`: milliseconds since an arbitrary instant, never decreasing.
//! - `fill_random(address, length)`: fills memory with random bytes.
//! - `write_line(address, length)`: receives a line for the client, in UTF-8 and without its
//!   terminator.
//! - `open_file(address, length) -> size`: opens a file of the program, such as `frisian.weights`,
//!   by name; returns its size in bytes, or a negative number if there is none.
//! - `read_file(address)`: copies the opened file to memory.
//! - `report_panic(address, length)`: receives the message of a panic; the module then traps.

use std::io::{self, Write};
use std::mem;
use std::panic;
use std::time::Duration;

use manoury::engine::bench::{self, BenchSettings};
use manoury::page_api::PageApi;
use manoury::protocol::hub::{SlicedSession, Tunables};
use manoury::rules::Variant;
use manoury::weights;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    fn fill_random(address: *mut u8, length: usize);
    fn write_line(address: *const u8, length: usize);
    fn report_panic(address: *const u8, length: usize);
}

/// A session and the line that the host is about to pass to it.
pub struct Session {
    hub: SlicedSession<HostOutput>,
    api: PageApi,
    line: Vec<u8>,
}

impl Session {
    /// Handles a line. Returns `false` once the session is over.
    fn handle(&mut self, line: &str) -> io::Result<bool> {
        if !PageApi::is_request(line) {
            return self.hub.receive(line);
        }
        let mut output = HostOutput::default();
        writeln!(output, "{}", self.api.answer(line))?;
        output.flush()?;
        Ok(true)
    }
}

/// Creates a session, to be passed to the other functions.
#[unsafe(no_mangle)]
pub extern "C" fn new_session() -> *mut Session {
    panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        // SAFETY: the host reads only the bytes of the text.
        unsafe { report_panic(text.as_ptr(), text.len()) };
    }));
    let hub = SlicedSession::new(Tunables::Hidden, HostOutput::default());
    Box::into_raw(Box::new(Session { hub, api: PageApi::default(), line: Vec::new() }))
}

/// Returns a buffer of `length` bytes, into which the host writes its next line.
///
/// # Safety
///
/// The session comes from [`new_session`], and no other function is using it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn line_buffer(session: *mut Session, length: usize) -> *mut u8 {
    // SAFETY: as the caller promises.
    let session = unsafe { &mut *session };
    session.line.resize(length, 0);
    session.line.as_mut_ptr()
}

/// Handles the line in the buffer. Returns 0 once the client has ended the session with `quit`.
///
/// # Safety
///
/// As for [`line_buffer`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn receive(session: *mut Session) -> u32 {
    // SAFETY: as the caller promises.
    let session = unsafe { &mut *session };
    let line = mem::take(&mut session.line);
    let text = String::from_utf8_lossy(&line);
    // Writing to the host cannot fail.
    u32::from(session.handle(text.trim_end()).unwrap_or(false))
}

/// Runs the current search, if any, for a time slice of `milliseconds`. Returns the milliseconds
/// after which the host must call this function again, unless a line arrives earlier: zero while a
/// search runs, negative if there is nothing to do before the next line.
///
/// # Safety
///
/// As for [`line_buffer`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn resume(session: *mut Session, milliseconds: f64) -> f64 {
    // SAFETY: as the caller promises.
    let session = unsafe { &mut *session };
    let slice = Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default();
    // Writing to the host cannot fail.
    let due = session.hub.resume(slice).unwrap_or_default();
    due.map_or(-1.0, |due| due.as_secs_f64() * 1000.0)
}

/// The node count of `manoury bench` at a depth in plies. `game` is an index into the list of all
/// variants; if it is out of range, the result is negative.
#[unsafe(no_mangle)]
pub extern "C" fn bench_nodes(game: usize, depth: u32) -> f64 {
    let Some(&variant) = Variant::ALL.get(game) else {
        return -1.0;
    };
    let evaluation = weights::embedded(variant);
    bench::run(variant, Some(depth), BenchSettings::default(), &evaluation).nodes as f64
}

/// Passes lines to the host, one at a time and without their terminators.
#[derive(Default)]
struct HostOutput(Vec<u8>);

impl Write for HostOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        for line in self.0.split_inclusive(|&byte| byte == b'\n') {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            // SAFETY: the host reads only the bytes of the slice.
            unsafe { write_line(line.as_ptr(), line.len()) };
        }
        self.0.clear();
        Ok(())
    }
}

/// Provides random bytes to the `getrandom` crate, which has no source of randomness on this
/// target.
///
/// # Safety
///
/// The `length` bytes at `address` must be valid for writes.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(
    address: *mut u8,
    length: usize,
) -> Result<(), getrandom::Error> {
    // SAFETY: the host writes only to these bytes, which are valid for writes as the caller
    // promises.
    unsafe { fill_random(address, length) };
    Ok(())
}

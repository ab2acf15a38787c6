//! The faulty engine, and a way to see whether its processes are alive.

use std::env::consts::EXE_SUFFIX;
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Long enough for anything but an engine that hangs.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The faulty engine's program, an example of this package.
pub fn faulty_engine() -> PathBuf {
    // This program is in `deps`, next to `examples`.
    let tests = std::env::current_exe().unwrap();
    let target = tests.parent().unwrap().parent().unwrap();
    let engine = target.join("examples").join(format!("faulty_engine{EXE_SUFFIX}"));
    // A full `cargo test` builds it; `cargo test --test main` does not.
    let how = "first: cargo build --profile test --example faulty_engine";
    assert!(engine.is_file(), "{how}");
    engine
}

/// Sees which processes are alive: each holds a connection to the witness.
pub struct Witness(TcpListener);

impl Witness {
    /// A witness without connections.
    pub fn new() -> Witness {
        Witness(TcpListener::bind("127.0.0.1:0").unwrap())
    }

    /// The port that processes connect to.
    pub fn port(&self) -> String {
        self.0.local_addr().unwrap().port().to_string()
    }

    /// The next process that has started.
    pub fn process(&self) -> TcpStream {
        self.0.set_nonblocking(true).unwrap();
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.0.accept() {
                Ok((stream, _)) => {
                    stream.set_nonblocking(false).unwrap();
                    return stream;
                }
                Err(_) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(error) => panic!("no process has started: {error}"),
            }
        }
    }
}

/// Waits until a process has ended.
pub fn assert_gone(mut process: TcpStream) {
    process.set_read_timeout(Some(PATIENCE)).unwrap();
    // The connection of a killed process may be reset.
    let end = process.read(&mut [0]);
    let is_gone = match &end {
        Ok(length) => *length == 0,
        Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
    };
    assert!(is_gone, "the process lives: {end:?}");
}

/// Checks that a process is alive.
pub fn assert_lives(process: &TcpStream) {
    process.set_nonblocking(true).unwrap();
    let error = (&mut &*process).read(&mut [0]).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
    process.set_nonblocking(false).unwrap();
}

impl Witness {
    /// The number of processes that have started since the last count; all must have ended.
    pub fn processes(&self) -> usize {
        self.0.set_nonblocking(true).unwrap();
        std::iter::from_fn(|| self.0.accept().ok()).count()
    }

    /// Waits until all processes that have connected so far have ended; there must be at least one.
    pub fn assert_all_gone(&self) {
        assert_gone(self.process());
        self.0.set_nonblocking(true).unwrap();
        while let Ok((stream, _)) = self.0.accept() {
            stream.set_nonblocking(false).unwrap();
            assert_gone(stream);
        }
    }
}

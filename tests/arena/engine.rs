//! The faulty engine, and how to see whether it lives.

use std::env::consts::EXE_SUFFIX;
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Long enough for anything but an engine that hangs.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The program, an example of this package.
pub fn faulty_engine() -> PathBuf {
    // This program is in `deps`, beside `examples`.
    let tests = std::env::current_exe().unwrap();
    let target = tests.parent().unwrap().parent().unwrap();
    let engine = target.join("examples").join(format!("faulty_engine{EXE_SUFFIX}"));
    // A whole `cargo test` builds it; one with `--test` does not.
    let how = "first: cargo build --profile test --example faulty_engine";
    assert!(engine.is_file(), "{how}");
    engine
}

/// Sees which processes live: each holds a connection to it.
pub struct Witness(TcpListener);

impl Witness {
    /// Nobody is seen yet.
    pub fn new() -> Witness {
        Witness(TcpListener::bind("127.0.0.1:0").unwrap())
    }

    /// Where processes report.
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
    // A process that is killed may reset its connection.
    let end = process.read(&mut [0]);
    let is_gone = match &end {
        Ok(length) => *length == 0,
        Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
    };
    assert!(is_gone, "the process lives: {end:?}");
}

/// A process goes on.
pub fn assert_lives(process: &TcpStream) {
    process.set_nonblocking(true).unwrap();
    let error = (&mut &*process).read(&mut [0]).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
    process.set_nonblocking(false).unwrap();
}

impl Witness {
    /// All processes that have reported so far are gone, and there is at least one.
    pub fn assert_all_gone(&self) {
        assert_gone(self.process());
        self.0.set_nonblocking(true).unwrap();
        while let Ok((stream, _)) = self.0.accept() {
            stream.set_nonblocking(false).unwrap();
            assert_gone(stream);
        }
    }
}

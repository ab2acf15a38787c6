//! The Hub loop survives any input: it answers every `go` with one `done`, and plays a legal move
//! afterwards.

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use crate::engine::client::{Client, PATIENCE};
use manoury::protocol::hub;
use proptest::prelude::*;

/// Lines to send, each with the number of searches it starts.
type Lines = Vec<(Vec<u8>, usize)>;

/// A session: lines to it, answers from it.
trait Wire {
    fn send(&mut self, bytes: &[u8]);

    /// The next line; `None` after a timeout or the end of the session.
    fn line(&mut self) -> Option<String>;
}

impl Wire for Client {
    fn send(&mut self, bytes: &[u8]) {
        Client::send(self, bytes);
    }

    fn line(&mut self) -> Option<String> {
        Client::line(self, PATIENCE)
    }
}

/// A session in this process.
struct InProcess {
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<String>,
    session: Option<JoinHandle<io::Result<()>>>,
}

impl InProcess {
    fn start() -> InProcess {
        let (input, bytes) = mpsc::channel();
        let (output, lines) = mpsc::channel();
        let reader = BufReader::new(Source { bytes, rest: Vec::new() });
        let writer = Sink { lines: output, rest: Vec::new() };
        InProcess {
            input: Some(input),
            lines,
            session: Some(thread::spawn(|| hub::run(hub::Tunables::Hidden, reader, writer))),
        }
    }
}

impl Wire for InProcess {
    fn send(&mut self, bytes: &[u8]) {
        self.input.as_ref().unwrap().send(bytes.to_vec()).unwrap();
    }

    fn line(&mut self) -> Option<String> {
        self.lines.recv_timeout(PATIENCE).ok()
    }
}

impl Drop for InProcess {
    fn drop(&mut self) {
        self.input = None;
        let result = self.session.take().unwrap().join();
        if !thread::panicking() {
            result.unwrap().unwrap();
        }
    }
}

/// An input that blocks until bytes arrive.
struct Source {
    bytes: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            match self.bytes.recv() {
                Ok(bytes) => self.rest = bytes,
                Err(_) => return Ok(0),
            }
        }
        let length = self.rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.rest[..length]);
        self.rest.drain(..length);
        Ok(length)
    }
}

/// An output that passes on its lines.
struct Sink {
    lines: Sender<String>,
    rest: Vec<u8>,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        while let Some(end) = self.rest.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            let line = String::from_utf8(line).unwrap().trim_end().to_owned();
            // Sending fails only if the test has ended.
            let _ = self.lines.send(line);
        }
        Ok(())
    }
}

fn bytes_line() -> impl Strategy<Value = (Vec<u8>, usize)> {
    prop::collection::vec(any::<u8>(), 0..80).prop_map(|mut bytes| {
        // Without this, a line that happens to be a command would be counted wrongly.
        bytes.insert(0, b'#');
        bytes.retain(|&byte| byte != b'\n');
        (bytes, 0)
    })
}

fn lookalike_line() -> impl Strategy<Value = (Vec<u8>, usize)> {
    const WORDS: &[&str] = &[
        "hub",
        "init",
        "set-param",
        "pos",
        "level",
        "go",
        "stop",
        "ponder-hit",
        "ping",
        "new-game",
    ];
    const ARGUMENTS: &[&str] = &[
        "name=variant",
        "name=threads",
        "name=book-ply",
        "name=bb-size",
        "value=frisian",
        "value=brazilian",
        "value=bt",
        "value=normal",
        "value=2",
        "value=-7",
        "value=x",
        "value=1e300",
        "start",
        "pos=W",
        "pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
        "pos=BeeeWWeeeeeeeeeeeeeeeeeeeweeeeeeeeewweBeeeeeeeeeBee",
        "pos=Weeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeew",
        "pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww",
        "moves=\"32-28 19-23 28x19\"",
        "moves=32-28",
        "moves=\"5-41 48-26",
        "wolf=\"W4=2 B39=9\"",
        "wolf=W4",
        "depth=3",
        "depth=0",
        "depth=99999999999999999999",
        "nodes=1000",
        "nodes=-1",
        "move-time=0.01",
        "move-time=1e-300",
        "time=0.1",
        "time=-1e308",
        "time=12,000",
        "inc=0.01",
        "inc=nan",
        "moves=3",
        "moves=1e99",
        "infinite",
        "think",
        "ponder",
        "analyze",
        "=",
        "\"",
        "x==y",
    ];
    let arguments = prop::collection::vec(prop::sample::select(ARGUMENTS), 0..5);
    (prop::sample::select(WORDS), arguments).prop_map(|(word, arguments)| {
        let line = format!("{word} {}", arguments.join(" "));
        (line.into_bytes(), usize::from(word == "go"))
    })
}

fn lines(longest: usize) -> impl Strategy<Value = Lines> {
    let line = prop_oneof![1 => bytes_line(), 6 => lookalike_line()];
    prop::collection::vec(line, 0..longest)
}

/// Sends the lines, then requests a move. Every search must be answered, the last one correctly.
fn survives(wire: &mut impl Wire, lines: Lines) {
    // The table is small because every variant gets a new one.
    wire.send(b"set-param name=tt-size value=16\n");
    let searches: usize = lines.iter().map(|(_, searches)| searches).sum();
    for (mut line, _) in lines {
        line.push(b'\n');
        wire.send(&line);
    }
    wire.send(
        b"stop\nset-param name=variant value=normal\npos start moves=\"32-28 19-23\"\n\
          level depth=2\ngo think\n",
    );
    for _ in 0..searches {
        next_done(wire);
    }
    let done = next_done(wire);
    assert!(done.starts_with("done move=28x19x23"), "{done}");
    wire.send(b"ping\n");
    assert_eq!(wire.line().as_deref(), Some("pong"));
}

fn next_done(wire: &mut impl Wire) -> String {
    loop {
        let line = wire.line().expect("an answer to every search");
        let word = line.split(' ').next().unwrap_or_default();
        let known = ["id", "param", "wait", "ready", "info", "error", "pong", "done"];
        assert!(known.contains(&word), "{line:?}");
        assert!(!line.contains("search failed"), "{line}");
        if word == "done" {
            return line;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_hub_loop_survives_any_lines(lines in lines(40)) {
        survives(&mut InProcess::start(), lines);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    #[ignore = "slow: 500 sessions"]
    fn the_hub_loop_survives_many_lines(lines in lines(40)) {
        survives(&mut InProcess::start(), lines);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_program_survives_any_lines(lines in lines(40)) {
        survives(&mut Client::start(&["hub"]), lines);
    }
}

#[test]
fn very_long_lines_do_not_end_the_session() {
    let mut long = vec![b'x'; 5_000_000];
    long.push(b'\n');
    let mut moves = b"pos start moves=\"".to_vec();
    moves.extend(b"32-28 ".repeat(100_000));
    survives(&mut Client::start(&[]), vec![(long, 0), (moves, 0)]);
}

//! Any bytes as the input of a Hub session: it survives to their end, and every line of its output
//! starts with a protocol word.

use std::io::Cursor;

use manoury::protocol::hub::{self, Tunables};

/// Lines with these words are left out: they cost time and memory only.
const COSTLY: [&str; 4] = ["threads", "tt-size", "weights", "bb-dir"];

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().filter(|line| !COSTLY.iter().any(|name| line.contains(name)));
    // A small table, and weights that need no unpacking, make sessions short.
    let mut input =
        "set-param name=tt-size value=16\nset-param name=weights value=hand\n".to_owned();
    for line in lines {
        if line.trim_start().starts_with("go") {
            input.push_str("level depth=2 nodes=100\n");
        }
        input.push_str(line);
        input.push('\n');
    }
    let mut output = Vec::new();
    hub::run(Tunables::Exposed, Cursor::new(input), &mut output).expect("a session");
    let output = String::from_utf8(output).expect("text");
    for line in output.lines() {
        let word = line.split(' ').next().unwrap_or_default();
        let words = ["id", "param", "wait", "ready", "info", "done", "error", "pong"];
        assert!(words.contains(&word), "{line}");
    }
}

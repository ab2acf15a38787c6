//! Any text as a Hub line: every argument with a value is present, and numbers are finite.

use manoury::protocol::hub::{HubLine, parse_number};

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let line = HubLine::parse(&text);
    assert!(!line.word.contains([' ', '=']));
    for name in ["pos", "moves", "time", "depth", "name", "value", &*text] {
        assert!(line.value(name).is_none() || line.has(name));
        if let Some(value) = line.value(name) {
            assert!(parse_number(value).is_none_or(f64::is_finite));
        }
    }
}

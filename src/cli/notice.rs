//! Messages to the user on standard error.

use std::fmt;
use std::io::{self, Write};

use crate::engine::Engine;

/// Writes a line to standard error. A failure to write it is ignored.
pub fn notice(text: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Tells what the engine does without, each on a line.
pub fn tell_faults(engine: &mut Engine) {
    for fault in engine.take_warnings() {
        notice(format_args!("{fault}"));
    }
}

//! What is told to people beside the answer.

use std::fmt;
use std::io::{self, Write};

/// Writes a line to standard error. That nobody reads it, or that it has no room, is no reason to stop.
pub fn notice(text: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

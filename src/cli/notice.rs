//! Messages to the user on standard error.

use std::fmt;
use std::io::{self, Write};

/// Writes a line to standard error. A failure to write it is ignored.
pub fn notice(text: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

//! `manoury hub`: the engine for Hub clients.

use std::io::{self, BufReader};

use crate::protocol;

use super::Error;

/// Speaks Hub on standard input and output until the client leaves.
pub fn run() -> Result<(), Error> {
    protocol::hub::run(BufReader::new(io::stdin()), io::stdout().lock())?;
    Ok(())
}

//! `manoury hub`: the engine for Hub clients.

use std::io::{self, BufReader};

use clap::Args;

use crate::protocol;
use crate::protocol::hub::Tunables;

use super::Error;

/// Speak the Hub protocol on standard input and output (the default)
#[derive(Args, Debug, Default)]
pub struct Arguments {
    /// Declare the tunable numbers of the search as parameters, for a tuner: each with its range
    /// and the step that a match can be expected to show
    ///
    /// A match can compare two values: manoury match --sprt 0,10 --nodes 30000 --engine "manoury
    /// hub --tune,name=Less,param.book=false,param.reduction_slope=40" --engine "manoury hub
    /// --tune,name=Now,param.book=false"
    #[arg(long)]
    tune: bool,
}

/// Speaks Hub on standard input and output until the client ends the session.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let tuning = if arguments.tune { Tunables::Exposed } else { Tunables::Hidden };
    protocol::hub::run(tuning, BufReader::new(io::stdin()), io::stdout().lock())?;
    Ok(())
}

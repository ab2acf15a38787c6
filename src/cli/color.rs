//! `--color`: whether text for people has colours.

use std::env;
use std::io::{self, IsTerminal};

use clap::{Args, ValueEnum};

/// Whether text on standard output has colours.
#[derive(Args, Debug)]
pub struct ColorArgument {
    /// Colours: auto has them on a terminal, unless the environment variable NO_COLOR is set
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = When::Auto)]
    color: When,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum When {
    Auto,
    Always,
    Never,
}

impl ColorArgument {
    /// Whether standard output gets colours.
    pub fn is_on(&self) -> bool {
        match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                let is_refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                io::stdout().is_terminal() && !is_refused
            }
        }
    }
}

//! `manoury completions`: the command line for shells.

use std::io::{self, Write};

use clap::{Args, Command};
use clap_complete::Shell;

use super::Error;

/// Print completions for a shell
///
/// Examples:
///   manoury completions bash > ~/.local/share/bash-completion/completions/manoury
///   manoury completions fish > ~/.config/fish/completions/manoury.fish
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the completions of a command.
pub fn run(arguments: &Arguments, mut command: Command) -> Result<(), Error> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "manoury", &mut text);
    Ok(io::stdout().write_all(&text)?)
}

//! Files generated from the definition of the command line: `manoury completions` and `manoury
//! man`.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::storage;

use super::Error;

/// Print completions for a shell
///
/// Examples:
///   manoury completions bash > ~/.local/share/bash-completion/completions/manoury
///   manoury completions fish > ~/.config/fish/completions/manoury.fish
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the completions of a command.
pub fn completions(arguments: &CompletionsArguments, mut command: Command) -> Result<(), Error> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "manoury", &mut text);
    Ok(io::stdout().write_all(&text)?)
}

/// Write manual pages to a folder, one for each command
///
/// Examples:
///   manoury man ~/.local/share/man/man1
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct ManArguments {
    /// Folder for the pages, created if missing
    folder: PathBuf,
}

/// Writes the pages of a command and its subcommands.
pub fn man(arguments: &ManArguments, command: Command) -> Result<(), Error> {
    let folder = &arguments.folder;
    fs::create_dir_all(folder).map_err(storage::with_path(folder))?;
    clap_mangen::generate_to(command, folder).map_err(storage::with_path(folder))?;
    Ok(())
}

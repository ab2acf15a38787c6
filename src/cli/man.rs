//! `manoury man`: manual pages.

use std::fs;
use std::path::PathBuf;

use clap::{Args, Command};

use crate::storage;

use super::Error;

/// Write manual pages to a folder, one for each command
///
/// Examples:
///   manoury man ~/.local/share/man/man1
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The folder; it is created if there is none
    folder: PathBuf,
}

/// Writes the pages of a command and its subcommands.
pub fn run(arguments: &Arguments, command: Command) -> Result<(), Error> {
    let folder = &arguments.folder;
    fs::create_dir_all(folder).map_err(storage::with_path(folder))?;
    clap_mangen::generate_to(command, folder).map_err(storage::with_path(folder))?;
    Ok(())
}

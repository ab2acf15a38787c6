//! The command line: one thin module per subcommand.

mod analyze;
mod args;
mod bench;
mod bitbase;
mod board;
mod book;
mod data;
mod dxp;
mod engines;
mod error;
mod eval;
mod interrupt;
mod log_difference;
mod man;
mod r#match;
mod openings;
mod output;
mod output_file;
mod pdn;
mod perft;
mod play;
mod processor;
mod progress;
mod selfplay;
mod serve;
mod solve;
mod train;
mod tune;

pub use error::Error;
pub use processor::is_suited as is_processor_suited;

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use interrupt::interruptible;

use crate::memory;

/// A draughts engine for sixteen variants, with tools for matches, analysis and training.
///
/// Without a command, it speaks Hub on standard input and output, as graphical interfaces expect.
///
/// Exit codes: 0 success; 1 a negative result, such as a match with faults, or interrupted work; 2
/// invalid usage or input; 3 a file or system error.
///
/// The environment variable MANOURY_LOG (error, warn, info, debug, trace, or a filter of
/// env_logger) makes the program log to standard error, for example input that it ignores.
#[derive(Parser, Debug)]
#[command(version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    Hub(serve::HubArguments),
    Dxp(Box<dxp::Arguments>),
    Play(Box<play::Arguments>),
    Serve(serve::ServeArguments),
    Perft(perft::PerftArguments),
    Moves(board::MovesArguments),
    Board(board::BoardArguments),
    Eval(eval::Arguments),
    Analyze(analyze::Arguments),
    Solve(solve::Arguments),
    Pdn(pdn::Arguments),
    Bench(bench::BenchArguments),
    Match(Box<r#match::Arguments>),
    Engines(engines::Arguments),
    Openings(openings::Arguments),
    Tune(Box<tune::Arguments>),
    Bitbase(bitbase::Arguments),
    Book(book::Arguments),
    Selfplay(selfplay::Arguments),
    Data(data::Arguments),
    Train(train::Arguments),
    Completions(man::CompletionsArguments),
    Man(man::ManArguments),
}

/// The definition of the command line.
fn command() -> clap::Command {
    error::with_negative_numbers(Arguments::command())
}

/// Runs the program, reports its error and returns its exit code.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let logger = env_logger::Env::new().filter_or("MANOURY_LOG", "off");
    // This fails if a Python process runs the program again; the existing logger is then used.
    let _ = env_logger::Builder::from_env(logger.write_style("MANOURY_LOG_STYLE")).try_init();
    memory::survive_truncated_files();
    match run(arguments) {
        Ok(()) => 0,
        Err(error) => {
            error.print();
            error.exit_code()
        }
    }
}

/// The file and the first arguments that start this program in another process. In a Python process,
/// whose executable is the interpreter, the program is a module.
fn this_program() -> io::Result<(PathBuf, &'static [&'static str])> {
    let path = env::current_exe()?;
    let arguments: &[_] = if is_python(&path) { &["-m", "manoury"] } else { &[] };
    Ok((path, arguments))
}

/// Whether an executable is an interpreter of Python.
fn is_python(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    ["python", "pypy"].iter().any(|name| stem.starts_with(name))
}

/// Runs the program.
///
/// # Errors
///
/// Returns an error for every exit code other than 0, and for a request for help. A broken pipe on
/// the output is not an error.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<(), Error> {
    let matches = command().try_get_matches_from(arguments).map_err(error::in_words)?;
    let arguments = Arguments::from_arg_matches(&matches).map_err(error::in_words)?;
    let result = match arguments.command {
        None => serve::hub(&serve::HubArguments::default()),
        Some(Command::Hub(arguments)) => serve::hub(&arguments),
        Some(Command::Dxp(arguments)) => dxp::run(&arguments),
        Some(Command::Play(arguments)) => play::run(&arguments),
        Some(Command::Serve(arguments)) => serve::serve_command(&arguments),
        Some(Command::Perft(arguments)) => interruptible(move || perft::perft(&arguments)),
        Some(Command::Moves(arguments)) => board::moves(&arguments),
        Some(Command::Board(arguments)) => board::board_command(&arguments),
        Some(Command::Eval(arguments)) => eval::run(&arguments),
        Some(Command::Analyze(arguments)) => analyze::run(&arguments),
        Some(Command::Solve(arguments)) => solve::run(&arguments),
        Some(Command::Pdn(arguments)) => pdn::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(arguments),
        Some(Command::Match(arguments)) => r#match::run(&arguments),
        Some(Command::Engines(arguments)) => engines::run(&arguments),
        Some(Command::Openings(arguments)) => openings::run(&arguments),
        Some(Command::Tune(arguments)) => tune::run(&arguments),
        Some(Command::Bitbase(arguments)) => bitbase::run(arguments),
        Some(Command::Book(arguments)) => book::run(arguments),
        Some(Command::Selfplay(arguments)) => selfplay::run(&arguments),
        Some(Command::Data(arguments)) => data::run(&arguments),
        Some(Command::Train(arguments)) => train::run(&arguments),
        Some(Command::Completions(arguments)) => man::completions(&arguments, command()),
        Some(Command::Man(arguments)) => man::man(&arguments, command()),
    };
    match result {
        Err(error) if error.is_broken_pipe() => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn former_option_names_still_work() {
        for text in [
            "dxp --patience 1",
            "match --engine a --engine b --margin 1 --patience 2",
            "tune --engine a --steps 1 --margin 1 --patience 2",
            "openings --out a.pdn --ahead 0..1",
            "train --data sets --out a.weights --rate 0.1 --batch 9",
            "book import a.pdn --out a.book --nodes-per-position 9 --least 2",
            "serve --longest 9",
            "data relabel games --out new --nodes 9 --few 9 --many 9",
        ] {
            let arguments = ["manoury"].into_iter().chain(text.split(' '));
            let parsed = command().try_get_matches_from(arguments);
            assert!(parsed.is_ok(), "{text}: {parsed:?}");
        }
    }

    #[test]
    fn recognises_interpreters_of_python() {
        for path in ["/usr/bin/python3", "/opt/env/bin/python3.11", "python.exe", "pypy3"] {
            assert!(is_python(Path::new(path)), "{path}");
        }
        for path in ["/usr/bin/manoury", "python/manoury", "manoury.exe"] {
            assert!(!is_python(Path::new(path)), "{path}");
        }
    }
}

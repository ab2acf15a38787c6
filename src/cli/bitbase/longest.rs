//! `manoury bitbase longest`: the longest wins and losses.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::bitbase::{Content, Slice, Value, VerdictCounts};
use crate::cli::Error;
use crate::cli::answers::write_json;
use crate::cli::game::GameArgument;
use crate::cli::threads::Threads;
use crate::erased::Bitbases;
use crate::notation::fen;

use super::folder::BitbaseFolder;
use super::progress::SolveProgress;
use super::stats::count_verdicts;

/// Show the longest win and the longest loss of endings
///
/// For each: value, plies, number of such positions, and one of them, with White to move.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Endings such as 0211: a king against two men and a king
    #[arg(value_name = "SLICE", required = true)]
    slices: Vec<Slice>,
    #[command(flatten)]
    folder: BitbaseFolder,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    threads: Threads,
    /// Print one JSON object for each: variant, slice, value, plies, positions, fen
    #[arg(short, long)]
    json: bool,
}

/// The longest win or loss of a slice.
#[derive(Serialize)]
struct LongestEnd {
    variant: &'static str,
    slice: String,
    value: String,
    plies: Option<u8>,
    positions: u64,
    fen: String,
}

/// Prints the positions.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { slices, folder, game, threads, json } = arguments;
    let (bitbases, progress) = (folder.open(game.variant)?, SolveProgress::new()?);
    let mut output = io::stdout().lock();
    for &slice in slices {
        let counts = count_verdicts(slice, &bitbases, &progress, threads)?;
        for value in [Value::Win, Value::Loss] {
            match LongestEnd::new(slice, value, &counts, &bitbases) {
                Some(longest) if *json => write_json(&mut output, &longest)?,
                Some(longest) => writeln!(output, "{}", longest.text())?,
                None => {}
            }
        }
    }
    Ok(())
}

impl LongestEnd {
    /// `None` if no position of the slice has the value.
    fn new(
        slice: Slice,
        value: Value,
        counts: &VerdictCounts,
        bitbases: &Bitbases,
    ) -> Option<Self> {
        let (verdict, group) = counts.longest(value)?;
        let file = bitbases.file(slice, Content::Values)?;
        Some(LongestEnd {
            variant: bitbases.variant().name(),
            slice: slice.to_string(),
            value: value.to_string(),
            plies: verdict.plies,
            positions: group.quiet + group.capture,
            fen: fen::format(&file.position(group.first)),
        })
    }

    fn text(&self) -> String {
        let LongestEnd { slice, value, plies, positions, fen, .. } = self;
        let plies = plies.unwrap_or_default();
        format!("{slice} {value:<4} {plies:>3} plies {positions:>9} positions, such as {fen}")
    }
}

//! `manoury pdn count`: what is in files of games.

use std::collections::BTreeMap;
use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::board::Side;
use crate::cli::Error;
use crate::cli::answers::write_json;

use super::stream::GameFiles;

/// Count games, plies and results
///
/// The last line is `games=N plies=N white=N draws=N black=N unknown=N faults=N`. Exit code 1 if
/// there are games with faults; they count up to the fault.
///
/// Examples:
///   manoury pdn count games.pdn
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    #[command(flatten)]
    files: GameFiles,
    /// Print a JSON object: games, plies, white, draws, black, unknown, faults, and variants, the
    /// games of each
    #[arg(short, long)]
    json: bool,
}

#[derive(Serialize, Default)]
struct Counts {
    games: u64,
    plies: u64,
    white: u64,
    draws: u64,
    black: u64,
    unknown: u64,
    faults: usize,
    variants: BTreeMap<&'static str, u64>,
}

/// Counts and prints.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let mut counts = Counts::default();
    counts.faults = arguments.files.each(&mut |game| {
        counts.games += 1;
        let record = match game.record {
            Ok(record) => record,
            Err(broken) => match broken.before {
                Some(record) => *record,
                None => {
                    counts.unknown += 1;
                    return Ok(());
                }
            },
        };
        counts.plies += record.line.moves.len() as u64;
        *counts.variants.entry(record.start.variant().name()).or_default() += 1;
        match record.result().winner() {
            Some(Some(Side::White)) => counts.white += 1,
            Some(None) => counts.draws += 1,
            Some(Some(Side::Black)) => counts.black += 1,
            None => counts.unknown += 1,
        }
        Ok(())
    })?;
    print(&counts, arguments.json)?;
    Error::of_faulty_games(counts.faults)
}

fn print(counts: &Counts, json: bool) -> Result<(), Error> {
    let mut output = io::stdout().lock();
    if json {
        return write_json(&mut output, counts);
    }
    for (variant, games) in &counts.variants {
        writeln!(output, "{variant} {games}")?;
    }
    let Counts { games, plies, white, draws, black, unknown, faults, .. } = counts;
    Ok(writeln!(
        output,
        "games={games} plies={plies} white={white} draws={draws} black={black} \
         unknown={unknown} faults={faults}"
    )?)
}

//! `manoury bitbase longest`: the positions that take most plies.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::bitbase::{Bitbases, Census, Content, Slice, Value};
use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::cli::threads::Threads;
use crate::notation::fen;
use crate::rules::{Rules, VariantVisitor};

use super::meter::Meter;
use super::place::Place;
use super::stats::census;

/// Tell how many plies the longest win and the longest loss of endings take
///
/// For each: value, plies, in how many positions, and one of them, White to move.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Endings such as 0211: a king against two men and a king
    #[arg(value_name = "SLICE", required = true)]
    slices: Vec<Slice>,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    threads: Threads,
    /// One JSON object each: variant, slice, value, plies, positions, fen
    #[arg(long)]
    json: bool,
}

/// The longest win or loss of a slice.
#[derive(Serialize)]
struct Longest {
    variant: &'static str,
    slice: String,
    value: String,
    plies: Option<u8>,
    positions: u64,
    fen: String,
}

/// Prints the positions.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.game.variant.visit(Finder(arguments))
}

struct Finder<'a>(&'a Arguments);

impl VariantVisitor for Finder<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Arguments { slices, place, threads, json, .. } = self.0;
        let (bitbases, meter) = (place.open::<R>()?, Meter::new()?);
        let mut output = io::stdout().lock();
        for &slice in slices {
            let census = census(slice, &bitbases, &meter, threads)?;
            for longest in
                [Value::Win, Value::Loss].map(|value| find(slice, value, &census, &bitbases))
            {
                let Some(longest) = longest else { continue };
                if *json {
                    writeln!(output, "{}", serde_json::to_string(&longest)?)?;
                } else {
                    let Longest { slice, value, plies, positions, fen, .. } = longest;
                    let plies = plies.unwrap_or_default();
                    writeln!(
                        output,
                        "{slice} {value:<4} {plies:>3} plies {positions:>9} positions, such as {fen}"
                    )?;
                }
            }
        }
        Ok(())
    }
}

fn find<R: Rules>(
    slice: Slice,
    value: Value,
    census: &Census,
    bitbases: &Bitbases<R>,
) -> Option<Longest> {
    let (verdict, group) = census.longest(value)?;
    let index = bitbases.file(slice, Content::Values)?.index();
    Some(Longest {
        variant: R::VARIANT.name(),
        slice: slice.to_string(),
        value: value.to_string(),
        plies: verdict.plies,
        positions: group.quiet + group.capture,
        fen: fen::format(&index.pieces(group.first).position::<R>()),
    })
}

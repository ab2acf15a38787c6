//! `manoury bitbase info`: what bitbases there are.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::bitbase::{Bitbases, Content, File, Slice};
use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::cli::table;
use crate::rules::{Rules, VariantVisitor};

use super::place::Place;

/// Tell which bitbases there are
///
/// For each number of pieces: of how many endings there are values, of how many there could be, their
/// positions and bytes; and of how many there are distances, and their bytes.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    game: GameArgument,
    /// One JSON object for each number of pieces: variant, pieces, slices, of (how many slices there
    /// could be), positions, bytes, distances (slices that have them), distance_bytes
    #[arg(long)]
    json: bool,
}

/// What there is with a number of pieces.
#[derive(Serialize)]
struct Shelf {
    variant: &'static str,
    pieces: usize,
    slices: usize,
    of: usize,
    positions: u64,
    bytes: u64,
    distances: usize,
    distance_bytes: u64,
}

impl Shelf {
    fn new<R: Rules>(pieces: usize, bitbases: &Bitbases<R>) -> Self {
        let slices = Slice::all(pieces);
        let files = |content| {
            let files = slices.iter().filter_map(move |&slice| bitbases.file(slice, content));
            files.collect::<Vec<_>>()
        };
        let bytes = |files: &[&File<R>]| files.iter().map(|file| file.size()).sum();
        let (values, distances) = (files(Content::Values), files(Content::Distances));
        Shelf {
            variant: R::VARIANT.name(),
            pieces,
            slices: values.len(),
            of: slices.len(),
            positions: values.iter().map(|file| file.index().len()).sum(),
            bytes: bytes(&values),
            distances: distances.len(),
            distance_bytes: bytes(&distances),
        }
    }
}

/// Prints a line for each number of pieces.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.game.variant.visit(Informant(arguments))
}

struct Informant<'a>(&'a Arguments);

impl VariantVisitor for Informant<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let bitbases = self.0.place.open::<R>()?;
        let shelves: Vec<_> =
            (2..=bitbases.pieces()).map(|pieces| Shelf::new(pieces, &bitbases)).collect();
        let mut output = io::stdout().lock();
        if self.0.json {
            for shelf in &shelves {
                writeln!(output, "{}", serde_json::to_string(shelf)?)?;
            }
        } else if shelves.is_empty() {
            writeln!(output, "no bitbases of {}", R::VARIANT)?;
        } else {
            write!(output, "{}", text(&shelves))?;
        }
        Ok(())
    }
}

fn text(shelves: &[Shelf]) -> String {
    const HEADER: [&str; 7] =
        ["pieces", "slices", "of", "positions", "bytes", "distances", "bytes"];
    let row = |shelf: &Shelf| {
        let Shelf { pieces, slices, of, positions, bytes, distances, distance_bytes, .. } = *shelf;
        let counts = [pieces, slices, of].map(|count| count as u64);
        let sizes = [positions, bytes, distances as u64, distance_bytes];
        counts.into_iter().chain(sizes).map(|number| number.to_string()).collect()
    };
    table::numbers(&HEADER, shelves.iter().map(row))
}

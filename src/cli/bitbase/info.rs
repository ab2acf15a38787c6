//! `manoury bitbase info`: the bitbases at hand.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::bitbase::{Content, Slice};
use crate::cli::Error;
use crate::cli::answers::write_json;
use crate::cli::game::GameArgument;
use crate::cli::table;
use crate::erased::{BitbaseFile, Bitbases};

use super::folder::BitbaseFolder;

/// Show which bitbases there are
///
/// For each number of pieces: the number of endings with values, the number of endings there could
/// be, their positions and bytes; then the number of endings with distances, and their bytes.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    folder: BitbaseFolder,
    #[command(flatten)]
    game: GameArgument,
    /// Print one JSON object per number of pieces: variant, pieces, slices (endings with values),
    /// of (endings there could be), positions, bytes, distances (endings with distances),
    /// distance_bytes
    #[arg(short, long)]
    json: bool,
}

/// The bitbases with a number of pieces.
#[derive(Serialize)]
struct PieceCountInfo {
    variant: &'static str,
    pieces: usize,
    slices: usize,
    of: usize,
    positions: u64,
    bytes: u64,
    distances: usize,
    distance_bytes: u64,
}

impl PieceCountInfo {
    fn new(pieces: usize, bitbases: &Bitbases) -> Self {
        let slices = Slice::all(pieces);
        let files = |content| {
            let files = slices.iter().filter_map(move |&slice| bitbases.file(slice, content));
            files.collect::<Vec<_>>()
        };
        let bytes = |files: &[&dyn BitbaseFile]| files.iter().map(|file| file.size()).sum();
        let (values, distances) = (files(Content::Values), files(Content::Distances));
        PieceCountInfo {
            variant: bitbases.variant().name(),
            pieces,
            slices: values.len(),
            of: slices.len(),
            positions: values.iter().map(|file| file.positions()).sum(),
            bytes: bytes(&values),
            distances: distances.len(),
            distance_bytes: bytes(&distances),
        }
    }
}

/// Prints a line for each number of pieces.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let variant = arguments.game.variant;
    let bitbases = arguments.folder.open(variant)?;
    let infos: Vec<_> =
        (2..=bitbases.pieces()).map(|pieces| PieceCountInfo::new(pieces, &bitbases)).collect();
    let mut output = io::stdout().lock();
    if arguments.json {
        infos.iter().try_for_each(|info| write_json(&mut output, info))?;
    } else if infos.is_empty() {
        writeln!(output, "no bitbases of {variant}")?;
    } else {
        write!(output, "{}", text(&infos))?;
    }
    Ok(())
}

fn text(infos: &[PieceCountInfo]) -> String {
    const HEADER: [&str; 7] =
        ["pieces", "slices", "of", "positions", "bytes", "distances", "bytes"];
    let row = |info: &PieceCountInfo| {
        let PieceCountInfo { pieces, slices, of, positions, .. } = *info;
        let PieceCountInfo { bytes, distances, distance_bytes, .. } = *info;
        let counts = [pieces, slices, of].map(|count| count as u64);
        let sizes = [positions, bytes, distances as u64, distance_bytes];
        counts.into_iter().chain(sizes).map(|number| number.to_string()).collect()
    };
    table::numbers(&HEADER, infos.iter().map(row))
}

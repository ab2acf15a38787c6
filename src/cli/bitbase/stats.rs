//! `manoury bitbase stats`: how often which value is.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::bitbase::{Bitbases, Census, Content, File, Group, Slice, Value, Verdict};
use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::cli::table;
use crate::cli::threads::Threads;
use crate::rules::{Rules, VariantVisitor};

use super::meter::Meter;
use super::place::Place;

/// Count the wins, draws and losses of endings
///
/// Positions in which the side to move must capture are counted apart. With --distances every
/// position is looked up, and wins and losses are counted by their plies to the end of the game.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Endings such as 0211: a king against two men and a king
    #[arg(value_name = "SLICE", required = true)]
    slices: Vec<Slice>,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    game: GameArgument,
    /// Also count by plies
    #[arg(long)]
    distances: bool,
    #[command(flatten)]
    threads: Threads,
    /// One JSON object a slice: variant, slice, positions, quiet and capture (each with win, draw and
    /// loss), bytes, checksum (CRC-32, hexadecimal), and with --distances a list of objects with value,
    /// plies (null for draws), quiet and capture
    #[arg(long)]
    json: bool,
}

/// What is known about a slice as a whole.
#[derive(Serialize)]
struct Statistics {
    variant: &'static str,
    slice: String,
    positions: u64,
    quiet: Split,
    capture: Split,
    bytes: u64,
    checksum: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    distances: Option<Vec<Distance>>,
}

/// Positions by value.
#[derive(Serialize)]
struct Split {
    win: u64,
    draw: u64,
    loss: u64,
}

/// Positions of one value and distance.
#[derive(Serialize)]
struct Distance {
    value: String,
    plies: Option<u8>,
    quiet: u64,
    capture: u64,
}

impl Split {
    fn new(counts: [u64; 3]) -> Self {
        let of = |value: Value| counts[value as usize];
        Split { win: of(Value::Win), draw: of(Value::Draw), loss: of(Value::Loss) }
    }
}

impl Statistics {
    fn new<R: Rules>(file: &File<R>) -> Self {
        let counts = file.counts();
        Statistics {
            variant: R::VARIANT.name(),
            slice: file.index().slice().to_string(),
            positions: file.index().len(),
            quiet: Split::new(counts.quiet),
            capture: Split::new(counts.capture),
            bytes: file.size(),
            checksum: format!("{:08x}", file.checksum()),
            distances: None,
        }
    }
}

/// Prints the counts.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.game.variant.visit(Counter(arguments))
}

struct Counter<'a>(&'a Arguments);

impl VariantVisitor for Counter<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let bitbases = self.0.place.open::<R>()?;
        let mut all = Vec::new();
        for &slice in &self.0.slices {
            all.push(Statistics::new(file(slice, &bitbases, Content::Values)?));
        }
        if self.0.distances {
            let meter = Meter::new()?;
            for (statistics, &slice) in all.iter_mut().zip(&self.0.slices) {
                let census = census(slice, &bitbases, &meter, &self.0.threads)?;
                statistics.distances = Some(distances(&census));
            }
        }
        let mut output = io::stdout().lock();
        if !self.0.json {
            write!(output, "{}", text(&all))?;
            return Ok(());
        }
        for statistics in &all {
            writeln!(output, "{}", serde_json::to_string(statistics)?)?;
        }
        Ok(())
    }
}

/// The file of a slice.
fn file<R: Rules>(
    slice: Slice,
    bitbases: &Bitbases<R>,
    content: Content,
) -> Result<&File<R>, Error> {
    let what = match content {
        Content::Values => "bitbase",
        Content::Distances => "file with the distances",
    };
    let missing = || format!("there is no {what} of {slice}; see `manoury bitbase info`");
    bitbases.file(slice, content).ok_or_else(|| Error::Input(missing()))
}

/// All positions of a slice by value and distance.
pub fn census<R: Rules>(
    slice: Slice,
    bitbases: &Bitbases<R>,
    meter: &Meter,
    threads: &Threads,
) -> Result<Census, Error> {
    let positions = file(slice, bitbases, Content::Distances)?.index().len();
    let pool = threads.pool()?;
    let census = meter.watch(positions, 1, &pool, || Census::take(slice, bitbases, meter));
    census.ok_or_else(|| Error::No(format!("{slice} was not counted to the end")))
}

fn distances(census: &Census) -> Vec<Distance> {
    let row = |(verdict, group): (Verdict, Group)| Distance {
        value: verdict.value.to_string(),
        plies: verdict.plies,
        quiet: group.quiet,
        capture: group.capture,
    };
    census.groups().map(row).collect()
}

/// A table of all slices, then one for each that was counted by distance.
fn text(all: &[Statistics]) -> String {
    const HEADER: [&str; 10] = [
        "slice",
        "positions",
        "quiet: win",
        "draw",
        "loss",
        "capture: win",
        "draw",
        "loss",
        "bytes",
        "checksum",
    ];
    let row = |one: &Statistics| {
        let splits = [&one.quiet, &one.capture].map(|split| [split.win, split.draw, split.loss]);
        let numbers = [one.positions].into_iter().chain(splits.concat()).chain([one.bytes]);
        let numbers = numbers.map(|number| number.to_string());
        [one.slice.clone()].into_iter().chain(numbers).chain([one.checksum.clone()]).collect()
    };
    let first = table::numbers(&HEADER, all.iter().map(row));
    let others = all.iter().filter_map(|one| one.distances.as_deref()).map(by_distance);
    [first].into_iter().chain(others).collect::<Vec<_>>().join("\n")
}

fn by_distance(distances: &[Distance]) -> String {
    let row = |Distance { value, plies, quiet, capture }: &Distance| {
        let plies = plies.map_or("-".to_owned(), |plies| plies.to_string());
        vec![value.clone(), plies, quiet.to_string(), capture.to_string()]
    };
    table::numbers(&["value", "plies", "quiet", "capture"], distances.iter().map(row))
}

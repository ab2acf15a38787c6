//! `manoury bitbase stats`: counts of values and distances.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::bitbase::{Content, Slice, Value, Verdict, VerdictCounts, VerdictGroup};
use crate::cli::Error;
use crate::cli::answers::write_json;
use crate::cli::game::GameArgument;
use crate::cli::table;
use crate::cli::threads::Threads;
use crate::erased::{BitbaseFile, Bitbases};
use crate::rules::Variant;

use super::folder::BitbaseFolder;
use super::progress::SolveProgress;

/// Count the wins, draws and losses of endings
///
/// Positions in which the side to move must capture are counted separately. With --distances every
/// position is looked up, and wins and losses are also counted by plies to the end of the game.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Endings such as 0211: a king against two men and a king
    #[arg(value_name = "SLICE", required = true)]
    slices: Vec<Slice>,
    #[command(flatten)]
    folder: BitbaseFolder,
    #[command(flatten)]
    game: GameArgument,
    /// Also count by plies
    #[arg(long)]
    distances: bool,
    #[command(flatten)]
    threads: Threads,
    /// Print one JSON object per slice: variant, slice, positions, quiet and capture (each with
    /// win, draw and loss), bytes, checksum (CRC-32, hexadecimal), and with --distances a list of
    /// objects with value, plies (null for draws), quiet and capture
    #[arg(short, long)]
    json: bool,
}

/// The counts of a slice.
#[derive(Serialize)]
struct SliceStatistics {
    variant: &'static str,
    slice: String,
    positions: u64,
    quiet: ValueTally,
    capture: ValueTally,
    bytes: u64,
    checksum: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    distances: Option<Vec<DistanceCount>>,
}

/// Numbers of positions by value.
#[derive(Serialize)]
struct ValueTally {
    win: u64,
    draw: u64,
    loss: u64,
}

/// Numbers of positions of one value and distance.
#[derive(Serialize)]
struct DistanceCount {
    value: String,
    plies: Option<u8>,
    quiet: u64,
    capture: u64,
}

impl ValueTally {
    fn new(counts: [u64; 3]) -> Self {
        let of = |value: Value| counts[value as usize];
        ValueTally { win: of(Value::Win), draw: of(Value::Draw), loss: of(Value::Loss) }
    }
}

impl SliceStatistics {
    fn new(variant: Variant, file: &dyn BitbaseFile) -> Self {
        let counts = file.counts();
        SliceStatistics {
            variant: variant.name(),
            slice: file.slice().to_string(),
            positions: file.positions(),
            quiet: ValueTally::new(counts.quiet),
            capture: ValueTally::new(counts.capture),
            bytes: file.size(),
            checksum: format!("{:08x}", file.checksum()),
            distances: None,
        }
    }
}

/// Prints the counts.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { slices, folder, game, distances, threads, json } = arguments;
    let bitbases = folder.open(game.variant)?;
    let mut all = Vec::new();
    for &slice in slices {
        let file = file(slice, &bitbases, Content::Values)?;
        all.push(SliceStatistics::new(game.variant, file));
    }
    if *distances {
        let progress = SolveProgress::new()?;
        for (statistics, &slice) in all.iter_mut().zip(slices) {
            let counts = count_verdicts(slice, &bitbases, &progress, threads)?;
            statistics.distances = Some(distance_counts(&counts));
        }
    }
    let mut output = io::stdout().lock();
    if *json {
        return all.iter().try_for_each(|statistics| write_json(&mut output, statistics));
    }
    write!(output, "{}", text(&all))?;
    Ok(())
}

/// The file of a slice.
fn file(slice: Slice, bitbases: &Bitbases, content: Content) -> Result<&dyn BitbaseFile, Error> {
    let what = match content {
        Content::Values => "bitbase",
        Content::Distances => "file with the distances",
    };
    let missing = || format!("there is no {what} of {slice}; see `manoury bitbase info`");
    bitbases.file(slice, content).ok_or_else(|| Error::Input(missing()))
}

/// Counts all positions of a slice by value and distance.
///
/// # Errors
///
/// There is no file with the distances, or the count was interrupted.
pub fn count_verdicts(
    slice: Slice,
    bitbases: &Bitbases,
    progress: &SolveProgress,
    threads: &Threads,
) -> Result<VerdictCounts, Error> {
    let positions = file(slice, bitbases, Content::Distances)?.positions();
    let pool = threads.pool()?;
    let counts = progress.watch(positions, 1, &pool, || bitbases.count_verdicts(slice, progress));
    counts.ok_or_else(|| Error::No(format!("{slice} was not counted to the end")))
}

fn distance_counts(counts: &VerdictCounts) -> Vec<DistanceCount> {
    let count = |(verdict, group): (Verdict, VerdictGroup)| DistanceCount {
        value: verdict.value.to_string(),
        plies: verdict.plies,
        quiet: group.quiet,
        capture: group.capture,
    };
    counts.groups().map(count).collect()
}

/// A table of all slices, then one for each slice that was counted by distance.
fn text(all: &[SliceStatistics]) -> String {
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
    let row = |one: &SliceStatistics| {
        let counts = [&one.quiet, &one.capture];
        let counts = counts.map(|counts| [counts.win, counts.draw, counts.loss]);
        let numbers = [one.positions].into_iter().chain(counts.concat()).chain([one.bytes]);
        let numbers = numbers.map(|number| number.to_string());
        [one.slice.clone()].into_iter().chain(numbers).chain([one.checksum.clone()]).collect()
    };
    let first = table::numbers(&HEADER, all.iter().map(row));
    let others = all.iter().filter_map(|one| one.distances.as_deref()).map(by_distance);
    [first].into_iter().chain(others).collect::<Vec<_>>().join("\n")
}

fn by_distance(distances: &[DistanceCount]) -> String {
    let row = |DistanceCount { value, plies, quiet, capture }: &DistanceCount| {
        let plies = plies.map_or("-".to_owned(), |plies| plies.to_string());
        vec![value.clone(), plies, quiet.to_string(), capture.to_string()]
    };
    table::numbers(&["value", "plies", "quiet", "capture"], distances.iter().map(row))
}

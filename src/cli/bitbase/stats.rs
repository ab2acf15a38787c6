//! Commands that report on the contents of bitbases: `info`, `stats` and `longest`.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::bitbase::{Content, Slice, Value, Verdict, VerdictCounts, VerdictGroup};
use crate::cli::Error;
use crate::cli::args::{BitbasesArgument, JsonArgument, ThreadsArgument, VariantArgument};
use crate::cli::output::{number_table, write_json};
use crate::erased::{BitbaseFile, Bitbases};
use crate::notation::fen;
use crate::rules::Variant;
use crate::runtime::interrupt::Interrupt;
use crate::runtime::progress::ProgressCounter;

use super::show_progress;

/// List the available bitbases
///
/// For each number of pieces: the number of slices with values, the number of possible slices,
/// their positions and bytes; then the number of slices with distances, and their bytes.
///
/// JSON, one object per number of pieces: variant, pieces, slices (those with values), of
/// (possible slices), positions, bytes, distances (slices with distances), distance_bytes.
#[derive(Args, Debug)]
#[command(after_long_help = INFO_EXAMPLES)]
pub struct InfoArguments {
    #[command(flatten)]
    folder: BitbasesArgument,
    #[command(flatten)]
    game: VariantArgument,
    #[command(flatten)]
    json: JsonArgument,
}

/// The examples at the end of the help.
const INFO_EXAMPLES: &str = "Examples:
  manoury bitbase info
  manoury bitbase info --variant russian --bitbases bitbases";

/// The bitbases with a given number of pieces.
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
        let bytes = |files: &[&BitbaseFile]| files.iter().map(|file| file.size()).sum();
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
pub fn info(arguments: &InfoArguments) -> Result<(), Error> {
    let variant = arguments.game.variant;
    let bitbases = arguments.folder.open(variant)?;
    let infos: Vec<_> =
        (2..=bitbases.pieces()).map(|pieces| PieceCountInfo::new(pieces, &bitbases)).collect();
    let mut output = io::stdout().lock();
    if arguments.json.is_on() {
        infos.iter().try_for_each(|info| write_json(&mut output, info))?;
    } else if infos.is_empty() {
        writeln!(output, "no bitbases for {variant}")?;
    } else {
        write!(output, "{}", info_table(&infos))?;
    }
    Ok(())
}

fn info_table(infos: &[PieceCountInfo]) -> String {
    const HEADER: [&str; 7] =
        ["pieces", "slices", "of", "positions", "bytes", "distances", "bytes"];
    let row = |info: &PieceCountInfo| {
        let PieceCountInfo { pieces, slices, of, positions, .. } = *info;
        let PieceCountInfo { bytes, distances, distance_bytes, .. } = *info;
        let counts = [pieces, slices, of].map(|count| count as u64);
        let sizes = [positions, bytes, distances as u64, distance_bytes];
        counts.into_iter().chain(sizes).map(|number| number.to_string()).collect()
    };
    number_table(&HEADER, infos.iter().map(row))
}

/// Count the wins, draws and losses in endings (slices)
///
/// Positions in which the side to move must capture are counted separately. With --distances every
/// position is looked up, and wins and losses are also counted by plies to the end of the game.
///
/// JSON, one object per slice: variant, slice, positions, quiet and capture (each with win, draw
/// and loss), bytes, checksum (CRC-32, hexadecimal), and with --distances a list of objects with
/// value, plies (null for draws), quiet and capture.
#[derive(Args, Debug)]
#[command(after_long_help = STATS_EXAMPLES)]
pub struct StatsArguments {
    /// Also count wins and losses by plies to the end of the game
    #[arg(long)]
    distances: bool,
    #[command(flatten)]
    endings: EndingsArguments,
}

/// The examples at the end of the help.
const STATS_EXAMPLES: &str = "Examples:
  manoury bitbase stats 0011 0021
  manoury bitbase stats 1011 --distances --json";

/// The endings whose positions a command counts.
#[derive(Args, Debug)]
struct EndingsArguments {
    /// Slices such as 0211: a king against two men and a king
    #[arg(value_name = "SLICE", required = true)]
    slices: Vec<Slice>,
    #[command(flatten)]
    folder: BitbasesArgument,
    #[command(flatten)]
    game: VariantArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    json: JsonArgument,
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

/// The number of positions with each value.
#[derive(Serialize)]
struct ValueTally {
    win: u64,
    draw: u64,
    loss: u64,
}

/// The number of positions with the same value and distance.
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
    fn new(variant: Variant, file: &BitbaseFile) -> Self {
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
pub fn stats(arguments: &StatsArguments) -> Result<(), Error> {
    let EndingsArguments { slices, folder, game, threads, json } = &arguments.endings;
    let bitbases = folder.open(game.variant)?;
    let mut all = Vec::new();
    for &slice in slices {
        let file = file(slice, &bitbases, Content::Values)?;
        all.push(SliceStatistics::new(game.variant, file));
    }
    if arguments.distances {
        let interrupt = Interrupt::on_ctrl_c()?;
        for (statistics, &slice) in all.iter_mut().zip(slices) {
            let counts = count_verdicts(slice, &bitbases, &interrupt, threads)?;
            statistics.distances = Some(distance_counts(&counts));
        }
    }
    let mut output = io::stdout().lock();
    if json.is_on() {
        return all.iter().try_for_each(|statistics| write_json(&mut output, statistics));
    }
    write!(output, "{}", stats_tables(&all))?;
    Ok(())
}

/// Finds the file of a slice.
fn file(slice: Slice, bitbases: &Bitbases, content: Content) -> Result<&BitbaseFile, Error> {
    let what = match content {
        Content::Values => "bitbase",
        Content::Distances => "distance file",
    };
    let missing = || format!("no {what} for {slice}; see `manoury bitbase info`");
    bitbases.file(slice, content).ok_or_else(|| Error::Input(missing()))
}

/// Counts all positions of a slice by value and distance.
///
/// # Errors
///
/// There is no file with distances for the slice, or the count was interrupted.
pub fn count_verdicts(
    slice: Slice,
    bitbases: &Bitbases,
    interrupt: &Interrupt,
    threads: &ThreadsArgument,
) -> Result<VerdictCounts, Error> {
    let positions = file(slice, bitbases, Content::Distances)?.positions();
    let pool = threads.pool()?;
    let count = |progress: &ProgressCounter| bitbases.count_verdicts(slice, progress);
    let counts = show_progress(positions, 1, &pool, interrupt, count);
    counts.ok_or_else(|| Error::No(format!("interrupted while counting {slice}")))
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
fn stats_tables(all: &[SliceStatistics]) -> String {
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
    let first = number_table(&HEADER, all.iter().map(row));
    let others = all.iter().filter_map(|one| one.distances.as_deref()).map(by_distance);
    [first].into_iter().chain(others).collect::<Vec<_>>().join("\n")
}

fn by_distance(distances: &[DistanceCount]) -> String {
    let row = |DistanceCount { value, plies, quiet, capture }: &DistanceCount| {
        let plies = plies.map_or("-".to_owned(), |plies| plies.to_string());
        vec![value.clone(), plies, quiet.to_string(), capture.to_string()]
    };
    number_table(&["value", "plies", "quiet", "capture"], distances.iter().map(row))
}

/// Show the longest win and the longest loss in endings (slices)
///
/// For each: value, plies, number of such positions, and one of them, with White to move.
///
/// JSON, one object for each: variant, slice, value, plies, positions, fen.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES_OF_LONGEST)]
pub struct LongestArguments {
    #[command(flatten)]
    endings: EndingsArguments,
}

/// The examples at the end of the help.
const EXAMPLES_OF_LONGEST: &str = "Examples:
  manoury bitbase longest 0021 1011
  manoury bitbase longest 1011 --variant russian --json";

/// The longest win or loss in a slice.
#[derive(Serialize)]
struct LongestWinOrLoss {
    variant: &'static str,
    slice: String,
    value: String,
    plies: Option<u8>,
    positions: u64,
    fen: String,
}

/// Prints the positions.
pub fn longest(arguments: &LongestArguments) -> Result<(), Error> {
    let EndingsArguments { slices, folder, game, threads, json } = &arguments.endings;
    let (bitbases, interrupt) = (folder.open(game.variant)?, Interrupt::on_ctrl_c()?);
    let mut output = io::stdout().lock();
    for &slice in slices {
        let counts = count_verdicts(slice, &bitbases, &interrupt, threads)?;
        for value in [Value::Win, Value::Loss] {
            match LongestWinOrLoss::new(slice, value, &counts, &bitbases) {
                Some(longest) if json.is_on() => write_json(&mut output, &longest)?,
                Some(longest) => writeln!(output, "{}", longest.text())?,
                None => {}
            }
        }
    }
    Ok(())
}

impl LongestWinOrLoss {
    /// `None` if no position in the slice has the value.
    fn new(
        slice: Slice,
        value: Value,
        counts: &VerdictCounts,
        bitbases: &Bitbases,
    ) -> Option<Self> {
        let (verdict, group) = counts.longest(value)?;
        let file = bitbases.file(slice, Content::Values)?;
        Some(LongestWinOrLoss {
            variant: bitbases.variant().name(),
            slice: slice.to_string(),
            value: value.to_string(),
            plies: verdict.plies,
            positions: group.quiet + group.capture,
            fen: fen::format(&bitbases.position(file, group.first)),
        })
    }

    fn text(&self) -> String {
        let LongestWinOrLoss { slice, value, plies, positions, fen, .. } = self;
        let plies = plies.unwrap_or_default();
        format!("{slice} {value:<4} {plies:>3} plies {positions:>9} positions, such as {fen}")
    }
}

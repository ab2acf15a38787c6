//! `manoury perft`: counts leaves.

use std::time::Instant;

use clap::Args;
use rayon::ThreadPool;
use serde::Serialize;

use crate::erased::{PerftTable, Position};
use crate::notation::fen;

use super::Error;
use super::args::positions::PositionsArguments;
use super::args::{JsonArgument, ThreadsArgument, table_size};
use super::error::number;
use super::output::{PositionReport, ReportedMove, Speed};

/// The maximum depth: counting is recursive, and no count of this depth is of use.
const MAX_DEPTH: u32 = 100;

/// Count the leaves at a given depth below a position
///
/// Identical captures count once, draw rules are ignored, and a finished game has no leaves below
/// it. With `--tt-size`, the leaves below a position reached by several sequences of moves are
/// counted only once. A count of 2^64 - 1 or more is an error. The last line is `nodes=N time=S
/// nps=R`: leaves, seconds, leaves per second.
///
/// JSON, one object per position: variant, fen, depth, nodes, time, nps, and with --divide a list
/// of objects with move, in Hub notation, and nodes.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct PerftArguments {
    #[command(flatten)]
    positions: PositionsArguments,
    /// Depth in plies
    #[arg(short, long, value_name = "N", value_parser = number::<u32>(..))]
    depth: u32,
    /// Also print the count below each move
    #[arg(long)]
    divide: bool,
    /// Base-2 logarithm of the number of entries in a table of known counts, 16 bytes each
    /// [default: no table]
    #[arg(long, value_name = "N", value_parser = table_size)]
    tt_size: Option<u32>,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    json: JsonArgument,
}

/// The examples at the end of the help.
const EXAMPLES: &str = "Examples:
  manoury perft --depth 6
  manoury perft --variant english --depth 4 --divide";

/// The leaf count of a position.
#[derive(Serialize)]
struct LeafCount {
    variant: &'static str,
    fen: String,
    depth: u32,
    #[serde(flatten)]
    speed: Speed,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<MoveLeafCount>>,
}

/// The leaf count below a move.
#[derive(Serialize)]
struct MoveLeafCount {
    r#move: ReportedMove,
    nodes: u64,
}

/// Counts the leaves and prints the result.
pub fn perft(arguments: &PerftArguments) -> Result<(), Error> {
    let PerftArguments { positions, depth, divide, tt_size, threads, json } = arguments;
    if *divide && positions.is_batch() && !json.is_on() {
        let message = "--divide prints several lines per position; with `-` it needs --json";
        return Err(Error::usage(message));
    }
    if *depth > MAX_DEPTH {
        return Err(Error::usage(format!("--depth must be at most {MAX_DEPTH}, not {depth}")));
    }
    let pool = threads.pool()?;
    let table = tt_size.map(PerftTable::new);
    let count = |position: &_| LeafCount::new(position, *depth, *divide, table.as_ref(), &pool);
    let form = positions.output_format(json.is_on());
    positions.each(|position| form.print(&count(position)?))
}

impl LeafCount {
    fn new(
        position: &Position,
        depth: u32,
        divide: bool,
        table: Option<&PerftTable>,
        pool: &ThreadPool,
    ) -> Result<Self, Error> {
        let start = Instant::now();
        let (nodes, moves) = pool.install(|| {
            // At depth 0 there are no moves to divide the count by.
            if !divide || depth == 0 {
                return (position.perft_with(depth, table), Vec::new());
            }
            let moves = position.divide(depth, table);
            (moves.iter().fold(0, |sum: u64, (_, nodes)| sum.saturating_add(*nodes)), moves)
        });
        if nodes == u64::MAX {
            return Err(Error::Input(format!(
                "{}: too many leaves to count at depth {depth}; use a smaller --depth",
                fen::format(position)
            )));
        }
        let speed = Speed::new(nodes, start.elapsed());
        let moves = moves
            .into_iter()
            .map(|(mv, nodes)| MoveLeafCount { r#move: ReportedMove::new(position, mv), nodes });
        Ok(LeafCount {
            variant: position.variant().name(),
            fen: fen::format(position),
            depth,
            speed,
            divide: divide.then(|| moves.collect()),
        })
    }
}

impl PositionReport for LeafCount {
    fn rows(&self) -> String {
        self.page()
    }

    fn page(&self) -> String {
        let moves = self.divide.iter().flatten();
        let moves = moves.map(|count| format!("{} {}\n", count.r#move, count.nodes));
        format!("{}{}\n", moves.collect::<String>(), self.speed)
    }
}

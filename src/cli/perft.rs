//! `manoury perft`: counts the leaves below a position.

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;
use clap::error::ErrorKind;
use serde::Serialize;

use crate::movegen;
use crate::notation::{fen, hub};
use crate::position::Position;
use crate::rules::{Rules, VariantVisitor};

use super::Error;
use super::positions::Positions;
use super::speed::Speed;
use super::threads::Threads;

/// Count the leaves a number of plies below a position
///
/// Unique moves, no draw rules, nothing below a finished game. The last line is
/// `nodes=N time=S nps=R`: leaves, seconds, leaves a second.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    positions: Positions,
    /// How many plies deep
    #[arg(long, value_name = "N")]
    depth: u32,
    /// Also print the count below each move
    #[arg(long)]
    divide: bool,
    #[command(flatten)]
    threads: Threads,
    /// One JSON object a position: variant, fen, depth, nodes, time, nps, and with --divide a list
    /// of objects with move and nodes
    #[arg(long)]
    json: bool,
}

/// The counts of a position, as JSON.
#[derive(Serialize)]
struct Count {
    variant: &'static str,
    fen: String,
    depth: u32,
    #[serde(flatten)]
    speed: Speed,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Branch>>,
}

#[derive(Serialize)]
struct Branch {
    r#move: String,
    nodes: u64,
}

/// Counts and prints.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    if arguments.divide && arguments.positions.is_batch() && !arguments.json {
        let message = "--divide has many lines a position; with `-` it needs --json\n";
        return Err(clap::Error::raw(ErrorKind::ArgumentConflict, message).into());
    }
    let pool = arguments.threads.pool()?;
    let counter = Counter { arguments, pool };
    arguments.positions.game.variant.visit(counter)
}

struct Counter<'a> {
    arguments: &'a Arguments,
    pool: rayon::ThreadPool,
}

impl VariantVisitor for Counter<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let mut output = io::stdout().lock();
        self.arguments.positions.each::<R>(|position| {
            let count = self.count(position);
            if self.arguments.json {
                writeln!(output, "{}", serde_json::to_string(&count)?)?;
                return Ok(());
            }
            for branch in count.divide.iter().flatten() {
                writeln!(output, "{} {}", branch.r#move, branch.nodes)?;
            }
            writeln!(output, "{}", count.speed)?;
            Ok(())
        })
    }
}

impl Counter<'_> {
    fn count<R: Rules>(&self, position: &Position<R>) -> Count {
        let Arguments { depth, divide, .. } = *self.arguments;
        let start = Instant::now();
        let (nodes, branches) = self.pool.install(|| {
            // A leaf has no moves to divide by.
            if !divide || depth == 0 {
                return (movegen::perft_parallel(position, depth), Vec::new());
            }
            let branches = movegen::divide(position, depth);
            (branches.iter().map(|(_, nodes)| nodes).sum(), branches)
        });
        let speed = Speed::new(nodes, start.elapsed());
        let branches =
            branches.into_iter().map(|(mv, nodes)| Branch { r#move: hub::format_move(mv), nodes });
        Count {
            variant: R::VARIANT.name(),
            fen: fen::format(position),
            depth,
            speed,
            divide: divide.then(|| branches.collect()),
        }
    }
}

//! `manoury book import`: a book of games.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::book::Graph;
use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::cli::threads::Threads;
use crate::cli::weights::WeightsArgument;
use crate::learn::book::{Settings, add_games};
use crate::position::Key;
use crate::rules::{Rules, VariantVisitor};

use super::effort::EffortArguments;
use super::keeper::{self, Keeper};
use super::{games, text};

/// Add the openings of games to a book
///
/// The positions of the games are expanded, as `manoury book build` does it: the moves that were played and
/// all others are searched. Ctrl-C ends the work, and the same command goes on.
///
/// The last line is that of `manoury book build`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Files of PDN games
    #[arg(value_name = "PDN", required = true)]
    files: Vec<PathBuf>,
    /// The file of the book: a new one, or one to add to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    effort: EffortArguments,
    /// The plies of the games that count
    #[arg(long, value_name = "N", default_value_t = 16)]
    plies: usize,
    /// How many games must come to a position
    #[arg(long, value_name = "N", default_value_t = 1)]
    least: usize,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    weights: WeightsArgument,
}

/// Imports and prints how much.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.game.variant.visit(Importer(arguments))
}

struct Importer<'a>(&'a Arguments);

impl VariantVisitor for Importer<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Arguments { files, out, plies, least, threads, weights, .. } = self.0;
        let (start, pool) = (Instant::now(), threads.pool()?);
        let evaluation = weights.open::<R>()?;
        let mut graph: Graph<R> = keeper::open(out)?;
        let games = games::frequent(&games::read::<R>(files, *plies)?, *least);
        let positions = games.iter().flat_map(|game| game.positions());
        let keys: HashSet<Key> = positions.map(|at| at.key()).collect();
        let settings = Settings { positions: usize::MAX, effort: self.0.effort.effort() };
        let keeper = Keeper::new(out, None, &evaluation, settings.effort)?;
        let wanted = graph.expanded() + keys.len();
        let was_interrupted = keeper.during(&mut graph, wanted, |graph| {
            add_games(graph, &games, &settings, &evaluation, &pool, &keeper);
        })?;
        writeln!(io::stdout().lock(), "{}", text::summary(&graph, start.elapsed()))?;
        match was_interrupted {
            true => Err(Error::No("interrupted; the same command goes on from here".to_owned())),
            false => Ok(()),
        }
    }
}

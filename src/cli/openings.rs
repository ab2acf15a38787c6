//! `manoury openings`: generates openings in which one side is ahead.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::arena::openings::edge::{self, EdgeOpening, EdgeSettings};
use crate::notation::pdn::{self, GameRecord};
use crate::runtime::interrupt::Interrupt;
use crate::runtime::progress::ProgressCounter;
use crate::score::Score;
use crate::{storage, weights};

use super::Error;
use super::args::{SeedArgument, ThreadsArgument, VariantArgument, parse_range};
use super::error::number;
use super::output_file;
use super::progress::ProgressBar;

/// Generate unbalanced openings (edge openings), for matches of a program against itself
///
/// From level openings, most games of a program against itself are drawn. From edge openings, which
/// are unbalanced openings at the edge between a draw and a win, each played with both colours,
/// fewer games are needed to show which version is better. `manoury match --openings edge` uses the
/// built-in ones, which exist for international, english, italian, spanish, german and czech;
/// `manoury match --sprt` between versions of a program and `manoury tune` do so by default. This
/// command generates others, for any variant.
///
/// Random games are played until neither side can capture. A game is kept if a search finds one
/// side ahead by the right amount; White leads in half of the openings. No position occurs twice,
/// even with colours reversed. The same arguments produce the same file on every machine. In
/// international draughts 1,000 openings take 20 seconds on one core.
///
/// The file is PDN, for `manoury match --openings FILE`. The Round tag is the number of the random
/// game, and the comment after its last move is White's lead in men. The default window suits
/// international draughts, where a lead of a whole man is too much; in many other variants, a whole
/// man is about right.
///
/// The last line is `openings=N games=N time=S`: openings, random games tried, seconds.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct Arguments {
    /// PDN file to write; an existing file is replaced
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = number::<u32>(1..))]
    count: u32,
    #[command(flatten)]
    game: VariantArgument,
    /// Minimum and maximum lead of one side, in men, with which it should win about half of its
    /// games
    #[arg(long, value_name = "A..B", default_value = "0.4..0.8", allow_hyphen_values = true, alias = "ahead", value_parser = lead)]
    lead: RangeInclusive<Score>,
    /// Nodes per search; no new iteration starts after this many
    #[arg(long, value_name = "K", default_value_t = 10_000,
          value_parser = number::<u64>(1..))]
    nodes: u64,
    #[command(flatten)]
    seed: SeedArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
}

/// The examples at the end of the help.
const EXAMPLES: &str = "Examples:
  manoury openings --count 10 --out edge.pdn
  manoury openings --variant frisian --count 10 --lead 0..0.2 --out level.pdn";

/// Generates the openings and writes them.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    output_file::check_writable(&arguments.out)?;
    let variant = arguments.game.variant;
    let settings = EdgeSettings {
        count: arguments.count as usize,
        ahead: arguments.lead.clone(),
        nodes: arguments.nodes,
        seed: arguments.seed.seed,
    };
    let (start, pool) = (Instant::now(), arguments.threads.pool()?);
    let evaluation = weights::embedded(variant);
    let interrupt = Interrupt::on_ctrl_c()?;
    let counter = ProgressCounter::new(u64::from(arguments.count), 0, interrupt.clone());
    let (openings, games) = ProgressBar::of(counter, 1, "openings").during(
        |counter| (edge::find(variant, &settings, &evaluation, &pool, counter), counter.detail()),
        |counter| format!("{} games", counter.detail()),
    );
    let found = openings.len();
    if interrupt.is_set() {
        return Err(Error::No("interrupted; no file was written".to_owned()));
    }
    if found < settings.count {
        return Err(Error::Input(format!(
            "only {found} openings found in {games} random games; a wider --lead or a \
             smaller --count may help"
        )));
    }
    write(arguments, &openings)?;
    let seconds = start.elapsed().as_secs_f64();
    writeln!(io::stdout().lock(), "openings={found} games={games} time={seconds:.1}")?;
    Ok(())
}

fn write(arguments: &Arguments, openings: &[EdgeOpening]) -> Result<(), Error> {
    let path = &arguments.out;
    let mut games = openings.iter().map(|opening| record(opening, arguments.seed.seed));
    let written = storage::write_atomically(path, |file| {
        games.try_for_each(|game| writeln!(file, "{}", pdn::write_game(&game)))
    });
    Ok(written.map(drop).map_err(storage::with_path(path))?)
}

fn record(opening: &EdgeOpening, seed: u64) -> GameRecord {
    let mut record = GameRecord::from_game(&opening.game);
    record.tags.set("Event", &format!("Random games of seed {seed}"));
    record.tags.set("Round", &opening.number.to_string());
    if let Some(last) = record.line.moves.last_mut() {
        last.comments.push(opening.lead.to_string());
    }
    record
}

/// Parses a range of leads in men, including both ends: `0.4..0.8`.
fn lead(text: &str) -> Result<RangeInclusive<Score>, String> {
    /// Maximum lead, in men.
    const MAX_LEAD: f64 = 50.0;
    let men = parse_range::<f64>(text, "0.4..0.8")?;
    if !(*men.start() >= 0.0 && *men.end() <= MAX_LEAD) {
        return Err(format!("expected a lead from 0 to {MAX_LEAD} men"));
    }
    let score = |men: &f64| Score::evaluation((men * 100.0).round() as i32);
    Ok(score(men.start())..=score(men.end()))
}

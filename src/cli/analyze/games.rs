//! Reviews of the games in a PDN file.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::analysis::{Review, ReviewLog, ReviewPool, annotate, shot_problems};
use crate::book::Book;
use crate::cli::Error;
use crate::cli::args::games::FileGame;
use crate::cli::output::{print_stderr, write_json};
use crate::cli::progress::ProgressBar;
use crate::engine::{EngineOptions, Resources};
use crate::erased::Game;
use crate::notation::pdn::{self, GameRecord};
use crate::report::page::page;
use crate::rules::Variant;
use crate::runtime::log::LogSettings;
use crate::runtime::progress::{Progress, ProgressCounter};
use crate::search::{Control, Limits};
use crate::storage;

use super::Arguments;
use super::reviewed::ReviewedGame;

/// The time per position if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_millis(200);

/// Reviews all games of a file, or only the selected one.
pub fn run(arguments: &Arguments, path: &Path, control: &Control) -> Result<(), Error> {
    arguments.review.check(path)?;
    let text = arguments.file.encoding.text_of(path)?;
    let (games, faults) = arguments.file.games(path, &text, arguments.positions.variant())?;
    if faults > 0 || games.len() < pdn::games(&text).count() {
        arguments.review.check_partial(path)?;
    }
    let mut log =
        ReviewLog::open(arguments.review.log.as_deref(), &settings(arguments, path, &text))?;
    let positions = |game: &FileGame| game.record.line.moves.len() as u64 + 1;
    let total = games.iter().map(positions).sum();
    let done = games.iter().filter(|game| log.has(game.number)).map(positions).sum();
    let bar = ProgressBar::new(total, done, "positions");
    let mut reviewer = Reviewer { arguments, control, tools: None };
    let (mut numbers, mut reviewed) = (Vec::new(), Vec::new());
    for FileGame { number, record } in games {
        let review = reviewer.review(number, &record.game(), &mut log, &bar)?;
        show(arguments, &ReviewedGame::new(number, &record, &review), &bar)?;
        numbers.push(number);
        reviewed.push((record, review));
    }
    bar.finish();
    write_files(arguments, &numbers, reviewed)?;
    Error::check_faults(faults)
}

/// The settings that must be the same when an analysis is resumed.
fn settings(arguments: &Arguments, path: &Path, text: &str) -> LogSettings {
    let Limits { depth, nodes, move_time, .. } = arguments.limits.or_time(DEFAULT_TIME);
    let value = json!({
        "file": path.display().to_string(),
        "checksum": crc32fast::hash(text.as_bytes()),
        "weights": format!("{:?}", arguments.weights.source()),
        "variant": arguments.positions.variant().name(),
        "depth": depth,
        "nodes": nodes,
        "time": move_time.map(|time| time.as_secs_f64()),
    });
    value.as_object().cloned().unwrap_or_default()
}

fn show(arguments: &Arguments, game: &ReviewedGame, bar: &ProgressBar) -> io::Result<()> {
    bar.output(|output| match arguments.json.is_on() {
        true => write_json(output, game).map_err(io::Error::other),
        false => output.write_all(game.text().as_bytes()),
    })
}

/// Writes the report, the shots and the annotated games to those output files that were requested.
fn write_files(
    arguments: &Arguments,
    numbers: &[usize],
    reviewed: Vec<(GameRecord, Review)>,
) -> Result<(), Error> {
    let write = |path: &Path, text: &str| {
        storage::write_atomically(path, |file| file.write_all(text.as_bytes()))
            .map_err(storage::with_path(path))
    };
    if let Some(path) = &arguments.review.report {
        let limits = arguments.limits.or_time(DEFAULT_TIME);
        write(path, &page(&reviewed, arguments.review.language, &limits))?;
    }
    if let Some(path) = &arguments.review.shots {
        let problems = numbers.iter().zip(&reviewed).flat_map(|(number, (record, review))| {
            shot_problems(record, review, &format!("game {number}"))
        });
        let problems = problems.map(|problem| pdn::write_game(&problem) + "\n");
        write(path, &problems.collect::<String>())?;
    }
    if let Some(path) = &arguments.review.annotate {
        let games = reviewed.into_iter().map(|(mut record, review)| {
            annotate(&mut record, &review);
            pdn::write_game(&record) + "\n"
        });
        write(path, &games.collect::<String>())?;
    }
    Ok(())
}

/// Reviews games, creating new tools whenever the variant changes.
struct Reviewer<'a> {
    arguments: &'a Arguments,
    control: &'a Control,
    /// The tools for the variant of the last game reviewed.
    tools: Option<Tools>,
}

/// The search pool and the book for reviewing games of one variant.
struct Tools {
    variant: Variant,
    pool: ReviewPool,
    book: Option<Book>,
}

impl Reviewer<'_> {
    fn review(
        &mut self,
        number: usize,
        game: &Game,
        log: &mut ReviewLog,
        bar: &ProgressBar,
    ) -> Result<Review, Error> {
        let control = self.control;
        let tools = match self.tools.take().filter(|tools| tools.variant == game.variant()) {
            Some(tools) => tools,
            None => Tools::new(self.arguments, game.variant())?,
        };
        let Tools { pool, book, .. } = self.tools.insert(tools);
        let outcomes = match log.outcomes(number, game) {
            Some(outcomes) => outcomes,
            None => {
                let search = |progress: &ProgressCounter| {
                    pool.search_game(game, control, &|| progress.advance(1))
                };
                let found = bar.while_working(search, |_| String::new());
                let found = found.ok_or_else(|| self.arguments.interrupted(bar))?;
                log.add(number, &found)?;
                found
            }
        };
        Ok(Review::new(game, &outcomes, pool.bitbases(), book.as_ref()))
    }
}

impl Arguments {
    fn interrupted(&self, bar: &ProgressBar) -> Error {
        bar.finish();
        let hint = match self.review.log {
            Some(_) => "; the same command resumes it",
            None => "; use --log FILE to make it resumable",
        };
        Error::No(format!("interrupted{hint}"))
    }
}

impl Tools {
    fn new(arguments: &Arguments, variant: Variant) -> Result<Tools, Error> {
        // Opened here as a check, because an engine would only warn about an unusable file and play
        // without it. Without a folder there is nothing to check.
        let evaluation = arguments.weights.open(variant)?;
        let options = EngineOptions { weights: arguments.weights.source(), ..arguments.options() };
        if options.bb_dir.is_some() {
            Resources::new(variant, &options, evaluation, None)?;
        }
        let limits = arguments.limits.or_time(DEFAULT_TIME);
        let mut pool = ReviewPool::new(variant, &options, arguments.threads.count(), limits);
        for fault in pool.take_warnings() {
            print_stderr(format_args!("{fault}"));
        }
        Ok(Tools { variant, pool, book: Book::embedded(variant) })
    }
}

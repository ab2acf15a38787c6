//! The searches needed to grow a book, and logs that share their results between processes.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::book::{Effort, SearchedPosition};
use crate::engine::{Engine, EngineOptions, Resources};
use crate::erased::{Game, Position};
use crate::eval::Evaluation;
use crate::notation::hub;
use crate::position::Key;
use crate::rules::Variant;
use crate::runtime::log::{Log, LogError, LogFollower, LogLabels, LogSettings};
use crate::runtime::progress::Progress;
use crate::score::Score;
use crate::search::{Control, Limits, Mode};

use super::Expansion;

/// Base-2 logarithm of the number of entries in the transposition table: 32 MB, enough for searches
/// of a few seconds.
const TT_SIZE: u32 = 21;

/// Searches positions for a book.
pub struct PositionSearcher {
    engine: Engine,
    limits: Limits,
}

impl PositionSearcher {
    /// A searcher with the given evaluation and the embedded bitbases.
    pub fn new(variant: Variant, evaluation: Evaluation, effort: Effort) -> Self {
        let resources = Resources::embedded(variant, evaluation);
        let options = EngineOptions { tt_size: TT_SIZE, ..EngineOptions::default() };
        let (move_time, nodes) = match effort {
            Effort::Seconds(seconds) => (Some(Duration::from_secs_f64(seconds)), None),
            Effort::Nodes(nodes) => (None, Some(nodes)),
        };
        let limits = Limits { move_time, nodes, mode: Mode::Analyze, ..Limits::default() };
        PositionSearcher { engine: Engine::with_resources(variant, resources, options), limits }
    }

    /// Searches successors of one position. The searches of one call share the transposition table;
    /// it is cleared between calls. Returns `None` once `is_stopped` returns true.
    pub fn search(
        &mut self,
        positions: &[Position],
        is_stopped: impl Fn() -> bool,
    ) -> Option<Vec<SearchedPosition>> {
        self.engine.new_game();
        let search = |&position: &Position| {
            if is_stopped() {
                return None;
            }
            self.engine.set_game(Game::from_position(position));
            let found = self.engine.go(self.limits, &Control::new(), &mut |_| {});
            let (score, depth) = (found.info.score, found.info.depth);
            Some(SearchedPosition { position, score, depth, best: found.mv })
        };
        positions.iter().map(search).collect()
    }
}

/// Search results, keyed by the sequence of positions searched. Each search reuses the
/// transposition table of the previous ones, so results are valid only for the same positions in
/// the same order.
#[derive(Clone, Debug, Default)]
pub struct KnownSearches(HashMap<Vec<Key>, Vec<SearchedPosition>>);

/// A search result in a log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct FoundRecord {
    /// In Hub notation.
    position: String,
    /// The score for the side to move, in hundredths of a man.
    score: i16,
    /// The depth in plies.
    depth: u32,
    /// The best move in Hub notation; `None` if the game is over.
    best: Option<String>,
}

impl KnownSearches {
    /// Reads the results from the given logs.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or is not a log of searches with the same settings.
    pub fn read(
        variant: Variant,
        weights: Option<u32>,
        effort: Effort,
        paths: &[PathBuf],
    ) -> Result<KnownSearches, LogError> {
        let (settings, mut known) = (settings(variant, weights, effort), KnownSearches::default());
        for path in paths {
            let mut log = LogFollower::new(path.clone(), LOG_LABELS);
            log.read(&settings, &mut |line| known.add_line(variant, line))?;
        }
        Ok(known)
    }

    /// Adds the results from one line of a log.
    fn add_line(&mut self, variant: Variant, line: &[u8]) -> Result<(), String> {
        let records: Vec<FoundRecord> =
            serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let found = records.iter().map(|record| record.found(variant));
        self.add(found.collect::<Result<_, _>>()?);
        Ok(())
    }

    fn add(&mut self, found: Vec<SearchedPosition>) {
        self.0.insert(keys(found.iter().map(|found| &found.position)), found);
    }

    /// The results for the given positions when searched in this order; `None` if unknown.
    pub fn get(&self, positions: &[Position]) -> Option<&[SearchedPosition]> {
        self.0.get(&keys(positions)).map(Vec::as_slice)
    }
}

fn keys<'a>(positions: impl IntoIterator<Item = &'a Position>) -> Vec<Key> {
    positions.into_iter().map(Position::key).collect()
}

impl From<&SearchedPosition> for FoundRecord {
    fn from(found: &SearchedPosition) -> FoundRecord {
        FoundRecord {
            position: hub::format_position(&found.position),
            score: found.score.0,
            depth: found.depth,
            best: found.best.map(hub::format_move),
        }
    }
}

impl FoundRecord {
    fn found(&self, variant: Variant) -> Result<SearchedPosition, String> {
        let position =
            hub::parse_position(variant, &self.position).map_err(|error| error.to_string())?;
        let best = |text: &String| hub::parse_move(&position, text);
        let best = self.best.as_ref().map(best).transpose().map_err(|error| error.to_string())?;
        Ok(SearchedPosition { position, score: Score(self.score), depth: self.depth, best })
    }
}

/// The labels of the log.
const LOG_LABELS: LogLabels = LogLabels { work: "book search", part: "result" };

/// A log of search results for other processes to read.
pub struct SearchLog {
    log: Log,
    known: KnownSearches,
}

impl SearchLog {
    /// Opens or creates a log.
    ///
    /// # Errors
    ///
    /// The errors of [`Log::open`].
    pub fn open(
        path: &Path,
        variant: Variant,
        weights: Option<u32>,
        effort: Effort,
    ) -> Result<SearchLog, LogError> {
        let (settings, mut known) = (settings(variant, weights, effort), KnownSearches::default());
        let log =
            Log::open(path, LOG_LABELS, &settings, &mut |line| known.add_line(variant, line))?;
        Ok(SearchLog { log, known })
    }

    /// Runs the searches for the given expansions whose results are not yet in the log, until
    /// `progress` is stopped.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn complete(
        &mut self,
        expansions: &[Expansion],
        searcher: &mut PositionSearcher,
        progress: &dyn Progress,
    ) -> io::Result<()> {
        for Expansion { unknown, .. } in expansions {
            if self.known.get(unknown).is_none() {
                let Some(found) = searcher.search(unknown, || progress.is_stopped()) else { break };
                let records: Vec<_> = found.iter().map(FoundRecord::from).collect();
                self.log.add(&records)?;
            }
            progress.advance(1);
        }
        Ok(())
    }
}

/// The settings on which the results depend.
fn settings(variant: Variant, weights: Option<u32>, effort: Effort) -> LogSettings {
    let value = json!({"variant": variant.name(), "weights": weights, "effort": effort});
    value.as_object().cloned().unwrap_or_default()
}

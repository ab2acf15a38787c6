//! A log of reviews, from which an interrupted review can be resumed.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::erased::Game;
use crate::notation::hub;
use crate::runtime::log::{Log, LogError, LogLabels, LogSettings};
use crate::score::Score;

use super::review::SearchOutcome;

/// The labels of the log.
const LOG_LABELS: LogLabels = LogLabels { work: "analysis", part: "game" };

/// The search outcomes of games, stored in a file if one is given.
pub struct ReviewLog {
    log: Option<Log>,
    /// Games from earlier runs, by number.
    known: BTreeMap<usize, LoggedGame>,
}

/// A line of the log.
#[derive(Serialize, Deserialize)]
struct LoggedGame {
    game: usize,
    findings: Vec<LoggedSearch>,
}

/// The search outcome for a position.
#[derive(Serialize, Deserialize)]
struct LoggedSearch {
    /// In hundredths of a man.
    score: i16,
    depth: u32,
    /// The moves in Hub notation.
    line: Vec<String>,
    second: Option<i16>,
    #[serde(default)]
    obvious: bool,
    forced: bool,
}

impl ReviewLog {
    /// Opens or creates the log.
    ///
    /// # Errors
    ///
    /// The file cannot be used, or was written with different settings.
    pub fn open(path: Option<&Path>, settings: &LogSettings) -> Result<ReviewLog, LogError> {
        let mut known = BTreeMap::new();
        let mut keep = |line: &[u8]| {
            let game: LoggedGame =
                serde_json::from_slice(line).map_err(|error| error.to_string())?;
            known.insert(game.game, game);
            Ok(())
        };
        let log = path.map(|path| Log::open(path, LOG_LABELS, settings, &mut keep)).transpose()?;
        Ok(ReviewLog { log, known })
    }

    /// Whether a game was searched in an earlier run.
    pub fn has(&self, number: usize) -> bool {
        self.known.contains_key(&number)
    }

    /// The outcomes of a game from an earlier run; `None` if there are none or they do not match
    /// the game.
    pub fn outcomes(&self, number: usize, game: &Game) -> Option<Vec<SearchOutcome>> {
        let logged = &self.known.get(&number)?.findings;
        let positions = game.positions();
        if logged.len() != positions.len() {
            return None;
        }
        logged
            .iter()
            .zip(positions)
            .map(|(logged, start)| {
                let mut position = start;
                let line = logged.line.iter().map(|text| {
                    let mv = hub::parse_move(&position, text).ok()?;
                    position = position.after(mv);
                    Some(mv)
                });
                Some(SearchOutcome {
                    score: Score(logged.score),
                    depth: logged.depth,
                    line: line.collect::<Option<_>>()?,
                    second: logged.second.map(Score),
                    is_obvious: logged.obvious,
                    is_forced: logged.forced,
                })
            })
            .collect()
    }

    /// Adds the outcomes of a game.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn add(&mut self, number: usize, outcomes: &[SearchOutcome]) -> io::Result<()> {
        let Some(log) = &mut self.log else {
            return Ok(());
        };
        let logged = |outcome: &SearchOutcome| LoggedSearch {
            score: outcome.score.0,
            depth: outcome.depth,
            line: outcome.line.iter().map(|&mv| hub::format_move(mv)).collect(),
            second: outcome.second.map(|score| score.0),
            obvious: outcome.is_obvious,
            forced: outcome.is_forced,
        };
        let findings = outcomes.iter().map(logged).collect();
        log.add(&LoggedGame { game: number, findings })
    }
}

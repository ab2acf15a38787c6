//! The log of reviews: what the searches of each game have found.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cli::Error;
use crate::erased::Game;
use crate::notation::hub;
use crate::report::review::Finding;
use crate::runtime::log::{Log, LogLabels, LogSettings};
use crate::score::Score;

/// The words of the log.
const LABELS: LogLabels = LogLabels { work: "analysis", part: "game" };

/// The findings of games, kept in a file if there is one.
pub struct ReviewLog {
    log: Option<Log>,
    /// The games of earlier runs by number.
    known: BTreeMap<usize, LoggedGame>,
}

/// A line of the log.
#[derive(Serialize, Deserialize)]
struct LoggedGame {
    game: usize,
    findings: Vec<LoggedMove>,
}

#[derive(Serialize, Deserialize)]
struct LoggedMove {
    /// In hundredths of a man.
    score: i16,
    depth: u32,
    /// The moves in Hub notation.
    line: Vec<String>,
    second: Option<i16>,
    forced: bool,
}

impl ReviewLog {
    /// Opens or creates the log.
    ///
    /// # Errors
    ///
    /// It cannot be used, or belongs to other work.
    pub fn open(path: Option<&Path>, settings: &LogSettings) -> Result<ReviewLog, Error> {
        let mut known = BTreeMap::new();
        let mut keep = |line: &[u8]| {
            let game: LoggedGame =
                serde_json::from_slice(line).map_err(|error| error.to_string())?;
            known.insert(game.game, game);
            Ok(())
        };
        let log = path.map(|path| Log::open(path, LABELS, settings, &mut keep)).transpose()?;
        Ok(ReviewLog { log, known })
    }

    /// Whether there are findings of a game from an earlier run.
    pub fn has(&self, number: usize) -> bool {
        self.known.contains_key(&number)
    }

    /// The findings of a game in an earlier run; `None` if there are none that fit the game.
    pub fn findings(&self, number: usize, game: &Game) -> Option<Vec<Finding>> {
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
                Some(Finding {
                    score: Score(logged.score),
                    depth: logged.depth,
                    line: line.collect::<Option<_>>()?,
                    second: logged.second.map(Score),
                    is_forced: logged.forced,
                })
            })
            .collect()
    }

    /// Keeps the findings of a game.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn add(&mut self, number: usize, findings: &[Finding]) -> Result<(), Error> {
        let Some(log) = &mut self.log else {
            return Ok(());
        };
        let logged = |finding: &Finding| LoggedMove {
            score: finding.score.0,
            depth: finding.depth,
            line: finding.line.iter().map(|&mv| hub::format_move(mv)).collect(),
            second: finding.second.map(|score| score.0),
            forced: finding.is_forced,
        };
        let findings = findings.iter().map(logged).collect();
        Ok(log.add(&LoggedGame { game: number, findings })?)
    }
}

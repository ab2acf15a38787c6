//! Records finished games in the log, as PDN and as JSON, and shows the progress of the match.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::arena::pdn::{self, PdnPlayer, PdnStyle};
use crate::arena::plan::MatchPlan;
use crate::arena::played::PlayedGame;
use crate::arena::runner::MatchProgress;
use crate::arena::stats::logistic_elo;
use crate::arena::summary::{SprtSummary, Summary};
use crate::cli::output::plural;
use crate::cli::{Error, progress};
use crate::runtime::log::{Log, LogLabels};
use crate::storage;

use super::live::LiveMatch;
use super::report::PageGames;
use super::{Arguments, tables};

/// The terms used in messages about the log.
pub const LABELS: LogLabels = LogLabels { work: "match", part: "game" };

/// A line of `--json` output.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum JsonLine<'a> {
    /// A finished game, as in the log, with the names of its engines.
    Game {
        /// The engine with the white pieces.
        white_name: &'a str,
        /// The engine with the black pieces.
        black_name: &'a str,
        /// The game itself.
        #[serde(flatten)]
        played: &'a PlayedGame,
    },
    /// The summary of the match.
    Summary(&'a Summary),
}

/// Records finished games in the requested outputs.
pub struct GameRecorder<'a> {
    plan: &'a MatchPlan,
    log: Option<Log>,
    pdn: Option<PdnFile>,
    has_json: bool,
    is_verbose: bool,
    report_every: Option<u64>,
    is_styled: bool,
    /// The games for the HTML report, if it is requested.
    page: Option<PageGames>,
    /// The live page, if it is requested.
    live: Option<&'a LiveMatch>,
    progress: progress::ProgressBar,
    /// The progress of earlier runs.
    resumed: MatchProgress,
}

impl<'a> GameRecorder<'a> {
    /// Opens all files. If the match is resumed, the PDN file is rewritten from the log.
    pub fn open(
        arguments: &Arguments,
        plan: &'a MatchPlan,
        live: Option<&'a LiveMatch>,
    ) -> Result<GameRecorder<'a>, Error> {
        let mut resumed = MatchProgress::new(plan);
        let goes_on = arguments.log.as_ref().is_some_and(|path| !is_free(path));
        let pdn = arguments.pdn().map(|(path, style)| match goes_on || is_free(path) {
            true => Ok(PdnFile::open(path, style, plan)?),
            false => Err(Error::Input(format!(
                "{} already exists and will not be overwritten; choose another file",
                path.display()
            ))),
        });
        let mut pdn = pdn.transpose()?;
        let mut page = arguments.report.as_ref().map(|_| PageGames::default());
        let mut written = Ok(());
        let log = arguments.log.as_ref().map(|path| {
            Log::open(path, LABELS, &arguments.settings(plan), &mut |line| {
                let played = plan.logged_game(line)?;
                resumed.add(&played);
                page.iter_mut().for_each(|page| page.add(&played));
                if let Some(live) = live {
                    live.finish(plan, &played, &resumed).map_err(|error| error.to_string())?;
                }
                if let (Some(pdn), Ok(())) = (&mut pdn, &written) {
                    let text = pdn.format(plan, &played)?;
                    written = pdn.write(&text);
                }
                Ok(())
            })
        });
        let log = log.transpose()?;
        written?;
        let total = plan.planned_games(&resumed.tally);
        let progress = progress::ProgressBar::new(total, resumed.tally.games, "games");
        let &Arguments { json: has_json, verbose: is_verbose, report_every, .. } = arguments;
        Ok(GameRecorder {
            plan,
            log,
            pdn,
            has_json,
            is_verbose,
            report_every,
            is_styled: arguments.color.is_on(),
            page,
            live,
            progress,
            resumed,
        })
    }

    /// The progress of earlier runs.
    pub fn resumed(&self) -> MatchProgress {
        self.resumed.clone()
    }

    /// Records a game.
    pub fn record(&mut self, played: &PlayedGame, progress: &MatchProgress) -> io::Result<()> {
        if let Some(log) = &mut self.log {
            log.add(played)?;
        }
        if let Some(pdn) = &mut self.pdn {
            pdn.write(&pdn.format(self.plan, played).map_err(io::Error::other)?)?;
        }
        self.page.iter_mut().for_each(|page| page.add(played));
        if let Some(live) = self.live {
            live.finish(self.plan, played, progress)?;
        }
        if self.has_json {
            let name = |engine: usize| &self.plan.engines[engine].name[..];
            let (white_name, black_name) = (name(played.slot.white), name(played.slot.black));
            let line = serde_json::to_string(&JsonLine::Game { white_name, black_name, played })?;
            writeln!(io::stdout(), "{line}")?;
        }
        let games = progress.tally.games;
        if self.is_verbose {
            let line = line(self.plan, played, games);
            self.progress.output(|output| writeln!(output, "{line}"))?;
        }
        if self.report_every.is_some_and(|every| games.is_multiple_of(every)) {
            let table = tables::interim(&Summary::interim(self.plan, progress), self.is_styled);
            self.progress.output(|output| writeln!(output, "{table}"))?;
        }
        self.progress.set(progress.tally.games, standing(self.plan, progress));
        Ok(())
    }

    /// Removes the progress bar. Returns the games for the HTML report, if it is requested.
    pub fn finish(self) -> Option<PageGames> {
        self.progress.finish();
        self.page
    }
}

/// A finished game: `12. Manoury - Scan 2.0 1-1, 87 plies, repetition (3-ply 17)`.
fn line(plan: &MatchPlan, played: &PlayedGame, number: u64) -> String {
    let name = |engine: usize| &plan.engines[engine].name;
    let round = played.round.as_ref().map(|round| format!("round {round}, ")).unwrap_or_default();
    format!(
        "{number}. {} - {} {}, {}, {} ({round}{})",
        name(played.slot.white),
        name(played.slot.black),
        played.points(),
        plural(played.moves.len(), "ply", "plies"),
        played.ending(),
        played.opening,
    )
}

/// The score of two engines: `+12 =30 -8, Elo 27.9 +- 45.1, LLR 0.53 [-2.94, 2.94]`.
fn standing(plan: &MatchPlan, progress: &MatchProgress) -> String {
    let Some(pairing) = progress.tally.pairings.get(&(0, 1)) else { return String::new() };
    if plan.engines.len() != 2 {
        return String::new();
    }
    let score = pairing.played.games;
    let mut text = format!("+{} ={} -{}", score.wins, score.draws, score.losses);
    let elo = logistic_elo(&pairing.played.pairs);
    if let (Some(value), Some(margin)) = (elo.value, elo.margin()) {
        text += &format!(", Elo {value:.1} +- {margin:.1}");
    }
    if let Some(SprtSummary { llr, lower, upper, .. }) = SprtSummary::new(plan, progress) {
        text += &format!(", LLR {llr:.2} [{lower:.2}, {upper:.2}]");
    }
    text
}

/// Whether a file can be overwritten without loss because it is missing or empty.
fn is_free(path: &Path) -> bool {
    path.metadata().map_or(true, |file| file.len() == 0)
}

/// The PDN file of a match.
struct PdnFile {
    path: PathBuf,
    file: BufWriter<File>,
    style: PdnStyle,
    players: Vec<PdnPlayer>,
    /// Whether the old content is still to be removed, which a device or a pipe has not.
    is_old: bool,
}

impl PdnFile {
    /// Opens or creates the file. Its content is kept until the first game is written, because the
    /// log may still turn out to belong to another match.
    fn open(path: &Path, style: PdnStyle, plan: &MatchPlan) -> io::Result<PdnFile> {
        let mut options = OpenOptions::new();
        let file = options
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(storage::with_path(path))?;
        let is_old = file.metadata().is_ok_and(|data| data.is_file());
        let players = PdnPlayer::all(plan);
        Ok(PdnFile { path: path.to_owned(), file: BufWriter::new(file), style, players, is_old })
    }

    /// Formats a game. Fails if a move is illegal, which only those of a damaged log are.
    fn format(&self, plan: &MatchPlan, played: &PlayedGame) -> Result<String, String> {
        pdn::format(plan.variant, played, &self.players, &self.style)
            .map_err(|error| error.to_string())
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        let mut write = || {
            if std::mem::take(&mut self.is_old) {
                self.file.get_ref().set_len(0)?;
            }
            self.file.write_all(text.as_bytes())?;
            self.file.flush()
        };
        write().map_err(storage::with_path(&self.path))
    }
}

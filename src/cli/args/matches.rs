//! Arguments shared by `match` and `tune` (time control, adjudication, openings, parts), and
//! queries to engines.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde_json::json;

use crate::arena::adjudication::{Adjudication, Agreement};
use crate::arena::client::{self, Client, EngineFault, MatchContext};
use crate::arena::engine_list::EngineList;
use crate::arena::openings::{OpeningSource, edge};
use crate::arena::referee::Conditions;
use crate::arena::runner::RunError;
use crate::arena::spec::{Participant, Protocol};
use crate::arena::time_control::{Periods, TimeSettings};
use crate::cli::Error;
use crate::cli::args::game_bitbases;
use crate::cli::error::number;
use crate::erased::Bitbases;
use crate::rules::Variant;
use crate::runtime::log::{self, LogSettings};

/// The limits of each move.
#[derive(Args, Debug)]
pub struct TimeControlArguments {
    /// Seconds per move
    #[arg(long, value_name = "S")]
    move_time: Option<f64>,
    /// Nodes per move
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Depth per move, in plies
    #[arg(long, value_name = "N", value_parser = number::<u32>(..))]
    depth: Option<u32>,
    /// Seconds per game for each side, or periods: 40/600:20/300:60+5 is 40 moves in 600 seconds,
    /// then 20 moves in 300 seconds, then 60 seconds for the rest of the game and 5 before each
    /// move. If the last period has a number of moves, it is repeated; time left at the end of a
    /// period is kept
    #[arg(long, value_name = "S")]
    time: Option<Periods>,
    /// Seconds added before each move
    #[arg(long, value_name = "S")]
    inc: Option<f64>,
    /// Number of moves per time period, after which --time is added again
    #[arg(long, value_name = "N", value_parser = number::<u32>(..))]
    moves: Option<u32>,
    /// Seconds of each move that do not count. Hub engines receive the delay as part of the
    /// increment, so that they know the time available for a move
    #[arg(long, value_name = "S")]
    delay: Option<f64>,
    /// Seconds by which a move may exceed its limit before the game is lost
    #[arg(long, alias = "margin", value_name = "S", default_value_t = 0.05)]
    time_margin: f64,
    /// Maximum seconds for a move without a time limit, for example at a fixed depth; an engine
    /// that takes longer loses the game
    #[arg(long, alias = "patience", value_name = "S", default_value_t = 60.0)]
    max_move_time: f64,
}

/// The conditions for adjudicating games.
#[derive(Args, Debug)]
pub struct AdjudicationArguments {
    /// Adjudicate a win when the scores of both engines put the same side ahead by at least this
    /// many men for --win-moves moves in a row
    #[arg(long, value_name = "MEN", value_parser = win_score)]
    win_score: Option<f64>,
    /// Number of consecutive moves by each engine for --win-score
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = number::<u32>(1..))]
    win_moves: u32,
    /// Adjudicate a draw when the scores of both engines put neither side ahead by more than this
    /// many men for --draw-moves moves in a row, but not before move --draw-after
    #[arg(long, value_name = "MEN", value_parser = draw_score)]
    draw_score: Option<f64>,
    /// Number of consecutive moves by each engine for --draw-score
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number::<u32>(1..))]
    draw_moves: u32,
    /// Earliest move at which --draw-score applies
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = number::<u32>(..))]
    draw_after: u32,
    /// Adjudicate a draw after this many moves by each side; recommended for German draughts, whose
    /// only draw is by repetition: games there can last thousands of moves
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..))]
    max_moves: Option<u32>,
    /// End a game as soon as bitbases determine its result: those in DIR, with a subfolder for each
    /// variant, and the built-in ones (3 or 4 pieces); without DIR, only the built-in ones
    #[arg(long, value_name = "DIR", num_args = 0..=1)]
    bitbases: Option<Option<PathBuf>>,
}

/// Parses `--win-score`.
fn win_score(text: &str) -> Result<f64, String> {
    let men = text.parse().ok().filter(|&men: &f64| men > 0.0 && men.is_finite());
    men.ok_or_else(|| "expected a number of men above 0, such as 3".to_owned())
}

/// Parses `--draw-score`.
fn draw_score(text: &str) -> Result<f64, String> {
    let men = text.parse().ok().filter(|&men: &f64| men >= 0.0 && men.is_finite());
    men.ok_or_else(|| "expected a number of men from 0, such as 0.1".to_owned())
}

/// Maximum of `--time-margin` and `--max-move-time`: a day, in seconds.
const MAX_SECONDS: f64 = 24.0 * 3600.0;

/// The conditions that apply to all games.
///
/// # Errors
///
/// `--time-margin` or `--max-move-time` is negative or too long, or the bitbases cannot be used.
pub fn conditions(
    variant: Variant,
    limits: &TimeControlArguments,
    adjudication: &AdjudicationArguments,
) -> Result<Conditions, Error> {
    Ok(Conditions {
        margin: seconds("--time-margin", limits.time_margin)?,
        patience: seconds("--max-move-time", limits.max_move_time)?,
        adjudication: adjudication.rules(),
        bitbases: adjudication.bitbases(variant)?,
    })
}

/// The settings of the games, as stored in a log. They must be the same when the work is resumed.
pub fn game_settings(
    variant: Variant,
    openings: &OpeningSource,
    random_plies: usize,
    seed: u64,
    conditions: &Conditions,
) -> LogSettings {
    let value = json!({
        "variant": variant.name(),
        "openings": openings.to_string(),
        "random_plies": random_plies,
        "seed": seed,
        "margin": conditions.margin.as_secs_f64(),
        "patience": conditions.patience.as_secs_f64(),
        "adjudication": conditions.adjudication,
    });
    let mut settings = value.as_object().cloned().unwrap_or_default();
    if let Some(plies) = openings.plies() {
        settings.insert(OPENING_PLIES.to_owned(), json!(plies));
    }
    settings
}

impl TimeControlArguments {
    /// Converts the limits to time settings.
    pub fn settings(&self) -> TimeSettings {
        TimeSettings {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.move_time,
            time: self.time,
            increment: self.inc,
            moves: self.moves,
            delay: self.delay,
        }
    }
}

impl AdjudicationArguments {
    fn rules(&self) -> Adjudication {
        let agreement = |moves| move |score: f64| Agreement { score, moves };
        Adjudication {
            win: self.win_score.map(agreement(self.win_moves)),
            draw: self.draw_score.map(agreement(self.draw_moves)),
            draw_after: self.draw_after,
            length: self.max_moves,
            bitbases: self.bitbases.is_some(),
        }
    }

    /// The bitbases that decide games; `None` without `--bitbases`.
    fn bitbases(&self, variant: Variant) -> Result<Option<Arc<Bitbases>>, Error> {
        let open = |folder: &Option<PathBuf>| match folder {
            Some(folder) => game_bitbases(variant, folder),
            None => Ok(Bitbases::embedded(variant)),
        };
        Ok(self.bitbases.as_ref().map(open).transpose()?.map(Arc::new))
    }
}

fn seconds(name: &str, seconds: f64) -> Result<Duration, Error> {
    if !(0.0..=MAX_SECONDS).contains(&seconds) {
        return Err(Error::usage(format!("{name} must be from 0 to {MAX_SECONDS} seconds")));
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// The openings from which games start.
#[derive(Args, Debug)]
pub struct OpeningArguments {
    /// Openings: start, the start position; 2-ply, 3-ply or 4-ply, all positions after that many
    /// plies without a pending capture; ballots, the openings that tournaments draw by lot (killer,
    /// bt, losing and frisian use the list of international draughts) or, for frysk, german, czech,
    /// spanish, pool, canadian and turkish, level positions after 3 plies (the files in
    /// book/ballots name their sources); edge, for matches of a program against itself, unbalanced
    /// openings in which one side is so far ahead that it wins about half of the games (see
    /// `manoury openings --help`); or a file, in PDN or with one FEN or Hub position per line. No
    /// opening is repeated before all have been played. In international draughts there are 66, 264
    /// and 1054 positions after 2, 3 and 4 plies, 79 ballots and 4000 edge openings [default: edge
    /// for `match --sprt` between engines that report the same name over Hub, regardless of
    /// version, and for `tune`, if there are built-in edge openings for the variant and
    /// --random-plies is not given; otherwise 4-ply. Resumed work keeps the openings of its log]
    #[arg(long, value_name = "SOURCE")]
    openings: Option<OpeningSource>,
    /// Play only the first N plies of each game in a PDN file; games that are shorter, or over by
    /// that ply, are skipped [default: all plies]
    #[arg(long, value_name = "N", requires = "openings")]
    opening_plies: Option<usize>,
    /// Random plies after each opening [default: 0]
    #[arg(long, value_name = "N")]
    random_plies: Option<usize>,
}

/// The key of `--opening-plies` in the settings of a log.
pub const OPENING_PLIES: &str = "opening_plies";

/// The default if edge openings do not apply: the positions after 4 plies.
const LEVEL_OPENINGS: OpeningSource = OpeningSource::Plies(4);

impl OpeningArguments {
    /// The openings given as an argument, or else those recorded in the log, or else the default.
    /// Edge openings are the default for a program against itself, because a match with them needs
    /// fewer games. `tests_itself` is called only if the default depends on its result.
    ///
    /// # Errors
    ///
    /// `tests_itself` fails.
    pub fn source(
        &self,
        variant: Variant,
        log: Option<&Path>,
        tests_itself: impl FnOnce() -> Result<bool, Error>,
    ) -> Result<OpeningSource, Error> {
        if let Some(source) = self.openings.clone() {
            return Ok(match self.opening_plies {
                Some(plies) => source.shortened(plies)?,
                None => source,
            });
        }
        if let Some(source) = log.and_then(logged) {
            return Ok(source);
        }
        let is_edge = self.random_plies.is_none() && edge::has_set(variant) && tests_itself()?;
        Ok(if is_edge { OpeningSource::Edge } else { LEVEL_OPENINGS })
    }

    /// Random plies after each opening.
    pub fn random_plies(&self) -> usize {
        self.random_plies.unwrap_or(0)
    }
}

/// The openings recorded in the log of an earlier run.
fn logged(log: &Path) -> Option<OpeningSource> {
    let settings = log::settings(log)?;
    let source: OpeningSource = settings.get("openings")?.as_str()?.parse().ok()?;
    match settings.get(OPENING_PLIES).and_then(serde_json::Value::as_u64) {
        Some(plies) => source.shortened(plies as usize).ok(),
        None => Some(source),
    }
}

/// One part of work that is split among several processes: `3/10` is the third of ten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The number of this part, from 1.
    number: usize,
    /// The number of parts.
    parts: usize,
}

impl Part {
    /// The index of this part, from 0, and the number of parts.
    pub fn place(self) -> (usize, usize) {
        (self.number - 1, self.parts)
    }

    /// The indices of the items in this part, out of `count` items. Each index is in exactly one
    /// part; the lengths of the parts differ by at most one.
    pub fn range(self, count: usize) -> Range<usize> {
        // `u128`, so that the product cannot overflow.
        let bound = |number: usize| (count as u128 * number as u128 / self.parts as u128) as usize;
        bound(self.number - 1)..bound(self.number)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers = || {
            let (number, parts) = text.split_once('/')?;
            Some((number.parse::<usize>().ok()?, parts.parse::<usize>().ok()?))
        };
        let (number, parts) =
            numbers().ok_or("expected a part and the number of parts, such as 3/10")?;
        if number == 0 || number > parts {
            return Err("parts are numbered from 1 to the number of parts".to_owned());
        }
        Ok(Part { number, parts })
    }
}

/// The file of engines that can be given by name.
#[derive(Args, Clone, Debug, Default)]
pub struct EngineListArgument {
    /// File of engines that can be given by name: TOML, or the hub.ini of the Hub GUI; see `manoury
    /// engines --help` [default: manoury/engines.toml in the user's configuration folder]
    #[arg(long = "engines", value_name = "FILE")]
    engines_file: Option<PathBuf>,
}

impl EngineListArgument {
    /// The path of the file; `None` if none is given and the system has no configuration folder.
    pub fn path(&self) -> Option<PathBuf> {
        self.engines_file.clone().or_else(EngineList::default_path)
    }

    /// The engines in the file; none if no file is given and the default file does not exist.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or an entry is invalid.
    pub fn list(&self) -> Result<EngineList, Error> {
        match &self.engines_file {
            Some(path) => Ok(EngineList::read(path)?),
            None => self.list_or_none(),
        }
    }

    /// The engines in the file; none if it does not exist.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or an entry is invalid.
    pub fn list_or_none(&self) -> Result<EngineList, Error> {
        match self.path() {
            Some(path) if path.exists() => Ok(EngineList::read(&path)?),
            _ => Ok(EngineList::default()),
        }
    }
}

/// Starts an engine, calls `question` with its client, and quits the engine.
///
/// # Errors
///
/// The engine cannot be started, or the work has been interrupted.
pub fn query_engine<T>(
    engine: &Participant,
    context: &MatchContext,
    question: impl FnOnce(&dyn Client) -> T,
) -> Result<T, Error> {
    let client = client::start(&engine.spec, context).map_err(|fault| match fault {
        EngineFault::Interrupted => Error::interrupted(false),
        fault => Error::Input(format!("the engine {} cannot play: {fault}", engine.name)),
    })?;
    let answer = question(client.as_ref());
    client.quit();
    Ok(answer)
}

/// Converts the error of a failed match or tuning to the error of the command.
pub fn run_failed(error: RunError) -> Error {
    match error {
        RunError::System(error) => Error::System(error),
        RunError::Openings(error) => error.into(),
        RunError::Log(error) => error.into(),
    }
}

/// Whether two engines report the same name and are thus versions of the same program. DXP engines
/// always count as different programs, because they report their names only after a game has
/// started.
///
/// # Errors
///
/// The same as for [`query_engine`].
pub fn are_same_program(engines: [&Participant; 2], context: &MatchContext) -> Result<bool, Error> {
    if engines.iter().any(|engine| engine.spec.protocol == Protocol::Dxp) {
        return Ok(false);
    }
    let name = |engine| query_engine(engine, context, |client| client.name().to_owned());
    let [one, two] = engines;
    let one = name(one)?;
    Ok(!one.is_empty() && one == name(two)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(openings: Option<&str>, random_plies: Option<usize>, variant: Variant) -> String {
        let openings = openings.map(|text| text.parse().unwrap());
        let arguments = OpeningArguments { openings, opening_plies: None, random_plies };
        let source = |tests_itself| arguments.source(variant, None, || Ok(tests_itself)).unwrap();
        assert_eq!(source(false), arguments.openings.clone().unwrap_or(LEVEL_OPENINGS));
        source(true).to_string()
    }

    #[test]
    fn self_tests_default_to_edge_openings() {
        assert_eq!(source(None, None, Variant::International), "edge");
        assert_eq!(source(None, None, Variant::Italian), "edge");
        assert_eq!(source(None, None, Variant::Frisian), "4-ply", "no built-in set");
    }

    #[test]
    fn explicit_options_take_precedence() {
        assert_eq!(source(Some("3-ply"), None, Variant::International), "3-ply");
        assert_eq!(source(Some("edge"), Some(2), Variant::International), "edge");
        assert_eq!(source(None, Some(2), Variant::International), "4-ply");
        assert_eq!(source(None, Some(0), Variant::International), "4-ply");
    }

    #[test]
    fn queries_engines_only_if_needed() {
        let asked = || Err(Error::Input("asked".to_owned()));
        let arguments =
            OpeningArguments { openings: None, opening_plies: None, random_plies: None };
        assert!(arguments.source(Variant::English, None, asked).is_err());
        assert_eq!(arguments.source(Variant::Russian, None, asked).unwrap(), LEVEL_OPENINGS);
        let arguments = OpeningArguments { random_plies: Some(2), ..arguments };
        assert_eq!(arguments.source(Variant::English, None, asked).unwrap(), LEVEL_OPENINGS);
    }

    #[test]
    fn parts_cover_each_index_once() {
        for (count, parts) in [(10, 3), (3, 3), (2, 5), (0, 2), (usize::MAX, 7)] {
            let mut end = 0;
            for number in 1..=parts {
                let range = Part { number, parts }.range(count);
                assert_eq!(range.start, end);
                assert!(range.len().abs_diff(count / parts) <= 1, "{count}, {number}/{parts}");
                end = range.end;
            }
            assert_eq!(end, count);
        }
    }

    #[test]
    fn rejects_invalid_parts() {
        assert_eq!("3/10".parse(), Ok(Part { number: 3, parts: 10 }));
        for text in ["0/3", "4/3", "1/0", "1", "/", "a/3", "-1/3", "1/99999999999999999999"] {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
    }
}

//! The format of a match: who plays whom, and how often.

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::arena::plan::MatchPlan;
use crate::arena::schedule::MatchFormat;
use crate::cli::Error;
use crate::cli::error::number;
use crate::runtime::log::LogSettings;

/// The options for the format.
#[derive(Args, Debug)]
pub struct FormatArguments {
    /// Which engines play each other; see above
    #[arg(long, value_enum, default_value_t = Format::RoundRobin)]
    format: Format,
    /// The same as --format gauntlet
    #[arg(long, conflicts_with = "format")]
    gauntlet: bool,
    /// Rounds of a Swiss tournament [default: the rounds of a knockout of the same engines]
    #[arg(long, value_name = "N")]
    swiss_rounds: Option<usize>,
    /// Pairs of games for each pairing [default: 50; 2 in a knockout or a Swiss tournament; with
    /// --sprt until the test is decided, up to 50000]
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "games",
        value_parser = number::<usize>(1..)
    )]
    rounds: Option<usize>,
    /// Games for each pairing, an even number: two per round
    #[arg(long, value_name = "N")]
    games: Option<usize>,
}

/// Keys in the settings of a log: the gauntlet flag, and for a tournament its format and the number
/// of pairs for each pairing.
const GAUNTLET: &str = "gauntlet";
const FORMAT: &str = "format";
const PAIRS: &str = "pairs";

/// The values of `--format`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Format {
    RoundRobin,
    Gauntlet,
    Knockout,
    Swiss,
}

/// The default number of pairs without a sequential test.
const DEFAULT_PAIRS: usize = 50;
/// The default number of pairs of a mini-match in a knockout or a Swiss tournament.
const TOURNAMENT_PAIRS: usize = 2;
/// The default number of pairs with a sequential test, which usually stops the match earlier.
const MAX_PAIRS: usize = 50_000;

impl FormatArguments {
    /// The format of a match between this number of engines.
    ///
    /// # Errors
    ///
    /// The arguments are inconsistent.
    pub fn format(&self, engines: usize) -> Result<MatchFormat, Error> {
        if self.swiss_rounds.is_some() && self.format != Format::Swiss {
            return Err(Error::usage("--swiss-rounds needs --format swiss"));
        }
        Ok(match self.format {
            _ if self.gauntlet => MatchFormat::Gauntlet,
            Format::RoundRobin => MatchFormat::RoundRobin,
            Format::Gauntlet => MatchFormat::Gauntlet,
            Format::Knockout => MatchFormat::Knockout,
            Format::Swiss => {
                let of_knockout = || engines.next_power_of_two().ilog2() as usize;
                MatchFormat::Swiss { rounds: self.swiss_rounds.unwrap_or_else(of_knockout) }
            }
        })
    }

    /// The number of pairs of games for each pairing; `has_test` is whether there is a sequential test.
    ///
    /// # Errors
    ///
    /// The number of games is odd.
    pub fn pairs(&self, has_test: bool) -> Result<usize, Error> {
        match (self.rounds, self.games) {
            (Some(rounds), _) => Ok(rounds),
            (None, Some(games)) if games % 2 == 0 => Ok(games / 2),
            (None, Some(_)) => {
                Err(Error::usage("--games must be even: each opening is played twice"))
            }
            (None, None) if has_test => Ok(MAX_PAIRS),
            (None, None) if matches!(self.format, Format::Knockout | Format::Swiss) => {
                Ok(TOURNAMENT_PAIRS)
            }
            (None, None) => Ok(DEFAULT_PAIRS),
        }
    }
}

/// The format as settings of a log. They include the number of pairs for each pairing only in a
/// tournament, whose pairs are numbered by round; a round robin or a gauntlet can be resumed with
/// another number.
pub fn settings(plan: &MatchPlan) -> LogSettings {
    let mut settings = LogSettings::new();
    settings.insert(GAUNTLET.to_owned(), json!(plan.format == MatchFormat::Gauntlet));
    if plan.format.is_tournament() {
        settings.insert(FORMAT.to_owned(), json!(plan.format));
        settings.insert(PAIRS.to_owned(), json!(plan.rounds));
    }
    settings
}

/// The format and the number of pairs for each pairing in the settings of a log (1 if absent);
/// `None` if the log does not belong to a match.
pub fn of_log(settings: &LogSettings) -> Option<(MatchFormat, usize)> {
    let pairs = settings.get(PAIRS).and_then(Value::as_u64).unwrap_or(1);
    let format = match settings.get(FORMAT) {
        Some(format) => serde_json::from_value(format.clone()).ok()?,
        None if settings.get(GAUNTLET)?.as_bool()? => MatchFormat::Gauntlet,
        None => MatchFormat::RoundRobin,
    };
    Some((format, pairs as usize))
}

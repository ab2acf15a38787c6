//! `manoury match`: matches between engines.

mod format;
mod live;
mod meetings;
mod processes;
mod rate;
mod recorder;
mod report;
mod tables;
mod watched;

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde_json::json;

use crate::arena::client::MatchContext;
use crate::arena::openings::OpeningSource;
use crate::arena::parts::{self, MatchParts};
use crate::arena::pdn::PdnStyle;
use crate::arena::plan::MatchPlan;
use crate::arena::played::PlayedGame;
use crate::arena::runner::{self, Cause, MatchObserver, MatchProgress};
use crate::arena::schedule::PairResults;
use crate::arena::spec::{EngineSpec, Participant};
use crate::arena::stats::{EloBounds, EloModel, Sprt};
use crate::arena::summary::Summary;
use crate::cli::Error;
use crate::cli::args::matches::{
    AdjudicationArguments, EngineListArgument, OpeningArguments, Part, TimeControlArguments,
    are_same_program, conditions, game_settings, run_failed,
};
use crate::cli::args::{ColorArgument, SeedArgument, StrengthArguments, VariantArgument};
use crate::cli::error::number;
use crate::cli::output::{plural, print_stderr, write_json};
use crate::cli::output_file;
use crate::runtime::interrupt::Interrupt;
use crate::runtime::log::{LogFollower, LogSettings};

use format::FormatArguments;
use live::LiveMatch;
use processes::ProcessArguments;
use rate::RatingArguments;
use recorder::{GameRecorder, LABELS};

/// Plays the match and prints its results.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    if let Some(path) = &arguments.show {
        return live::show(path, LABELS, arguments);
    }
    if arguments.ratings.is_rating() {
        return arguments.ratings.run(arguments.json, arguments.color.is_on());
    }
    arguments.check_files()?;
    arguments.report.as_deref().map_or(Ok(()), output_file::check_writable)?;
    let interrupt = Interrupt::on_ctrl_c()?;
    let plan = arguments.plan(&interrupt)?;
    if !arguments.is_joining() {
        plan.check_machine().map_err(Error::usage)?;
    }
    if let Some(warning) = plan.warning() {
        print_stderr(format_args!("warning: {warning}"));
    }
    let live = arguments.live.map(|_| LiveMatch::new(&plan, arguments.event())).transpose()?;
    let live = live.map(Arc::new);
    let mut recorder = GameRecorder::open(arguments, &plan, live.as_deref())?;
    if let (Some(live), Some(address)) = (&live, arguments.live) {
        live::serve(live, address)?;
    }
    let observer: &dyn MatchObserver = match &live {
        Some(live) => &**live,
        None => &(),
    };
    let mut progress = recorder.resumed();
    let mut games_before = progress.tally.games;
    let mut record =
        |played: &PlayedGame, progress: &MatchProgress| recorder.record(played, progress);
    let ending = if arguments.is_joining() {
        parts::join(&plan, arguments.parts(&plan), &mut progress, &interrupt, &mut record)
    } else {
        runner::run(&plan, &mut progress, &interrupt, observer, &mut record)
    };
    let ending = ending.map_err(run_failed)?;
    let page = recorder.finish();
    if let Some(live) = &live {
        live.end(&plan, &progress);
    }
    if arguments.is_joining() {
        // The games were played by other runs, so none counts as played by this one.
        games_before = progress.tally.games;
    }

    let summary = Summary::new(&plan, &progress, &ending, games_before);
    if summary.games > 0 {
        print(arguments, &plan, &summary)?;
        if let (Some(path), Some(games)) = (&arguments.report, page) {
            games.write(path, &plan, &summary, arguments.event())?;
        }
    }
    match ending.cause {
        Cause::Unsuitable { name, what } => {
            Err(Error::Input(format!("the engine {name} cannot play: {what}")))
        }
        Cause::Interrupted => Err(Error::interrupted(arguments.log.is_some())),
        Cause::Incomplete => {
            let missing = summary.planned_games - summary.games;
            Err(Error::No(games_missing(missing, summary.planned_games)))
        }
        // The faults of a part are reported when the parts are joined; the part itself must not
        // exit with an error.
        _ if summary.faults > 0 && plan.pairs.is_none() => {
            Err(Error::No(games_lost(summary.faults)))
        }
        _ => Ok(()),
    }
}

fn print(arguments: &Arguments, plan: &MatchPlan, summary: &Summary) -> Result<(), Error> {
    let mut output = io::stdout().lock();
    if arguments.json {
        return write_json(&mut output, &recorder::JsonLine::Summary(summary));
    }
    Ok(output.write_all(tables::text(plan, summary, arguments.color.is_on()).as_bytes())?)
}

/// Play a match between engines
///
/// Each opening is played twice by each pairing, with colours reversed; statistics come from these
/// pairs. Exit code 0: the match is over and no game was lost through a fault; 1: there were
/// faults, the match was interrupted, or games to --join are missing.
///
/// Formats: round-robin, all play all; gauntlet, the first engine plays each of the others;
/// knockout, the winner of each mini-match advances; engines are seeded in the order given, and the
/// first ones get a bye if their number is not a power of two; swiss, each round pairs engines with
/// equal points, and avoids repeated pairings. A mini-match of a knockout ends when one engine has
/// an unassailable lead; a tie is broken by further pairs of games until one engine wins a pair,
/// and after 20 pairs by the seed. A bye in a Swiss tournament counts as winning all games. Every
/// format is resumed from its log.
///
/// An engine is a name from the engine file (see `manoury engines --help`) or a command line,
/// followed by settings, all separated by commas: "path/to/engine
/// hub,name=Scan,proto=hub1,dir=/opt/scan,param.threads=1". Settings are name=, proto=hub2 (the
/// default), hub1 (Scan 2.0) or dxp, dir= (its working directory), param.NAME= for a parameter of
/// the engine, level= for the level of Manoury (1 to 14) or elo= for its strength in Elo,
/// start-limit= (maximum seconds until it is ready, by default 10), tc.move-time=, tc.nodes=,
/// tc.depth=, tc.time=, tc.inc=, tc.moves= and tc.delay= for limits that apply only to this engine,
/// and for DXP dxp=server (the engine waits for a connection, the default) or client, host=, port=,
/// chat= (a message sent before each game; {port} in the command line is replaced by a free port).
///
/// More examples: "./scan hub,name=Scan 2.0,proto=hub1,dir=/opt/scan2,param.book=false",
/// "/opt/mobydam/mobydam -p {port},name=Moby Dam,proto=dxp,tc.time=120,chat=console time 100", and
/// for an engine on another machine ",name=Dam 2.2,proto=dxp,host=192.168.0.7,tc.time=300". A DXP
/// engine needs a time limit for the whole game, one period without increment and delay. Scan 2.0
/// and Moby Dam were tested and need a --time-margin of 0.3; engines on other machines were only
/// simulated.
///
/// Each concurrent game runs its own process of each engine. Manoury uses 256 MiB per process; with
/// a small table (param.tt-size=16 is 1 MiB) short games are much faster. To test the search or the
/// evaluation, turn the book off: param.book=false.
///
/// An engine that crashes, hangs, plays an illegal move, takes too much time or prints too much
/// output loses the game and is restarted; faults are counted by kind. Elo is shown with its 95 %
/// interval; nElo is normalised Elo, LOS the likelihood that the first engine of the pairing is the
/// stronger one. With more than two engines, Elo is a rating from the results of all games, with a
/// draw as half a win; an engine that won or lost all its games has only a bound. If engines failed
/// to convert endings in the built-in bitbases or those of --bitbases, results by bitbases are
/// shown too.
#[derive(Args, Debug)]
#[command(
    after_long_help = EXAMPLES,
    mut_arg("level", |argument| argument.help(LEVEL)),
    mut_arg("elo", |argument| argument.help(ELO))
)]
pub struct Arguments {
    /// Engine: a name or a command line, with settings as described above; repeat for each engine
    #[arg(long = "engine", value_name = "SPEC", required_unless_present_any = ["rate", "show"])]
    engines: Vec<String>,
    #[command(flatten)]
    engine_list: EngineListArgument,
    #[command(flatten)]
    game: VariantArgument,
    #[command(flatten)]
    format: FormatArguments,
    /// Games played at the same time; with time limits, at most the number of processors
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<usize>(1..))]
    concurrency: usize,
    #[command(flatten)]
    seed: SeedArgument,

    #[command(flatten)]
    strength: StrengthArguments,

    #[command(flatten)]
    processes: ProcessArguments,

    #[command(flatten, next_help_heading = "Limits per move")]
    limits: TimeControlArguments,
    #[command(flatten, next_help_heading = "Openings")]
    openings: OpeningArguments,
    #[command(flatten, next_help_heading = "Ending games early")]
    adjudication: AdjudicationArguments,
    #[command(flatten, next_help_heading = "Ending the match early")]
    sprt: SprtArguments,
    #[command(flatten, next_help_heading = "Ratings")]
    ratings: RatingArguments,
    #[command(flatten, next_help_heading = "Output")]
    pdn: PdnArguments,
    /// Print a line for each finished game
    #[arg(long, conflicts_with = "json")]
    pub verbose: bool,
    /// Print the table every N games
    #[arg(long, value_name = "N", conflicts_with = "json", value_parser = number::<u64>(1..))]
    pub report_every: Option<u64>,
    /// Write an HTML report to this file at the end: the tables, and boards to click through the
    /// games with the scores of both engines; at most 200 games, decisive ones preferred
    #[arg(long, value_name = "OUT.html")]
    pub report: Option<PathBuf>,
    /// Serve a page to watch the match: the games in progress, tables, and every finished game. The
    /// page is read-only; an address other than loopback lets other machines watch
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:8556", value_parser = address)]
    pub live: Option<SocketAddr>,
    /// Serve the page of --live for the log of a match, even one in progress, until Ctrl-C; --live
    /// sets the address, and --anchor, --average and --sprt apply as in the match
    #[arg(long, value_name = "LOG", conflicts_with_all = [
        "engines", "rate", "json", "pdn", "report", "log", "verbose", "report_every", "join", "rounds", "games"
    ])]
    pub show: Option<PathBuf>,
    #[command(flatten)]
    pub color: ColorArgument,
    /// Log finished games to this file; after an interruption, the same command resumes the match
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Print one JSON object per game (type "game"); the last line is the summary (type "summary")
    ///
    /// A game: white_name, black_name, and the fields of a line of --log: pair, game (0 or 1),
    /// white, black (indices of engines), round (in a tournament with rounds: round, board and
    /// game, such as "2.1.3"), identities (what the engines of White and Black report), machine,
    /// date, opening, fen, opening_plies, winner ("white", "black" or null), reason, detail (if
    /// any), seconds, and moves, each with move and, if known, time, depth, score, nodes, over
    /// (seconds over its limit) and clock_gap (seconds by which the engine's own time exceeds the
    /// measured one).
    ///
    /// The summary: variant, finished, games, planned_games, margin, engines (name, identity,
    /// settings, limits, wins, draws, losses, by_colour, elo, moves, depth, nodes, time, nps,
    /// longest, late_moves, latest, faults), ratings (as with --rate), pairings (first, second,
    /// wins, draws, losses, pentanomial, elo, normalized_elo, los, by_bitbases (wins, draws, losses
    /// and elo if each game is scored by bitbases at its first position that they contain), sprt),
    /// sprt (elo0, elo1, alpha, beta, model, llr, lower, upper, verdict; null without a test, or
    /// with more than two engines, where each pairing has its own), rounds (name, boards (first,
    /// second (null for a bye), points (of both), pairs, over, winner)), places (name, points,
    /// buchholz), reasons, draws, faults, warnings (sentences), machine, referee and run (seconds,
    /// games_per_second, overhead, openings, skipped_openings). An Elo is an object with value, low
    /// and high, each null if unknown.
    #[arg(short, long)]
    pub json: bool,
    #[command(flatten, next_help_heading = "Several processes or machines")]
    parts: PartArguments,
}

/// The help of `--level`.
const LEVEL: &str = "Level of all engines that set neither level= nor elo=: 1 (beginner) to 14 (full \
                     strength); for versions of Manoury";
/// The help of `--elo`.
const ELO: &str = "Strength in Elo of all engines that set neither level= nor elo=, on Manoury's own \
                   scale: 500 (level 1) to 2860 (full strength); see `manoury help play`";

/// The examples at the end of the help.
const EXAMPLES: &str = "Examples:
  manoury match --games 2 --nodes 500 --pdn match.pdn \\
    --engine manoury --engine manoury,param.weights=hand
  manoury match --games 2 --depth 4 --log match.log --report match.html \\
    --engine manoury --engine manoury,level=3
  manoury match --rate match.pdn games.pdn";

#[derive(Args, Debug)]
struct SprtArguments {
    /// Sequential test: stop as soon as it is decided whether the first engine is better by ELO1 or
    /// only by ELO0. With more than two engines, each pairing has its own test and stops when that
    /// is decided
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<EloBounds>,
    /// Meaning of Elo in --sprt: logistic or normalized
    #[arg(long, value_name = "MODEL", default_value_t = EloModel::Logistic)]
    elo_model: EloModel,
    /// Probability of accepting ELO1 when ELO0 is true
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = error_rate)]
    alpha: f64,
    /// Probability of accepting ELO0 when ELO1 is true
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = error_rate)]
    beta: f64,
}

#[derive(Args, Debug)]
struct PartArguments {
    /// Play only part I of N of the match, with the same openings and colours as in the whole
    /// match. The sequential test, and exit code 1 for faults, are left to --join
    #[arg(long, value_name = "I/N", allow_hyphen_values = true, requires = "log")]
    part: Option<Part>,
    /// Play no games, but report on those in the logs of all parts; the other options must be the
    /// same. Games count in the order of the match, regardless of the part, up to the game that
    /// decides the sequential test
    #[arg(long, value_name = "LOG", num_args = 1.., conflicts_with_all = ["log", "part"])]
    join: Vec<PathBuf>,
    /// Wait until the logs contain all games or the test is decided; logs need not exist yet
    #[arg(long, requires = "join")]
    follow: bool,
}

#[derive(Args, Debug)]
struct PdnArguments {
    /// Write all games to this new PDN file; a resumed match rewrites it. Tags contain the versions
    /// that the engines reported, their parameters, and the machine
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    /// Comment each move with its score, depth and time
    #[arg(long, requires = "pdn")]
    comments: bool,
    /// Event tag of the games
    #[arg(long, value_name = "NAME", default_value = "Engine match")]
    event: String,
}

impl Arguments {
    /// The plan of the match. May start the engines: the default openings depend on the names they
    /// report.
    pub fn plan(&self, interrupt: &Interrupt) -> Result<MatchPlan, Error> {
        let list = self.engine_list.list()?;
        let descriptions: Vec<_> = self.engines.iter().map(|text| list.expanded(text)).collect();
        let specs = descriptions.iter().map(|text| text.parse::<EngineSpec>());
        let mut specs = specs.collect::<Result<Vec<_>, _>>().map_err(Error::usage)?;
        if specs.len() < 2 {
            return Err(Error::usage("a match needs at least two engines: give --engine twice"));
        }
        if let Some(strength) = self.strength.strength() {
            let mut set = specs.iter_mut().map(|spec| spec.set_general_strength(strength));
            set.try_for_each(|set| set).map_err(Error::usage)?;
        }
        let engines = Participant::all(specs, self.limits.settings()).map_err(Error::usage)?;
        let names: Vec<_> = engines.iter().map(|engine| engine.name.clone()).collect();
        let mut plan = MatchPlan {
            variant: self.game.variant,
            format: self.format.format(engines.len())?,
            rounds: self.format.pairs(self.sprt.sprt.is_some())?,
            pairs: None,
            concurrency: self.concurrency,
            random_plies: self.openings.random_plies(),
            seed: self.seed.seed,
            conditions: conditions(self.game.variant, &self.limits, &self.adjudication)?,
            sprt: self.sprt.test()?,
            rating_scale: self.ratings.scale(&names)?,
            openings: self.openings(&engines, interrupt)?,
            cores: self.processes.cores(self.concurrency)?,
            transcript: self.processes.transcript()?,
            engines,
        };
        if let Some(part) = self.parts.part {
            plan.pairs = Some(part.range(plan.schedule().planned(&PairResults::default())));
            plan.sprt = None;
        }
        plan.check().map_err(Error::usage)?;
        Ok(plan)
    }

    fn openings(
        &self,
        engines: &[Participant],
        interrupt: &Interrupt,
    ) -> Result<OpeningSource, Error> {
        let tests_itself = || match (self.sprt.sprt, engines) {
            (Some(_), [one, two]) => {
                let context = MatchContext::new(self.game.variant, interrupt.clone());
                are_same_program([one, two], &context)
            }
            _ => Ok(false),
        };
        let log = self.log.as_ref().or(self.parts.join.first());
        self.openings.source(self.game.variant, log.map(PathBuf::as_path), tests_itself)
    }

    /// The PDN file to write and its style; `None` if not requested.
    pub fn pdn(&self) -> Option<(&PathBuf, PdnStyle)> {
        let PdnArguments { pdn, comments, event } = &self.pdn;
        let style = PdnStyle { has_comments: *comments, ..report::style(event) };
        pdn.as_ref().map(|path| (path, style))
    }

    /// Whether to report on the joined logs of parts instead of playing.
    pub fn is_joining(&self) -> bool {
        !self.parts.join.is_empty()
    }

    /// Checks that each output has a file of its own, which is not the log of a part.
    fn check_files(&self) -> Result<(), Error> {
        let outputs = [&self.log, &self.pdn.pdn, &self.report, &self.processes.debug];
        let outputs: Vec<&Path> = outputs.into_iter().flatten().map(PathBuf::as_path).collect();
        output_file::check_one_each(&outputs)?;
        let logs = &self.parts.join;
        let mut pairs = outputs.iter().flat_map(|path| logs.iter().map(move |log| (path, log)));
        pairs.try_for_each(|(path, log)| output_file::check_distinct(path, log, "the games"))
    }

    /// The parts to join.
    pub fn parts(&self, plan: &MatchPlan) -> MatchParts {
        let PartArguments { join, follow, .. } = &self.parts;
        let logs = join.iter().map(|path| LogFollower::new(path.clone(), LABELS)).collect();
        MatchParts { logs, settings: self.settings(plan), follows: *follow }
    }

    /// The name of the event.
    pub fn event(&self) -> &str {
        &self.pdn.event
    }

    /// The settings that must be the same when a match is resumed. The concurrency, the sequential
    /// test and, except in a tournament, the number of rounds may change.
    pub fn settings(&self, plan: &MatchPlan) -> LogSettings {
        let limits: Vec<_> = plan.engines.iter().map(|engine| engine.time_control).collect();
        let engines: Vec<_> = plan.engines.iter().map(|engine| &engine.spec.text).collect();
        let MatchPlan { variant, openings, random_plies, seed, conditions, .. } = plan;
        let mut settings = game_settings(*variant, openings, *random_plies, *seed, conditions);
        settings
            .extend([("engines".to_owned(), json!(engines)), ("limits".to_owned(), json!(limits))]);
        settings.extend(format::settings(plan));
        settings
    }
}

fn games_missing(missing: u64, planned: u64) -> String {
    let are = if missing == 1 { "is" } else { "are" };
    format!("{missing} of {planned} games {are} missing")
}

fn games_lost(faults: u64) -> String {
    let games = plural(faults as usize, "game was", "games were");
    format!("{games} lost through faults")
}

/// Parses the address of the live page.
fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        "expected an IP address and a port, such as 127.0.0.1:8556, or 0.0.0.0:8556 for other \
         machines"
            .to_owned()
    })
}

/// Parses an error rate of the sequential test.
fn error_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|&rate: &f64| rate > 0.0 && rate < 0.5);
    rate.ok_or_else(|| "expected a number between 0 and 0.5, such as 0.05".to_owned())
}

impl SprtArguments {
    fn test(&self) -> Result<Option<Sprt>, Error> {
        let test = |bounds| Sprt::new(bounds, self.alpha, self.beta, self.elo_model);
        self.sprt.map(test).transpose().map_err(Error::usage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_game_is_singular() {
        assert_eq!(games_lost(1), "1 game was lost through faults");
        assert_eq!(games_lost(2), "2 games were lost through faults");
        assert_eq!(games_missing(1, 6), "1 of 6 games is missing");
        assert_eq!(games_missing(2, 6), "2 of 6 games are missing");
    }
}

//! `manoury tune`: tunes the parameters of an engine.

mod recorder;
mod summary;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::arena::client::MatchContext;
use crate::arena::spec::{EngineSpec, Participant};
use crate::arena::tune::{
    self, ParameterText, PartLogs, TuneCause, TuneEvent, TuneLength, TunePart, TunePlan, Tuner,
    TunerSettings, max_faults,
};
use crate::cli::Error;
use crate::cli::args::matches::{
    AdjudicationArguments, EngineListArgument, OpeningArguments, Part, TimeControlArguments,
    conditions, game_settings, query_engine, run_failed,
};
use crate::cli::args::{SeedArgument, VariantArgument};
use crate::cli::error::number;
use crate::cli::output::write_json;
use crate::cli::output_file;
use crate::runtime::interrupt::Interrupt;
use crate::runtime::log::{LogFollower, LogSettings};
use crate::storage;

use recorder::{PAIR_LABELS, StepRecorder};
use summary::TuneSummary;

/// Tunes the parameters and prints the result.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let outputs = [&arguments.log, &arguments.svg].into_iter().flatten();
    output_file::check_one_each(&outputs.map(PathBuf::as_path).collect::<Vec<_>>())?;
    arguments.svg.as_deref().map_or(Ok(()), output_file::check_writable)?;
    let interrupt = Interrupt::on_ctrl_c()?;
    let plan = arguments.plan(&interrupt)?;
    if !arguments.is_report() {
        plan.check_machine().map_err(Error::usage)?;
    }
    let mut tuner = Tuner::new(plan.tuner.clone());
    let mut recorder = StepRecorder::open(arguments, &plan, &mut tuner)?;
    let mut logs = arguments.logs(&plan);
    let mut record = |event: TuneEvent<'_>, tuner: &Tuner| recorder.record(event, tuner);
    let ending = tune::run(&plan, &mut tuner, logs.as_mut(), &interrupt, &mut record);
    let ending = ending.map_err(run_failed)?;
    recorder.finish(&tuner)?;

    let summary = TuneSummary::new(&tuner, &ending);
    if tuner.steps() > 0 {
        print(arguments, &tuner, &summary)?;
    }
    match ending.cause {
        TuneCause::Unsuitable(what) => {
            Err(Error::Input(format!("the engine {} cannot play: {what}", plan.engine.name)))
        }
        TuneCause::Interrupted => Err(Error::interrupted(arguments.log.is_some())),
        TuneCause::Faults => Err(too_many_faults()),
        // A run that plays one part stops only on faults in that part, so the faults of all parts
        // are checked here.
        _ if tuner.is_part() && tuner.faults() > max_faults(tuner.finished_games()) => {
            Err(too_many_faults())
        }
        TuneCause::Waiting if arguments.log.is_none() => {
            let (steps, planned) = (summary.steps, summary.planned_steps);
            Err(Error::No(format!("{} of {planned} steps are missing", planned - steps)))
        }
        TuneCause::Complete | TuneCause::Waiting => Ok(()),
    }
}

fn print(arguments: &Arguments, tuner: &Tuner, summary: &TuneSummary) -> Result<(), Error> {
    let mut output = io::stdout().lock();
    if arguments.json {
        return write_json(&mut output, summary);
    }
    Ok(output.write_all(summary::result(tuner, summary).as_bytes())?)
}

fn too_many_faults() -> Error {
    Error::No("stopped: too many games were lost through faults".to_owned())
}

/// Tune the parameters of an engine through games against itself
///
/// The method is SPSA: each step moves all parameters a little up or down, at random, and plays
/// pairs of games between the engine with these values and the engine with the opposite changes;
/// then all parameters move a little towards the winner's values. The engine is described as for
/// `manoury match`; its tunable parameters are those that it declares as int or real in Hub 2. Use
/// a match to decide whether the values found are better.
///
/// A parameter is NAME=START,MIN,MAX,C_END,R_END. Omitted fields come from the engine's
/// declaration: START is its value, MIN and MAX its range, C_END its step or else a twentieth of
/// the range. C_END is the amount by which the last steps change the parameter up and down; the
/// first steps use two to three times as much. Choose it so that a change of C_END costs one or two
/// Elo, and at least 0.5 for integers. R_END is the learning rate: near the end, a pair of games
/// won by a margin of one game moves the parameter by R_END times C_END. By default it is 0.7
/// divided by the square root of the number of games: 0.005 for 20000 games. For more on both, see
/// scripts/README.md.
///
/// A pair in which a game is lost through a fault, such as a crash, does not count. Exit code 0:
/// all steps are done, or a --part has played all that it can for now; 1: interrupted, or stopped
/// because more than 10 pairs, and more than 1 in 100 games, had faults, or steps to --join are
/// missing.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct Arguments {
    /// Engine: a command line and settings
    #[arg(long, value_name = "SPEC")]
    engine: String,
    #[command(flatten)]
    engine_list: EngineListArgument,
    /// Parameter to tune, NAME or NAME=START,MIN,MAX,C_END,R_END; may be repeated
    #[arg(long = "param", value_name = "PARAM")]
    params: Vec<ParameterText>,
    /// File of parameters, one per line; # starts a comment
    #[arg(long = "params", value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    game: VariantArgument,
    /// Total number of games, a multiple of twice --pairs
    #[arg(long, value_name = "N", required_unless_present = "steps", conflicts_with = "steps")]
    games: Option<usize>,
    /// Total number of steps
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Pairs of games per step
    #[arg(long, value_name = "N", default_value_t = 1)]
    pairs: usize,
    /// Number of steps played at the same time
    ///
    /// A step starts from the values that resulted from the step N steps earlier. With node limits,
    /// the same seed therefore produces the same values at any concurrency.
    #[arg(long, value_name = "N", default_value_t = 16)]
    ahead: usize,
    /// Games played at the same time, each by two processes of the engine; with time limits, at
    /// most the number of processors
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<usize>(1..))]
    concurrency: usize,
    #[command(flatten)]
    seed: SeedArgument,

    #[command(flatten, next_help_heading = "Limits per move")]
    limits: TimeControlArguments,
    #[command(flatten, next_help_heading = "Openings")]
    openings: OpeningArguments,
    #[command(flatten, next_help_heading = "Ending games early")]
    adjudication: AdjudicationArguments,
    /// Log finished steps to this file; after an interruption, the same command resumes from it
    ///
    /// The number of steps cannot be changed later, as all steps depend on it; the concurrency can.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub log: Option<PathBuf>,
    /// Plot the values of the parameters to this SVG file, during the run and at the end
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub svg: Option<PathBuf>,
    /// Print one JSON object per step (type "step"); the last line is the summary (type "summary")
    ///
    /// A step, as in a line of --log: step (from 1), wins, draws, losses (of the games of the plus
    /// side), faults (pairs that do not count), values (after the step, in the order of the
    /// parameters).
    ///
    /// The summary: finished, steps, planned_steps, games, planned_games, score (wins, draws,
    /// losses), faults, params (name, start, value, argument: the value of --param for further
    /// tuning), settings (for an engine: param.NAME=VALUE,..), seconds and games_per_hour (of this
    /// run).
    #[arg(short, long, help_heading = "Output")]
    pub json: bool,
    #[command(flatten, next_help_heading = "Several processes or machines")]
    parts: PartArguments,
}

#[derive(Args, Debug)]
struct PartArguments {
    /// Play only part I of N, as far as the results of the other parts allow
    ///
    /// A part is every Nth pair of games. The values that a step tries depend on the results of all
    /// steps up to the one --ahead steps earlier. Once other parts have played more, the same
    /// command resumes the part. A line of its --log is a pair (type "pair"): pair (its number,
    /// from 0), and played (win, draw or loss of the plus side in both games) or faulty (the
    /// fault).
    #[arg(
        long,
        value_name = "I/N",
        allow_hyphen_values = true,
        requires = "log",
        requires = "join"
    )]
    part: Option<Part>,
    /// Logs of all parts; those of parts that have not started may be missing
    ///
    /// Without --part, plays no games and prints the result so far; the other options must be the
    /// same.
    #[arg(long, value_name = "LOG", num_args = 1..)]
    join: Vec<PathBuf>,
}

/// The examples at the end of the help.
const EXAMPLES: &str = "Examples:
  manoury tune --engine \"manoury hub --tune,param.book=false,param.tt-size=16\" \\
    --param reduction_slope --param futility_base=60,0,200,10 \\
    --games 20000 --nodes 3000 --concurrency 2 --log tune.log --svg tune.svg
  manoury tune --engine \"manoury hub --tune,param.book=false,param.tt-size=16\" \\
    --params numbers.txt --games 2000 --move-time 0.05 --json";

impl Arguments {
    /// The plan of the tuning. Starts the engine to read its declared parameters.
    pub fn plan(&self, interrupt: &Interrupt) -> Result<TunePlan, Error> {
        if self.is_report() && self.log.is_some() {
            return Err(Error::usage("--join and --log can be combined only with --part"));
        }
        let description = self.engine_list.list()?.expanded(&self.engine);
        let spec: EngineSpec = description.parse().map_err(Error::usage)?;
        let engine = Participant::new(spec, self.limits.settings()).map_err(Error::usage)?;
        let spec = &engine.spec;
        let length = self.length()?;
        let texts = self.texts()?;
        let context = MatchContext::new(self.game.variant, interrupt.clone());
        let declared = query_engine(&engine, &context, |client| client.declared().to_vec())?;
        let parameters =
            tune::resolve(&texts, spec, &declared, length.all_games()).map_err(Error::Input)?;
        let plan = TunePlan {
            variant: self.game.variant,
            engine: engine.clone(),
            tuner: TunerSettings {
                parameters,
                length,
                ahead: self.ahead,
                seed: self.seed.seed,
                part: self.part(),
            },
            concurrency: self.concurrency,
            openings: self.openings.source(self.game.variant, self.log.as_deref(), || Ok(true))?,
            random_plies: self.openings.random_plies(),
            conditions: conditions(self.game.variant, &self.limits, &self.adjudication)?,
        };
        plan.check().map_err(Error::usage)?;
        Ok(plan)
    }

    /// Whether only to report on the logs of parts, without playing.
    fn is_report(&self) -> bool {
        !self.parts.join.is_empty() && self.parts.part.is_none()
    }

    /// The part of the pairs that this process plays; `None` if it plays all of them.
    fn part(&self) -> Option<TunePart> {
        match self.parts.part.map(Part::place) {
            Some((index, count)) => Some(TunePart { index, count }),
            None => self.is_report().then_some(TunePart::NONE),
        }
    }

    /// The logs of all parts; `None` if the tuning is not split into parts.
    pub fn logs(&self, plan: &TunePlan) -> Option<PartLogs> {
        let logs = self.parts.join.iter().map(|path| LogFollower::new(path.clone(), PAIR_LABELS));
        let settings = self.settings(plan);
        (!self.parts.join.is_empty()).then(|| PartLogs { logs: logs.collect(), settings })
    }

    fn length(&self) -> Result<TuneLength, Error> {
        let pairs = self.pairs.max(1);
        let steps = match (self.steps, self.games) {
            (None, Some(games)) if games % (2 * pairs) == 0 => games / (2 * pairs),
            (None, Some(games)) => {
                return Err(Error::usage(format!(
                    "--games must be a multiple of {}, the number of games per step, not {games}",
                    2 * pairs
                )));
            }
            (steps, _) => steps.unwrap_or_default(),
        };
        Ok(TuneLength { steps, pairs: self.pairs })
    }

    /// The parameters from the file and from the command line.
    fn texts(&self) -> Result<Vec<ParameterText>, Error> {
        let mut texts = Vec::new();
        if let Some(path) = &self.file {
            let text = fs::read_to_string(path).map_err(storage::with_path(path))?;
            texts = tune::parse_list(&text).map_err(|(line, error)| {
                Error::Input(format!("{}, line {line}: {error}", path.display()))
            })?;
        }
        texts.extend(self.params.iter().cloned());
        Ok(texts)
    }

    /// The settings that must be the same when a tuning is resumed. The concurrency may change.
    pub fn settings(&self, plan: &TunePlan) -> LogSettings {
        let TunerSettings { parameters, length, ahead, seed, part: _ } = &plan.tuner;
        let TunePlan { variant, openings, random_plies, conditions, .. } = plan;
        let mut settings = game_settings(*variant, openings, *random_plies, *seed, conditions);
        settings.extend([
            ("engine".to_owned(), json!(plan.engine.spec.text)),
            ("limits".to_owned(), json!(plan.engine.time_control)),
            ("params".to_owned(), json!(parameters)),
            ("steps".to_owned(), json!(length.steps)),
            ("pairs".to_owned(), json!(length.pairs)),
            ("ahead".to_owned(), json!(ahead)),
        ]);
        settings
    }
}

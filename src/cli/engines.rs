//! `manoury engines`: the engines that can be given by name.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};

use crate::arena::adjudication::Adjudication;
use crate::arena::client::{self, DeclaredParameter, EngineFault, MatchContext};
use crate::arena::engine_list;
use crate::arena::openings::OpeningSource;
use crate::arena::plan::MatchPlan;
use crate::arena::played::PlayedGame;
use crate::arena::referee::Conditions;
use crate::arena::runner::{self, Cause, MatchProgress};
use crate::arena::schedule::MatchFormat;
use crate::arena::spec::{EngineSpec, Participant};
use crate::arena::stats::RatingScale;
use crate::arena::time_control::TimeSettings;
use crate::cli::Error;
use crate::cli::args::VariantArgument;
use crate::cli::args::matches::{EngineListArgument, run_failed};
use crate::cli::output::plural;
use crate::rules::Variant;
use crate::runtime::interrupt::Interrupt;
use crate::storage;

/// List, check and add engines that can be given by name
///
/// The engines are in a TOML file, by default manoury/engines.toml in the user's configuration
/// folder. `manoury match` and `manoury tune` then know them by name: --engine Scan, or with
/// further settings --engine Scan,param.threads=2. An entry contains the command line and any of
/// the settings of --engine (see `manoury match --help`):
///
///   [Scan]
///   command = "./scan hub"
///   dir = "/opt/scan"
///   proto = "hub1"
///   param.threads = 1
///   tc.move-time = 0.1
///
/// The hub.ini file of the Hub GUI is read as well; its engine is named after the program.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    #[command(subcommand)]
    command: EnginesCommand,
}

#[derive(Subcommand, Debug)]
enum EnginesCommand {
    List(ListArguments),
    Check(CheckArguments),
    Add(AddArguments),
}

/// Print the names and descriptions of all engines
#[derive(Args, Debug)]
#[command(after_long_help = LIST_EXAMPLES)]
struct ListArguments {
    #[command(flatten)]
    engine_list: EngineListArgument,
}

/// The examples at the end of the help.
const LIST_EXAMPLES: &str = "Examples:
  manoury engines list";

/// Start engines, let them play, and report problems that would occur in a match
///
/// For each engine, prints the name it reports, the time until it was ready, its parameters, and
/// the outcome of two games of ten moves against itself. Exit code 1: an engine does not work.
#[derive(Args, Debug)]
#[command(after_long_help = CHECK_EXAMPLES)]
struct CheckArguments {
    /// Engines: names or command lines, with settings as for `manoury match --engine` [default: all
    /// engines in the file]
    #[arg(value_name = "SPEC")]
    engines: Vec<String>,
    #[command(flatten)]
    engine_list: EngineListArgument,
    #[command(flatten)]
    game: VariantArgument,
    /// Seconds per move, unless the engine has its own limits
    #[arg(long, value_name = "S", default_value_t = 0.1)]
    move_time: f64,
}

/// The examples at the end of the help.
const CHECK_EXAMPLES: &str = "Examples:
  manoury engines check manoury
  manoury engines check \"manoury hub,name=Fast,param.tt-size=16\" --move-time 0.02";

/// Add a Hub engine to the file
///
/// Starts the program to find out which version of Hub it speaks, and whether it needs the argument
/// `hub`. Its folder becomes its working directory.
#[derive(Args, Debug)]
#[command(after_long_help = ADD_EXAMPLES)]
struct AddArguments {
    /// The program
    #[arg(value_name = "PATH")]
    program: PathBuf,
    /// Name of the engine [default: the name that it reports]
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    engine_list: EngineListArgument,
    #[command(flatten)]
    game: VariantArgument,
}

/// The examples at the end of the help.
const ADD_EXAMPLES: &str = "Examples:
  manoury engines add bin/manoury --name Test
  manoury engines add bin/manoury --engines engines.toml";

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    match &arguments.command {
        EnginesCommand::List(arguments) => list(arguments),
        EnginesCommand::Check(arguments) => check(arguments),
        EnginesCommand::Add(arguments) => add(arguments),
    }
}

fn list(arguments: &ListArguments) -> Result<(), Error> {
    let mut output = io::stdout().lock();
    for (name, description) in arguments.engine_list.list()?.iter() {
        writeln!(output, "{name}: {description}")?;
    }
    Ok(())
}

fn check(arguments: &CheckArguments) -> Result<(), Error> {
    let interrupt = Interrupt::on_ctrl_c()?;
    let list = arguments.engine_list.list()?;
    let descriptions: Vec<_> = match &arguments.engines[..] {
        [] => list.iter().map(|(_, description)| description.to_owned()).collect(),
        engines => engines.iter().map(|text| list.expanded(text)).collect(),
    };
    if descriptions.is_empty() {
        return Err(Error::usage(
            "there are no engines: name one, or add one with `manoury engines add`",
        ));
    }
    let mut faulty = 0;
    for description in descriptions {
        let spec: EngineSpec = description.parse().map_err(Error::usage)?;
        let time = TimeSettings { move_time: Some(arguments.move_time), ..TimeSettings::default() };
        let engine = Participant::new(spec, time).map_err(Error::usage)?;
        writeln!(io::stdout(), "{}", engine.name)?;
        faulty += usize::from(!check_engine(engine, arguments.game.variant, &interrupt)?);
    }
    match faulty {
        0 => Ok(()),
        _ => Err(Error::No(plural(faulty, "engine does not work", "engines do not work"))),
    }
}

/// Checks an engine and prints what was found; returns whether it works.
fn check_engine(
    engine: Participant,
    variant: Variant,
    interrupt: &Interrupt,
) -> Result<bool, Error> {
    let context = MatchContext::new(variant, interrupt.clone());
    let start = Instant::now();
    let client = match client::start(&engine.spec, &context) {
        Ok(client) => client,
        Err(EngineFault::Interrupted) => return Err(Error::interrupted(false)),
        Err(fault) => {
            writeln!(io::stdout(), "  does not work: {fault}")?;
            return Ok(false);
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    let mut output = io::stdout().lock();
    writeln!(output, "  ready after {seconds:.2} s: {}", client.identity())?;
    for parameter in client.declared() {
        writeln!(output, "  {}", declaration(parameter))?;
    }
    drop(output);
    client.quit();
    let games = play(engine, variant, interrupt)?;
    let mut is_working = true;
    for game in games {
        match game {
            Ok(game) => {
                let is_fault = game.reason.is_fault();
                is_working &= !is_fault;
                let moves = plural(game.moves.len(), "ply", "plies");
                let fault = if is_fault { "a fault: " } else { "" };
                let clock = clock_difference(&game);
                writeln!(io::stdout(), "  {moves}, {fault}{}{clock}", game.ending())?;
            }
            Err(what) => {
                is_working = false;
                writeln!(io::stdout(), "  cannot play: {what}")?;
            }
        }
    }
    Ok(is_working)
}

/// A parameter with its values: `threads: 1 (1 to 256)`, `book: true or false`, `book-file: text`.
fn declaration(parameter: &DeclaredParameter) -> String {
    let mut text = parameter.name.clone();
    if let Some(number) = parameter.number {
        let show = |number: Option<f64>| number.map_or("?".to_owned(), |number| number.to_string());
        let (value, min, max) = (show(number.value), show(number.min), show(number.max));
        text += &format!(": {value} ({min} to {max})");
    }
    match &parameter.values {
        Some(values) => text += &format!(": {}", alternatives(values)),
        None if parameter.number.is_none() => text += ": text",
        None => {}
    }
    text
}

/// A list of values: `a, b or c`.
fn alternatives(values: &[String]) -> String {
    match values.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => values.concat(),
    }
}

/// A note if moves took longer than allowed.
fn clock_difference(game: &PlayedGame) -> String {
    let over = game.moves.iter().filter_map(|mv| mv.over).fold(0.0, f64::max);
    match over > 0.0 {
        true => format!(", up to {over:.3} s over the move limit"),
        false => String::new(),
    }
}

/// Two games of ten moves each, played by an engine against itself, or the reason it cannot play.
fn play(
    engine: Participant,
    variant: Variant,
    interrupt: &Interrupt,
) -> Result<Vec<Result<PlayedGame, String>>, Error> {
    let plan = MatchPlan {
        variant,
        engines: vec![engine.clone(), Participant { name: "itself".to_owned(), ..engine }],
        format: MatchFormat::RoundRobin,
        rounds: 1,
        pairs: None,
        concurrency: 1,
        openings: OpeningSource::Start,
        random_plies: 0,
        seed: 1,
        conditions: Conditions {
            margin: Duration::from_secs(1),
            patience: Duration::from_secs(60),
            adjudication: Adjudication { length: Some(10), ..Adjudication::default() },
            bitbases: None,
        },
        sprt: None,
        rating_scale: RatingScale::Average(0.0),
        cores: Vec::new(),
        transcript: None,
    };
    let mut progress = MatchProgress::new(&plan);
    let mut games = Vec::new();
    let mut record = |game: &PlayedGame, _: &MatchProgress| {
        games.push(Ok(game.clone()));
        Ok(())
    };
    let ending =
        runner::run(&plan, &mut progress, interrupt, &(), &mut record).map_err(run_failed)?;
    match ending.cause {
        Cause::Interrupted => return Err(Error::interrupted(false)),
        Cause::Unsuitable { what, .. } => games.push(Err(what)),
        _ => {}
    }
    Ok(games)
}

/// The settings in an entry: names and values.
type Settings = Vec<(&'static str, String)>;

/// Maximum time to wait for a reply while detecting the protocol of a program, in seconds.
const GUESS_LIMIT: &str = "5";

fn add(arguments: &AddArguments) -> Result<(), Error> {
    let file = arguments.engine_list.path();
    let file =
        file.ok_or_else(|| Error::usage("there is no configuration folder: use --engines"))?;
    let program =
        fs::canonicalize(&arguments.program).map_err(storage::with_path(&arguments.program))?;
    let context = MatchContext::new(arguments.game.variant, Interrupt::on_ctrl_c()?);
    let list = arguments.engine_list.list_or_none()?;
    if file.extension().is_some_and(|extension| extension == "ini") {
        let what = "describes only the engine of the Hub GUI: add engines to a TOML file";
        return Err(Error::usage(format!("{} {what}", file.display())));
    }
    let (name, settings) = detected(&program, &context)?;
    let name = arguments.name.as_ref().map_or(name, |name| name.trim().to_owned());
    let entry = engine_list::entry(&name, &settings);
    let entry = entry.map_err(|what| Error::usage(format!("{what}: use --name")))?;
    if list.iter().any(|(known, _)| known == name) {
        let file = file.display();
        return Err(Error::usage(format!("{file} already has an engine {name:?}: use --name")));
    }
    append(&file, &entry).map_err(storage::with_path(&file))?;
    Ok(writeln!(io::stdout(), "added {name} to {}", file.display())?)
}

/// The name that a program reports, and the settings with which it starts.
fn detected(program: &Path, context: &MatchContext) -> Result<(String, Settings), Error> {
    let dir = program.parent().unwrap_or(Path::new("."));
    let fault = |what: String| Error::Input(format!("{}: {what}", program.display()));
    let quoted = engine_list::program(&program.to_string_lossy()).map_err(fault)?;
    let mut faults = Vec::new();
    for (argument, proto) in [(" hub", "hub2"), ("", "hub2"), (" hub", "hub1")] {
        let command = format!("{quoted}{argument}");
        let settings = vec![
            ("command", command),
            ("dir", dir.to_string_lossy().into_owned()),
            ("proto", proto.to_owned()),
        ];
        let entry = engine_list::entry("engine", &settings).map_err(fault)?;
        let list = engine_list::EngineList::from_toml(&entry).map_err(Error::Input)?;
        let text = list.expanded(&format!("engine,start-limit={GUESS_LIMIT}"));
        let spec: EngineSpec = text.parse().map_err(Error::usage)?;
        match client::start(&spec, context) {
            Ok(client) => {
                let label = program.file_stem().unwrap_or_default().to_string_lossy();
                let names = [client.name(), client.identity(), &label];
                let name = names.into_iter().find(|name| !name.is_empty());
                let name = name.unwrap_or_default().to_owned();
                client.quit();
                return Ok((name, settings));
            }
            Err(EngineFault::Interrupted) => return Err(Error::interrupted(false)),
            Err(fault) => faults.push(format!("as {proto}, {}: {fault}", settings[0].1)),
        }
    }
    Err(fault(format!(
        "not a Hub engine ({}); an entry for a DXP engine must be added by hand",
        faults.join("; ")
    )))
}

/// Adds an entry at the end of a file, which need not exist.
fn append(path: &Path, entry: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let separator = if file.metadata()?.len() > 0 { "\n" } else { "" };
    file.write_all(format!("{separator}{entry}").as_bytes())
}

//! `manoury match`: matches between engines.

mod arguments;
mod keeper;
mod report;
mod tables;

pub use arguments::Arguments;

use std::io::{self, Write};

use crate::arena::join;
use crate::arena::plan::MatchPlan;
use crate::arena::played::PlayedGame;
use crate::arena::runner::{self, Cause, MatchProgress, RunError};
use crate::arena::summary::Summary;
use crate::runtime::interrupt::Interrupt;

use super::Error;
use keeper::GameKeeper;

/// Plays the match and prints its results.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let interrupt = Interrupt::on_ctrl_c()?;
    let plan = arguments.plan(&interrupt)?;
    let mut keeper = GameKeeper::open(arguments, &plan)?;
    let mut progress = keeper.resumed();
    let mut games_before = progress.tally.games;
    let mut keep = |played: &PlayedGame, progress: &MatchProgress| keeper.keep(played, progress);
    let ending = if arguments.joins() {
        join::join(&plan, arguments.parts(&plan), &mut progress, &interrupt, &mut keep)
    } else {
        runner::run(&plan, &mut progress, &interrupt, &mut keep)
    };
    let ending = ending.map_err(failed)?;
    let page = keeper.finish();
    if arguments.joins() {
        // This run has played none of them.
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
        Cause::Interrupted if arguments.log.is_some() => {
            Err(Error::No("interrupted; the same command goes on from here".to_owned()))
        }
        Cause::Interrupted => Err(Error::No("interrupted".to_owned())),
        Cause::Incomplete => {
            let missing = summary.planned_games - summary.games;
            Err(Error::No(format!("{} of {} games are missing", missing, summary.planned_games)))
        }
        // The faults of a part are told when it is joined: it must not count as one that failed.
        _ if summary.faults > 0 && plan.pairs.is_none() => {
            Err(Error::No(format!("{} games were lost by a fault", summary.faults)))
        }
        _ => Ok(()),
    }
}

fn print(arguments: &Arguments, plan: &MatchPlan, summary: &Summary) -> Result<(), Error> {
    let mut output = io::stdout().lock();
    if arguments.json {
        let line = serde_json::to_string(&keeper::JsonLine::Summary(summary))?;
        writeln!(output, "{line}")?;
    } else {
        write!(output, "{}", tables::text(plan, summary, arguments.color.is_on()))?;
    }
    Ok(())
}

fn failed(error: RunError) -> Error {
    match error {
        RunError::System(error) => Error::System(error),
        RunError::Openings(error) => error.into(),
        RunError::Log(error) => error.into(),
    }
}

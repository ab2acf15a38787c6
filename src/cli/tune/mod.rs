//! `manoury tune`: tuning the numbers of an engine.

mod arguments;
mod keeper;
mod summary;
mod text;

pub use arguments::Arguments;

use std::io::{self, Write};

use crate::arena::tune::queue::{TuneCause, TuneEvent, max_faults};
use crate::arena::tune::runner::{self, TuneError};
use crate::arena::tune::tuner::Tuner;
use crate::runtime::interrupt::Interrupt;

use super::Error;
use keeper::StepKeeper;
use summary::TuneSummary;

/// Tunes the numbers and prints what has become of them.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let interrupt = Interrupt::on_ctrl_c()?;
    let plan = arguments.plan(&interrupt)?;
    let mut tuner = Tuner::new(plan.tuner.clone());
    let mut keeper = StepKeeper::open(arguments, &plan, &mut tuner)?;
    let mut logs = arguments.logs(&plan);
    let mut keep = |event: TuneEvent<'_>, tuner: &Tuner| keeper.keep(event, tuner);
    let ending = runner::run(&plan, &mut tuner, logs.as_mut(), &interrupt, &mut keep);
    let ending = ending.map_err(failed)?;
    keeper.finish(&tuner)?;

    let summary = TuneSummary::new(&tuner, &ending);
    if tuner.steps() > 0 {
        print(arguments, &tuner, &summary)?;
    }
    match ending.cause {
        TuneCause::Unsuitable(what) => {
            Err(Error::Input(format!("the engine {} cannot play: {what}", plan.engine.name)))
        }
        TuneCause::Interrupted if arguments.log.is_some() => {
            Err(Error::No("interrupted; the same command goes on from here".to_owned()))
        }
        TuneCause::Interrupted => Err(Error::No("interrupted".to_owned())),
        TuneCause::Faults => Err(too_many_faults()),
        // No part sees enough faults by itself to stop.
        _ if tuner.has_others() && tuner.faults() > max_faults(tuner.ended_games()) => {
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
    match arguments.json {
        true => writeln!(output, "{}", serde_json::to_string(summary)?)?,
        false => write!(output, "{}", text::result(tuner, summary))?,
    }
    Ok(())
}

fn too_many_faults() -> Error {
    Error::No("stopped: too many games are lost by a fault".to_owned())
}

fn failed(error: TuneError) -> Error {
    match error {
        TuneError::System(error) => Error::System(error),
        TuneError::Openings(error) => error.into(),
        TuneError::Log(error) => error.into(),
    }
}

//! The result of a tuning: as JSON and as text.

use serde::Serialize;

use crate::arena::tally::WinDrawLoss;
use crate::arena::tune::{Parameter, TuneEnding, Tuner};
use crate::cli::output::number_table;

/// The result of a tuning. As JSON, it is the last line printed with `--json`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename = "summary")]
pub struct TuneSummary {
    /// Whether all steps are done.
    pub finished: bool,
    /// Number of steps done.
    pub steps: usize,
    /// Total number of steps.
    pub planned_steps: usize,
    /// Number of games in the steps done, excluding faulty pairs.
    pub games: u64,
    /// Total number of games.
    pub planned_games: u64,
    /// The results of the games, from the plus side's point of view.
    pub score: WinDrawLoss,
    /// Number of pairs that do not count because of a fault.
    pub faults: u64,
    /// The parameters.
    pub params: Vec<TunedParameter>,
    /// The values as settings of an engine: `param.NAME=VALUE,..`.
    pub settings: String,
    /// Wall-clock time of this run, in seconds.
    pub seconds: f64,
    /// Games per hour in this run.
    pub games_per_hour: f64,
}

/// A tuned parameter: its start value and the value found.
#[derive(Clone, Debug, Serialize)]
pub struct TunedParameter {
    /// The name of the parameter.
    pub name: String,
    /// The initial value.
    pub start: f64,
    /// The value found.
    pub value: f64,
    /// The argument of `--param` for further tuning from this value.
    pub argument: String,
}

impl TuneSummary {
    /// The result of a tuning.
    pub fn new(tuner: &Tuner, ending: &TuneEnding) -> TuneSummary {
        let length = tuner.settings().length;
        let seconds = ending.wall.as_secs_f64();
        TuneSummary {
            finished: tuner.is_finished(),
            steps: tuner.steps(),
            planned_steps: length.steps,
            games: tuner.tally().games(),
            planned_games: length.all_games(),
            score: tuner.tally(),
            faults: tuner.faults(),
            params: tuned_parameters(tuner),
            settings: settings(tuner),
            seconds,
            games_per_hour: 3600.0 * ending.games as f64 / seconds.max(f64::MIN_POSITIVE),
        }
    }
}

fn tuned_parameters(tuner: &Tuner) -> Vec<TunedParameter> {
    let numbers = tuner.settings().parameters.iter().zip(tuner.values());
    let numbers = numbers.map(|(parameter, &value)| {
        let start = rounded(parameter, value);
        let argument = Parameter { start, ..parameter.clone() }.to_string();
        TunedParameter { name: parameter.name.clone(), start: parameter.start, value, argument }
    });
    numbers.collect()
}

/// The values as settings of an engine.
fn settings(tuner: &Tuner) -> String {
    let numbers = tuner.settings().parameters.iter().zip(tuner.values());
    let settings = numbers.map(|(parameter, &value)| {
        let text = parameter.text(rounded(parameter, value));
        format!("param.{}={text}", parameter.name)
    });
    settings.collect::<Vec<_>>().join(",")
}

/// A value, rounded to the significant decimals and clamped to the range of the parameter.
fn rounded(parameter: &Parameter, value: f64) -> f64 {
    let rounded = parameter.label(value).parse().unwrap_or(value);
    rounded.clamp(parameter.min, parameter.max)
}

/// Maximum number of values in a progress line.
const MAX_VALUES: usize = 5;

/// The number of steps and the values of the first parameters: `step 12 of 100: depth 3.4, margin
/// 88.1`.
pub fn values(tuner: &Tuner) -> String {
    let numbers = tuner.settings().parameters.iter().zip(tuner.values());
    let mut texts: Vec<_> = numbers
        .take(MAX_VALUES)
        .map(|(param, &value)| format!("{} {}", param.name, param.label(value)))
        .collect();
    if tuner.values().len() > MAX_VALUES {
        texts.push("..".to_owned());
    }
    format!("Step {} of {}: {}", tuner.steps(), tuner.settings().length.steps, texts.join(", "))
}

/// A table of the parameters, with the initial value, the current value and the change, also in
/// units of `c_end`.
pub fn table(tuner: &Tuner) -> String {
    let header = ["parameter", "start", "now", "change", "change/C_END", "min", "max"];
    let rows = tuner.settings().parameters.iter().zip(tuner.values()).map(|(parameter, &value)| {
        let (change, decimals) = (value - parameter.start, parameter.decimals());
        vec![
            parameter.name.clone(),
            parameter.start.to_string(),
            format!("{value:.decimals$}"),
            format!("{change:+.decimals$}"),
            format!("{:+.2}", change / parameter.c_end),
            parameter.min.to_string(),
            parameter.max.to_string(),
        ]
    });
    number_table(&header, rows)
}

/// The whole result as text: the parameters, and lines to copy into commands.
pub fn result(tuner: &Tuner, summary: &TuneSummary) -> String {
    let TuneSummary { steps, planned_steps, games, planned_games, score, faults, .. } = summary;
    let TuneSummary { seconds, games_per_hour, settings, .. } = summary;
    let arguments: Vec<_> =
        summary.params.iter().map(|number| format!("{}\n", number.argument)).collect();
    format!(
        "{steps} of {planned_steps} steps, {games} of {planned_games} games, \
         +{} ={} -{} for plus, {faults} pairs with faults\n\
         this run: {seconds:.1} s, {games_per_hour:.0} games/h\n\n\
         {}\nfor an engine, as in manoury match --engine:\n{settings}\n\n\
         for further tuning, as a file for --params:\n{}",
        score.wins,
        score.draws,
        score.losses,
        table(tuner),
        arguments.concat(),
    )
}

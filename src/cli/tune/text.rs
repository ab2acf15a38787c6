//! The numbers of a tuning as text.

use crate::arena::tune::tuner::Tuner;
use crate::cli::table;

use super::summary::TuneSummary;

/// The most values in a line of progress.
const MAX_VALUES: usize = 5;

/// The values of the first numbers: `step 12 of 100: depth 3.4, margin 88.1`.
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

/// Each number with its start, its value now and the change, also in units of its `c_end`.
pub fn table(tuner: &Tuner) -> String {
    let header = ["number", "start", "now", "change", "change/C_END", "min", "max"];
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
    table::numbers(&header, rows)
}

/// The whole result: the numbers, and lines to paste.
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
         for a further tuning, as a file for --params:\n{}",
        score.wins,
        score.draws,
        score.losses,
        table(tuner),
        arguments.concat(),
    )
}

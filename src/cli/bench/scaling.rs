//! The speed of this program for several numbers of threads and table sizes.

use std::io::{self, Write};

use serde::Serialize;

use crate::arena::speed::ratio::Ratio;
use crate::arena::speed::scaling::{self, ScalingPlan, ScalingRow};
use crate::cli::Error;
use crate::cli::output::{number_table, write_json};
use crate::cli::output_file;
use crate::cli::progress::ProgressBar;
use crate::engine::bench::BenchSettings;
use crate::storage;

use super::{BenchArguments, mean, ratio_cells};

/// Measures all settings, and prints the table.
///
/// # Errors
///
/// The weights cannot be used, or the chart cannot be written.
pub fn run(arguments: &BenchArguments, settings: Vec<BenchSettings>) -> Result<(), Error> {
    arguments.svg.as_deref().map_or(Ok(()), output_file::check_writable)?;
    let variant = arguments.game.variant;
    let plan = ScalingPlan {
        variant,
        depth: arguments.depth,
        settings,
        rounds: arguments.rounds().into(),
        evaluation: arguments.weights.open(variant)?,
    };
    let bar = ProgressBar::new((plan.settings.len() * plan.rounds) as u64, 0, "searches");
    let mut done = 0;
    let rows = scaling::measure(&plan, &mut || {
        done += 1;
        bar.set(done, String::new());
    });
    bar.finish();
    if let Some(path) = &arguments.svg {
        let picture = scaling::chart(&rows);
        storage::write_atomically(path, |file| file.write_all(picture.as_bytes()))
            .map_err(storage::with_path(path))?;
    }
    let mut output = io::stdout().lock();
    if arguments.json.is_on() {
        return rows.iter().try_for_each(|row| write_json(&mut output, &JsonRow::new(row)));
    }
    let header = ["threads", "tt-size", "seconds", "nodes", "nodes/s", "speed", "95 %"];
    Ok(write!(output, "{}", number_table(&header, rows.iter().map(cells)))?)
}

fn cells(row: &ScalingRow) -> Vec<String> {
    let [speed, interval] = ratio_cells(row.speed);
    vec![
        row.settings.threads.to_string(),
        row.settings.tt_size.to_string(),
        format!("{:.3}", mean(&row.times)),
        format!("{:.0}", mean(&row.nodes)),
        format!("{:.0}", row.nps()),
        speed,
        interval,
    ]
}

/// A row of the table as JSON.
#[derive(Serialize)]
struct JsonRow<'a> {
    threads: usize,
    tt_size: u32,
    times: &'a [f64],
    nodes: &'a [f64],
    nps: f64,
    speed: Option<Ratio>,
    nps_ratio: Option<Ratio>,
}

impl JsonRow<'_> {
    fn new(row: &ScalingRow) -> JsonRow<'_> {
        let BenchSettings { threads, tt_size } = row.settings;
        let ScalingRow { times, nodes, speed, nps_ratio, .. } = row;
        JsonRow {
            threads,
            tt_size,
            times,
            nodes,
            nps: row.nps(),
            speed: *speed,
            nps_ratio: *nps_ratio,
        }
    }
}

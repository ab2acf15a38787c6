//! `--time-per-position`, `--nodes-per-position`: the search effort per position.

use clap::Args;

use crate::book::Effort;

/// The search effort per position.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub struct EffortArguments {
    /// Search time per new position in seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    time_per_position: Option<f64>,
    /// Nodes searched per new position, for a book that is the same on every machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes_per_position: Option<u64>,
}

impl EffortArguments {
    /// The effort. The parser makes sure that exactly one of the options is given.
    pub fn effort(&self) -> Effort {
        match (self.time_per_position, self.nodes_per_position) {
            (Some(seconds), _) => Effort::Seconds(seconds),
            (None, nodes) => Effort::Nodes(nodes.unwrap_or(1)),
        }
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    /// A day.
    const LONGEST: f64 = 86_400.0;
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0 && *seconds <= LONGEST);
    seconds.ok_or_else(|| format!("more than 0 and at most {LONGEST} seconds are wanted"))
}

//! `--time-per-position`, `--nodes-per-position`: how long each position is searched.

use clap::Args;

use crate::book::Effort;

/// How long each position is searched.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub struct EffortArguments {
    /// Seconds to search each new position
    #[arg(long, value_name = "S", value_parser = seconds)]
    time_per_position: Option<f64>,
    /// Nodes to search each new position: the same on every machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes_per_position: Option<u64>,
}

impl EffortArguments {
    /// One of both, as the arguments are parsed.
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

//! `--depth`, `--time` and `--nodes`: limits of searches for analysis.

use std::time::Duration;

use clap::Args;

use crate::search::{Limits, Mode};

#[derive(Args, Debug)]
pub struct LimitArguments {
    /// Plies
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Seconds
    #[arg(short, long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// Nodes
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
}

/// The longest time per position in seconds: a year.
const LONGEST: f64 = 366.0 * 24.0 * 3600.0;

impl LimitArguments {
    /// The limits; without any, a time.
    pub fn or_time(&self, time: Duration) -> Limits {
        self.or(Limits { move_time: Some(time), ..Limits::default() })
    }

    /// The limits; without any, others.
    pub fn or(&self, others: Limits) -> Limits {
        let LimitArguments { depth, time, nodes } = *self;
        let limits = Limits { depth, nodes, move_time: time, ..Limits::default() };
        Limits { mode: Mode::Analyze, ..if limits.is_infinite() { others } else { limits } }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=LONGEST).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| format!("not a number from 0 to {LONGEST}"))
}

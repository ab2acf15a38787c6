//! Nodes, time and nodes per second: the last line of every command that counts nodes.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

/// The speed of counting nodes. As text `nodes=N time=S nps=R`: nodes, seconds, nodes per second.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Speed {
    /// Nodes.
    pub nodes: u64,
    /// Seconds.
    pub time: f64,
    /// Nodes per second.
    pub nps: u64,
}

impl Speed {
    /// The speed of counting `nodes` in `time`.
    pub fn new(nodes: u64, time: Duration) -> Speed {
        let time = time.as_secs_f64();
        // Clocks do not resolve less than a nanosecond.
        let nps = (nodes as f64 / time.max(1e-9)) as u64;
        Speed { nodes, time, nps }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nodes={} time={:.6} nps={}", self.nodes, self.time, self.nps)
    }
}

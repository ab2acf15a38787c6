//! Nodes, time and rate, as every command that counts nodes ends with.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

/// How fast work was. As text `nodes=N time=S nps=R`: seconds and nodes a second.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Speed {
    /// Nodes.
    pub nodes: u64,
    /// Seconds.
    pub time: f64,
    /// Nodes a second.
    pub nps: u64,
}

impl Speed {
    /// The speed of counting so many nodes in this time.
    pub fn new(nodes: u64, time: Duration) -> Speed {
        let time = time.as_secs_f64();
        // Less than a nanosecond cannot be measured.
        let nps = (nodes as f64 / time.max(1e-9)) as u64;
        Speed { nodes, time, nps }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nodes={} time={:.6} nps={}", self.nodes, self.time, self.nps)
    }
}

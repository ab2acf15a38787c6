//! The search: alpha-beta with iterative deepening. It knows no protocol and writes nothing: it
//! reports to a sink.

mod limits;
mod report;

pub use limits::{Clock, Control, Limits, Mode};
pub use report::{Best, Info};

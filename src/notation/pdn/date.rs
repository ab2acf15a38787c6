//! Dates.

use std::time::SystemTime;

/// The date of today (UTC) as tags have it: `2026.11.23`.
pub fn today() -> String {
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    now.get(..10).unwrap_or_default().replace('-', ".")
}

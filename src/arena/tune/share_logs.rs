//! The logs of a tuning that several processes play.

use crate::runtime::log::{GrowingLog, LogError, LogSettings};

use super::pair::EndedPair;
use super::tuner::Tuner;

/// The logs of all shares of a tuning.
#[derive(Debug)]
pub struct ShareLogs {
    /// The logs, in any order; those of shares that have not begun are missing.
    pub logs: Vec<GrowingLog>,
    /// The settings that all of them must have.
    pub settings: LogSettings,
}

impl ShareLogs {
    /// Tells the tuner what the logs have gained.
    ///
    /// # Errors
    ///
    /// A log cannot be read, or is that of another tuning.
    pub fn read(&mut self, tuner: &mut Tuner) -> Result<(), LogError> {
        for log in &mut self.logs {
            match log.read(&self.settings, &mut |line| learn(tuner, line)) {
                Err(error) if !error.is_missing() => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Tells the tuner of a pair on a line of a log.
///
/// # Errors
///
/// The line is not one: why.
pub fn learn(tuner: &mut Tuner, line: &[u8]) -> Result<(), String> {
    let ended: EndedPair = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    tuner.learn(ended);
    Ok(())
}

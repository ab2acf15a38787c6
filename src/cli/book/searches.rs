//! Logs of searches made for a book.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::book::{Effort, Found};
use crate::cli::Error;
use crate::learn::book::{FoundRecord, KnownSearches};
use crate::rules::Variant;
use crate::runtime::log::{GrowingLog, Log, LogLabels, LogSettings};

/// The words of the log.
const LABELS: LogLabels = LogLabels { work: "book search", part: "result" };

/// A log that searches are added to.
pub struct SearchLog(Log);

impl SearchLog {
    /// Opens or creates a log. Returns what it has already too.
    ///
    /// # Errors
    ///
    /// Those of [`Log::open`].
    pub fn open(
        path: &Path,
        variant: Variant,
        weights: Option<u32>,
        effort: Effort,
    ) -> Result<(SearchLog, KnownSearches), Error> {
        let (settings, mut known) = (settings(variant, weights, effort), KnownSearches::default());
        let log = Log::open(path, LABELS, &settings, &mut |line| add(&mut known, variant, line))?;
        Ok((SearchLog(log), known))
    }

    /// Adds the results of searches of some positions one after another.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn add(&mut self, found: &[Found]) -> Result<(), Error> {
        let records: Vec<_> = found.iter().map(FoundRecord::from).collect();
        Ok(self.0.add(&records)?)
    }
}

/// The searches in some logs.
///
/// # Errors
///
/// A file cannot be read, or is not the log of searches of this kind.
pub fn read(
    variant: Variant,
    weights: Option<u32>,
    effort: Effort,
    paths: &[PathBuf],
) -> Result<KnownSearches, Error> {
    let (settings, mut known) = (settings(variant, weights, effort), KnownSearches::default());
    for path in paths {
        let mut log = GrowingLog::new(path.clone(), LABELS);
        log.read(&settings, &mut |line| add(&mut known, variant, line))?;
    }
    Ok(known)
}

fn add(known: &mut KnownSearches, variant: Variant, line: &[u8]) -> Result<(), String> {
    let records: Vec<FoundRecord> =
        serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let found = records.iter().map(|record| record.found(variant));
    known.add(found.collect::<Result<_, _>>()?);
    Ok(())
}

/// What results depend on.
fn settings(variant: Variant, weights: Option<u32>, effort: Effort) -> LogSettings {
    let value = json!({"variant": variant.name(), "weights": weights, "effort": effort});
    value.as_object().cloned().unwrap_or_default()
}

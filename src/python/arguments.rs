//! Arguments from Python: numbers in a range, with errors that name the argument.

use std::ops::RangeInclusive;
use std::time::Duration;

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::value_error;

/// A whole number in a range.
pub(crate) fn whole(
    name: &str,
    value: &Bound<'_, PyAny>,
    range: RangeInclusive<u64>,
) -> PyResult<u64> {
    let number = value.extract::<u64>();
    match number {
        Ok(number) if range.contains(&number) => Ok(number),
        Err(error) if !error.is_instance_of::<PyOverflowError>(value.py()) => {
            Err(PyTypeError::new_err(format!("{name} must be an int, not {}", kind(value)?)))
        }
        _ => {
            let expected = match range.into_inner() {
                (min, u64::MAX) => format!("{min} or more"),
                (min, max) => format!("{min} to {max}"),
            };
            Err(value_error(format!("{name}={} is out of range: {expected}", value.str()?)))
        }
    }
}

/// A whole number below 2^32 in a range.
pub(crate) fn small(
    name: &str,
    value: &Bound<'_, PyAny>,
    range: RangeInclusive<u32>,
) -> PyResult<u32> {
    let (min, max) = range.into_inner();
    whole(name, value, min.into()..=max.into()).map(|number| number as u32)
}

/// A time in seconds.
pub(crate) fn seconds(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let Ok(number) = value.extract::<f64>() else {
        return Err(PyTypeError::new_err(format!("{name} must be a float, not {}", kind(value)?)));
    };
    Duration::try_from_secs_f64(number)
        .map_err(|_| value_error(format!("{name}={number} is not a time in seconds: 0 or more")))
}

fn kind(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(value.get_type().name()?.to_string())
}

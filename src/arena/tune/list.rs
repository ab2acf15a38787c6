//! Parameters in a file.

use super::parameter::{ParameterError, ParameterText};

/// The parameters of a text, one a line; `#` begins a comment.
///
/// # Errors
///
/// A line that is not a parameter, with its number.
pub fn parse(text: &str) -> Result<Vec<ParameterText>, (usize, ParameterError)> {
    (1..)
        .zip(text.lines())
        .map(|(number, line)| (number, line.split('#').next().unwrap_or_default().trim()))
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| line.parse().map_err(|error| (number, error)))
        .collect()
}

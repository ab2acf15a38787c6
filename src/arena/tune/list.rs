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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_are_skipped() {
        let list = parse("# numbers\n\n  slope=70 # as now\r\ndepth 4 1 9\n").unwrap();
        assert_eq!(list.iter().map(ParameterText::name).collect::<Vec<_>>(), ["slope", "depth"]);
        let (line, error) = parse("slope\n\ndepth=x\n").unwrap_err();
        assert_eq!(line, 3);
        assert!(error.to_string().contains("\"x\""), "{error}");
    }
}

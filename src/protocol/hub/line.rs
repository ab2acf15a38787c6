//! Parses and formats the lines of the protocol: `word name=value name="some value" flag`.

use std::fmt::{self, Display};

/// A line split into its parts; their meaning is not checked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HubLine {
    /// The first word; empty for a blank line.
    pub word: String,
    /// Names and values; the value is `None` for a flag.
    arguments: Vec<(String, Option<String>)>,
}

impl HubLine {
    /// Splits a line. This never fails: an unclosed quote extends to the end of the line, and
    /// spaces around `=` are ignored.
    pub fn parse(text: &str) -> HubLine {
        let mut rest = text.trim();
        let word = take_name(&mut rest);
        let mut arguments = Vec::new();
        while !rest.is_empty() {
            let name = take_name(&mut rest);
            let value = rest.strip_prefix('=').map(|after| {
                rest = after.trim_start();
                take_value(&mut rest)
            });
            arguments.push((name, value));
        }
        HubLine { word, arguments }
    }

    /// The value of an argument; the last one if the argument is repeated.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.arguments.iter().rfind(|(known, _)| known == name)?.1.as_deref()
    }

    /// The value of an argument as a number (see [`parse_number`]).
    pub fn number(&self, name: &str) -> Option<f64> {
        self.value(name).and_then(parse_number)
    }

    /// Whether an argument is present, with or without a value.
    pub fn has(&self, name: &str) -> bool {
        self.arguments.iter().any(|(known, _)| known == name)
    }
}

/// Takes everything up to a space or `=`, and any spaces after it.
fn take_name(rest: &mut &str) -> String {
    let end = rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len());
    take(rest, end)
}

/// Takes a quoted value without its quotes, or everything up to a space.
fn take_value(rest: &mut &str) -> String {
    if let Some(quoted) = rest.strip_prefix('"') {
        let (value, after) = quoted.split_once('"').unwrap_or((quoted, ""));
        *rest = after.trim_start();
        return value.to_owned();
    }
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    take(rest, end)
}

fn take(rest: &mut &str, end: usize) -> String {
    let (taken, after) = rest.split_at(end);
    *rest = after.trim_start();
    taken.to_owned()
}

/// Parses a number as clients write it: `12`, `-1.5`, `1e-05`, or `12,000` from a locale with a
/// decimal comma. `None` for anything else, including infinities and NaN.
pub fn parse_number(text: &str) -> Option<f64> {
    let starts_well = text.starts_with(|c: char| c.is_ascii_digit() || "+-.,".contains(c));
    text.replace(',', ".").parse().ok().filter(|number: &f64| starts_well && number.is_finite())
}

/// A line under construction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineBuilder(String);

impl LineBuilder {
    /// A line that consists of one word.
    pub fn new(word: &str) -> LineBuilder {
        LineBuilder(word.to_owned())
    }

    /// Adds a field. A value is quoted only if it contains a space or `=`, or is empty. The
    /// protocol has no escapes for quotes and line ends, so they are replaced.
    #[must_use]
    pub fn field(mut self, name: &str, value: impl Display) -> LineBuilder {
        let mut value = value.to_string();
        // Values can be long games, so the bytes are tested first, which is fast.
        let has = |test: fn(u8) -> bool| value.bytes().any(test);
        let is_quoted = value.is_empty() || has(|byte| matches!(byte, b' ' | b'='));
        if has(|byte| byte == b'"' || byte.is_ascii_control() || !byte.is_ascii()) {
            value = value.chars().map(replace_unwritable).collect();
        }
        let quote = if is_quoted { "\"" } else { "" };
        self.0.extend([" ", name, "=", quote, &value, quote]);
        self
    }

    /// Adds a flag.
    #[must_use]
    pub fn flag(mut self, name: &str) -> LineBuilder {
        self.0.extend([" ", name]);
        self
    }
}

impl Display for LineBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn replace_unwritable(c: char) -> char {
    match c {
        '"' => '\'',
        c if c.is_control() => ' ',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_words_values_and_flags() {
        let line = HubLine::parse("level  depth=5 infinite\ttime=1.5\r\n");
        assert_eq!(line.word, "level");
        assert_eq!(line.value("depth"), Some("5"));
        assert_eq!(line.number("time"), Some(1.5));
        assert!(line.has("infinite") && line.value("infinite").is_none());
        assert!(!line.has("nodes"));
    }

    #[test]
    fn parses_quoted_values() {
        let line = HubLine::parse(r#"pos pos=W wolf="W28=2 B13=1" moves="" last"#);
        assert_eq!(line.value("wolf"), Some("W28=2 B13=1"));
        assert_eq!(line.value("moves"), Some(""));
        assert!(line.has("last"));
    }

    #[test]
    fn parses_malformed_lines() {
        assert_eq!(HubLine::parse("  ").word, "");
        assert_eq!(HubLine::parse("a b=\"c d").value("b"), Some("c d"));
        assert_eq!(HubLine::parse("a b = c").value("b"), Some("c"));
        assert_eq!(HubLine::parse("a b=c=d").value("b"), Some("c=d"));
        assert_eq!(HubLine::parse("a b=1 b=2").value("b"), Some("2"));
        assert_eq!(HubLine::parse("a b=").value("b"), Some(""));
        assert_eq!(HubLine::parse("=").word, "");
    }

    #[test]
    fn parses_numbers_as_clients_write_them() {
        for (text, number) in [
            ("12,000", 12.0),
            ("1e-05", 0.000_01),
            ("-1.5", -1.5),
            ("0.000", 0.0),
            ("99999999999", 99_999_999_999.0),
        ] {
            assert_eq!(parse_number(text), Some(number), "{text}");
        }
        for text in ["", "nan", "inf", "-inf", "infinity", "1e999", "abc", "1.2.3", "0x10", "-"] {
            assert_eq!(parse_number(text), None, "{text}");
        }
    }

    #[test]
    fn quotes_values_only_where_needed() {
        let line = LineBuilder::new("pos")
            .field("pos", "W")
            .field("wolf", "W28=2")
            .field("moves", "32-28 19-23")
            .field("name", "")
            .flag("last");
        let text = "pos pos=W wolf=\"W28=2\" moves=\"32-28 19-23\" name=\"\" last";
        assert_eq!(line.to_string(), text);
        let read = HubLine::parse(text);
        assert_eq!(read.value("wolf"), Some("W28=2"));
        assert!(read.has("last"));
    }

    #[test]
    fn writes_a_single_line() {
        let line = LineBuilder::new("error").field("message", "a \"b\"\r\nquit");
        assert_eq!(line.to_string(), "error message=\"a 'b'  quit\"");
    }
}

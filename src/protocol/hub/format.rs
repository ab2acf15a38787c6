//! Lines from a command word and arguments: the inverse of `parse`.

use std::fmt::{self, Display};

/// A line under construction: `word name=value name="some value" flag`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineBuilder(String);

impl LineBuilder {
    /// A line that consists of one word.
    pub fn new(word: &str) -> LineBuilder {
        LineBuilder(word.to_owned())
    }

    /// Adds a field. A value is quoted only if it contains a blank or `=`, or is empty. The
    /// protocol has no escapes for quotes and line ends, so they are replaced.
    #[must_use]
    pub fn field(mut self, name: &str, value: impl Display) -> LineBuilder {
        let mut value = value.to_string();
        // Values can be long games, and testing bytes is fast.
        let has = |test: fn(u8) -> bool| value.bytes().any(test);
        let is_quoted = value.is_empty() || has(|byte| matches!(byte, b' ' | b'='));
        if has(|byte| byte == b'"' || byte.is_ascii_control() || !byte.is_ascii()) {
            value = value.chars().map(writable).collect();
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

fn writable(c: char) -> char {
    match c {
        '"' => '\'',
        c if c.is_control() => ' ',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::super::HubLine;
    use super::*;

    #[test]
    fn quotes_only_what_needs_it() {
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
    fn stays_one_line() {
        let line = LineBuilder::new("error").field("message", "a \"b\"\r\nquit");
        assert_eq!(line.to_string(), "error message=\"a 'b'  quit\"");
    }
}

//! Lines into a command word and arguments: `command name=value name="some value" flag`.

/// A line split into its parts, which may still be meaningless.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HubLine {
    /// The first word; empty for a blank line.
    pub word: String,
    arguments: Vec<Argument>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Argument {
    name: String,
    /// `None` for a flag.
    value: Option<String>,
}

impl HubLine {
    /// Splits a line. This never fails: an unclosed quote extends to the end of the line, and
    /// blanks around `=` are ignored.
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
            arguments.push(Argument { name, value });
        }
        HubLine { word, arguments }
    }

    /// The value of an argument, the last one if it is repeated.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.arguments
            .iter()
            .rev()
            .find(|argument| argument.name == name)
            .and_then(|argument| argument.value.as_deref())
    }

    /// Whether an argument is present, with or without a value.
    pub fn has(&self, name: &str) -> bool {
        self.arguments.iter().any(|argument| argument.name == name)
    }
}

/// Takes everything up to a blank or `=`, and any blanks after it.
fn take_name(rest: &mut &str) -> String {
    let end = rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len());
    take(rest, end)
}

/// Takes a quoted value without its quotes, or everything up to a blank.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_words_values_and_flags() {
        let line = HubLine::parse("level  depth=5 infinite\ttime=1.5\r\n");
        assert_eq!(line.word, "level");
        assert_eq!(line.value("depth"), Some("5"));
        assert_eq!(line.value("time"), Some("1.5"));
        assert!(line.has("infinite") && line.value("infinite").is_none());
        assert!(!line.has("nodes"));
    }

    #[test]
    fn takes_quoted_values() {
        let line = HubLine::parse(r#"pos pos=W wolf="W28=2 B13=1" moves="" last"#);
        assert_eq!(line.value("wolf"), Some("W28=2 B13=1"));
        assert_eq!(line.value("moves"), Some(""));
        assert!(line.has("last"));
    }

    #[test]
    fn tolerates_faults() {
        assert_eq!(HubLine::parse("  ").word, "");
        assert_eq!(HubLine::parse("a b=\"c d").value("b"), Some("c d"));
        assert_eq!(HubLine::parse("a b = c").value("b"), Some("c"));
        assert_eq!(HubLine::parse("a b=c=d").value("b"), Some("c=d"));
        assert_eq!(HubLine::parse("a b=1 b=2").value("b"), Some("2"));
        assert_eq!(HubLine::parse("a b=").value("b"), Some(""));
        assert_eq!(HubLine::parse("=").word, "");
    }
}

//! Lines for the client.

use std::fmt::{self, Display};

use super::player::{Answer, Report};

/// A line that is being put together: `word name=value name="some value"`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply(String);

impl Reply {
    /// A line of a word only.
    pub fn new(word: &str) -> Reply {
        Reply(word.to_owned())
    }

    /// The line with a field added. A value is quoted only if it must be: it has a blank or is
    /// empty. Characters that clients stumble over (`=`, quotes, line ends) are replaced.
    #[must_use]
    pub fn field(mut self, name: &str, value: impl Display) -> Reply {
        let value: String = value.to_string().chars().map(harmless).collect();
        let quote = if value.is_empty() || value.contains(' ') { "\"" } else { "" };
        self.0.push_str(&format!(" {name}={quote}{value}{quote}"));
        self
    }
}

impl Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn harmless(c: char) -> char {
    match c {
        '=' => ':',
        '"' => '\'',
        c if c.is_control() => ' ',
        c => c,
    }
}

/// Who the engine is.
pub fn id() -> Reply {
    Reply::new("id")
        .field("name", "Manoury")
        .field("version", env!("CARGO_PKG_VERSION"))
        .field("author", "the Manoury developers")
}

/// Something was wrong with a command.
pub fn error(message: impl Display) -> Reply {
    Reply::new("error").field("message", message)
}

/// How a search goes.
pub fn info(report: &Report) -> Reply {
    let seconds = report.time.as_secs_f64();
    let millions_a_second = if seconds > 0.0 { report.nodes as f64 / seconds / 1e6 } else { 0.0 };
    let reply = Reply::new("info")
        .field("depth", report.depth)
        .field("mean-depth", format_args!("{:.1}", finite(report.mean_depth)))
        .field("score", report.score)
        .field("nodes", report.nodes)
        .field("time", format_args!("{seconds:.3}"))
        .field("nps", format_args!("{millions_a_second:.3}"));
    if report.pv.is_empty() {
        return reply;
    }
    reply.field("pv", report.pv.join(" "))
}

/// The result of a search; a finished game has no move.
pub fn done(answer: &Answer) -> Reply {
    let mut reply = Reply::new("done");
    if let Some(mv) = &answer.mv {
        reply = reply.field("move", mv);
        if let Some(ponder) = &answer.ponder {
            reply = reply.field("ponder", ponder);
        }
    }
    reply
}

fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::score::Score;

    fn report() -> Report {
        Report {
            depth: 21,
            mean_depth: 20.84,
            score: Score(-5),
            nodes: 31_261_613,
            time: Duration::from_millis(3906),
            pv: vec!["32-28".to_owned(), "17-22".to_owned()],
        }
    }

    #[test]
    fn info_has_its_fields_in_order() {
        assert_eq!(
            info(&report()).to_string(),
            "info depth=21 mean-depth=20.8 score=-0.05 nodes=31261613 time=3.906 nps=8.003 \
             pv=\"32-28 17-22\""
        );
    }

    #[test]
    fn info_has_no_needless_quotes_and_odd_numbers() {
        let mut report = report();
        report.pv.truncate(1);
        report.time = Duration::ZERO;
        report.mean_depth = f64::NAN;
        let line = info(&report).to_string();
        assert!(
            line.ends_with(
                "mean-depth=0.0 score=-0.05 nodes=31261613 time=0.000 nps=0.000 pv=32-28"
            )
        );
        report.pv.clear();
        assert!(info(&report).to_string().ends_with("nps=0.000"));
    }

    #[test]
    fn done_names_the_move_first() {
        let mut answer =
            Answer { mv: Some("32-28".to_owned()), ponder: Some("17-22".to_owned()), report: None };
        assert_eq!(done(&answer).to_string(), "done move=32-28 ponder=17-22");
        answer.ponder = None;
        assert_eq!(done(&answer).to_string(), "done move=32-28");
        answer.mv = None;
        assert_eq!(done(&answer).to_string(), "done");
    }

    #[test]
    fn errors_are_one_harmless_line() {
        assert_eq!(error("a=b \"c\"\nd").to_string(), "error message=\"a:b 'c' d\"");
    }
}

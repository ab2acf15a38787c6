//! Lines for the client.

use std::fmt::Display;

use super::format::LineBuilder;
use super::player::{Answer, Report};

/// Who the engine is.
pub fn id() -> LineBuilder {
    LineBuilder::new("id")
        .field("name", "Manoury")
        .field("version", env!("CARGO_PKG_VERSION"))
        .field("author", "the Manoury developers")
}

/// Something was wrong with a command. Clients stumble over a value with `=`.
pub fn error(message: impl Display) -> LineBuilder {
    LineBuilder::new("error").field("message", message.to_string().replace('=', ":"))
}

/// How a search goes. `has_ranks`: there is more than one line to tell apart.
pub fn info(report: &Report, has_ranks: bool) -> LineBuilder {
    let seconds = report.time.as_secs_f64();
    let millions_a_second = if seconds > 0.0 { report.nodes as f64 / seconds / 1e6 } else { 0.0 };
    let mut reply = LineBuilder::new("info")
        .field("depth", report.depth)
        .field("mean-depth", format_args!("{:.1}", finite(report.mean_depth)))
        .field("score", report.score)
        .field("nodes", report.nodes)
        .field("time", format_args!("{seconds:.3}"))
        .field("nps", format_args!("{millions_a_second:.3}"));
    if !report.pv.is_empty() {
        reply = reply.field("pv", report.pv.join(" "));
    }
    // A field that the protocol does not know comes last, and only if the client has asked for it.
    if has_ranks {
        reply = reply.field("multipv", report.rank);
    }
    reply
}

/// The result of a search; a finished game has no move.
pub fn done(answer: &Answer) -> LineBuilder {
    let mut reply = LineBuilder::new("done");
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
            rank: 2,
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
            info(&report(), false).to_string(),
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
        let line = info(&report, false).to_string();
        assert!(
            line.ends_with(
                "mean-depth=0.0 score=-0.05 nodes=31261613 time=0.000 nps=0.000 pv=32-28"
            )
        );
        report.pv.clear();
        assert!(info(&report, false).to_string().ends_with("nps=0.000"));
    }

    #[test]
    fn info_names_the_rank_after_the_variation() {
        let line = info(&report(), true).to_string();
        assert!(line.ends_with("nps=8.003 pv=\"32-28 17-22\" multipv=2"), "{line}");
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

//! The lines sent to the client.

use std::fmt::Display;

use crate::notation::hub;
use crate::search::Info;

use super::line::LineBuilder;
use super::threads::SearchAnswer;

/// The name, version and author of the engine.
pub fn id() -> LineBuilder {
    LineBuilder::new("id")
        .field("name", "Manoury")
        .field("version", env!("CARGO_PKG_VERSION"))
        .field("author", "the Manoury developers")
}

/// An error in a command. Any `=` is replaced, because some clients cannot parse a value that
/// contains it.
pub fn error(message: impl Display) -> LineBuilder {
    LineBuilder::new("error").field("message", message.to_string().replace('=', ":"))
}

/// An `info` line about a search, with the rank of the variation if `has_ranks` is set.
pub fn info(info: &Info, has_ranks: bool) -> LineBuilder {
    let seconds = info.time.as_secs_f64();
    let millions_a_second = if seconds > 0.0 { info.nodes as f64 / seconds / 1e6 } else { 0.0 };
    let mut reply = LineBuilder::new("info")
        .field("depth", info.depth)
        .field("mean-depth", format_args!("{:.1}", finite(info.mean_depth)))
        .field("score", info.score)
        .field("nodes", info.nodes)
        .field("time", format_args!("{seconds:.3}"))
        .field("nps", format_args!("{millions_a_second:.3}"));
    if !info.pv.is_empty() {
        let moves: Vec<_> = info.pv.iter().map(|&mv| hub::format_move(mv)).collect();
        reply = reply.field("pv", moves.join(" "));
    }
    // This field is not part of the protocol, so it comes last and only if the client has set
    // `multipv`.
    if has_ranks {
        reply = reply.field("multipv", info.rank);
    }
    reply
}

/// The result of a search, without a move if the game is over.
pub fn done(answer: &SearchAnswer) -> LineBuilder {
    let mut reply = LineBuilder::new("done");
    if let Some(mv) = answer.mv {
        reply = reply.field("move", hub::format_move(mv));
        if let Some(ponder) = answer.ponder {
            reply = reply.field("ponder", hub::format_move(ponder));
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
    use crate::board::Move;
    use crate::score::Score;

    fn sample() -> Info {
        Info {
            rank: 2,
            depth: 21,
            mean_depth: 20.84,
            score: Score(-5),
            nodes: 31_261_613,
            time: Duration::from_millis(3906),
            pv: vec![Move::quiet(32, 28), Move::quiet(17, 22)],
        }
    }

    #[test]
    fn info_fields_are_in_order() {
        assert_eq!(
            info(&sample(), false).to_string(),
            "info depth=21 mean-depth=20.8 score=-0.05 nodes=31261613 time=3.906 nps=8.003 \
             pv=\"32-28 17-22\""
        );
    }

    #[test]
    fn info_avoids_needless_quotes_and_odd_numbers() {
        let mut sample = sample();
        sample.pv.truncate(1);
        sample.time = Duration::ZERO;
        sample.mean_depth = f64::NAN;
        let line = info(&sample, false).to_string();
        assert!(
            line.ends_with(
                "mean-depth=0.0 score=-0.05 nodes=31261613 time=0.000 nps=0.000 pv=32-28"
            )
        );
        sample.pv.clear();
        assert!(info(&sample, false).to_string().ends_with("nps=0.000"));
    }

    #[test]
    fn info_ends_with_the_rank() {
        let line = info(&sample(), true).to_string();
        assert!(line.ends_with("nps=8.003 pv=\"32-28 17-22\" multipv=2"), "{line}");
    }

    #[test]
    fn done_starts_with_the_move() {
        let mut answer = SearchAnswer {
            mv: Some(Move::quiet(32, 28)),
            ponder: Some(Move::quiet(17, 22)),
            info: None,
        };
        assert_eq!(done(&answer).to_string(), "done move=32-28 ponder=17-22");
        answer.ponder = None;
        assert_eq!(done(&answer).to_string(), "done move=32-28");
        answer.mv = None;
        assert_eq!(done(&answer).to_string(), "done");
    }

    #[test]
    fn errors_are_one_line_without_equals_signs() {
        assert_eq!(error("a=b \"c\"\nd").to_string(), "error message=\"a:b 'c' d\"");
    }
}

//! Engines that speak Hub, version 1: the dialect of Scan 2.0. It has no names of arguments, no
//! nodes as a limit and no games but international draughts.

use std::time::{Duration, Instant};

use crate::arena::spec::EngineSpec;
use crate::arena::time_control::{MoveLimits, TimeControl};
use crate::rules::Variant;

use super::dialogue::Dialogue;
use super::{Answer, Client, End, Fault, Occasion, Report, Said, Start, Turn, after};

/// An engine that speaks Hub 1.
pub struct Hub1 {
    dialogue: Dialogue,
    identity: String,
}

impl Hub1 {
    /// Starts the engine, sets its parameters and waits until it is ready. It does not say which
    /// parameters it has.
    ///
    /// # Errors
    ///
    /// [`Fault::Unsuitable`]: no such program, another variant, or a parameter that cannot be
    /// written. [`Fault::NoStart`]: it is not ready in time.
    pub fn start(spec: &EngineSpec, occasion: &Occasion) -> Result<Hub1, Fault> {
        if occasion.variant != Variant::International {
            let what = format!("Hub 1 knows only international draughts, not {}", occasion.variant);
            return Err(Fault::Unsuitable(what));
        }
        let settings = settings(&spec.params)?;
        let deadline = after(Instant::now(), spec.start_limit);
        let mut dialogue = Dialogue::open(spec, occasion)?;
        let mut identity = String::new();
        dialogue.tell("hub\n".to_owned())?;
        dialogue.await_start("wait", deadline, |line| {
            if let Some(name) = line.strip_prefix("name ") {
                identity = name.trim().to_owned();
            }
            (line == "wait").then_some(())
        })?;
        dialogue.tell(format!("{settings}init\n"))?;
        dialogue.await_start("ready", deadline, |line| (line == "ready").then_some(()))?;
        dialogue.try_ping()?;
        Ok(Hub1 { dialogue, identity })
    }
}

impl Client for Hub1 {
    fn identity(&self) -> &str {
        &self.identity
    }

    fn new_game(&mut self, start: &Start<'_>) -> Result<(), Fault> {
        check(&start.time_control).map_err(|what| Fault::Unsuitable(what.to_owned()))?;
        self.dialogue.carry_out("new\n")
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let mut report = Report::default();
        self.dialogue.ask(question(turn), turn.patience, |text| {
            let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
            match word {
                "info" => update(&mut report, rest),
                "error" => report.error = Some(rest.to_owned()),
                "move" => {
                    let mv = rest.split_whitespace().next();
                    let said = mv.map_or(Said::Nothing, |mv| Said::Move(mv.to_owned()));
                    return Some((said, std::mem::take(&mut report)));
                }
                _ => {}
            }
            None
        })
    }

    fn end_game(&mut self, _: &End<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn quit(self: Box<Self>) {
        self.dialogue.leave();
    }
}

/// The lines that set parameters.
fn settings(params: &[(String, String)]) -> Result<String, Fault> {
    let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    let lines = params.iter().map(|(name, value)| {
        if is_word(name) && is_word(value) {
            return Ok(format!("set {name} {value}\n"));
        }
        Err(Fault::Unsuitable(format!("Hub 1 has only single words as values, not {value:?}")))
    });
    lines.collect()
}

/// What the protocol can say: a depth, and one kind of time.
fn check(control: &TimeControl) -> Result<(), &'static str> {
    if control.nodes.is_some() {
        return Err("Hub 1 has no limit of nodes");
    }
    if control.move_time.is_some() && control.game.is_some() {
        return Err("Hub 1 has either a move time or a clock");
    }
    Ok(())
}

/// Everything the engine needs for its move, as lines. The position comes first: it resets the
/// limits.
fn question(turn: &Turn<'_>) -> String {
    let mut lines = format!("pos {}\n", position(turn.position));
    for mv in turn.moves {
        lines += &format!("move {mv}\n");
    }
    lines + &limits(&turn.limits) + "go\n"
}

/// A position with a small letter for the side to move.
fn position(text: &str) -> String {
    let (side, squares) = text.split_at_checked(1).unwrap_or_default();
    side.to_ascii_lowercase() + squares
}

fn limits(limits: &MoveLimits) -> String {
    let depth = limits.depth.map(|depth| format!("depth {depth}\n"));
    let move_time = limits.move_time.map(|time| format!("time {}\n", milliseconds(time)));
    let clock = limits.clock.map(|clock| {
        let moves = clock.moves.unwrap_or(0);
        let increment = clock.increment.as_millis();
        format!("level {moves} {} {increment}\n", milliseconds(clock.remaining))
    });
    [depth, move_time, clock].into_iter().flatten().collect()
}

/// At least 1: without any time an engine could not even begin.
fn milliseconds(time: Duration) -> u128 {
    time.as_millis().max(1)
}

/// Takes over a line of depth, mean depth, score in 1/100 man, nodes, time, speed, and the line
/// expected.
fn update(report: &mut Report, fields: &str) {
    let mut rest = fields;
    let mut field = || {
        let (field, after) = rest.trim_start().split_once(' ').unwrap_or((rest, ""));
        rest = after;
        field
    };
    let [depth, _, score, nodes, time, _] = std::array::from_fn(|_| field());
    report.depth = depth.parse().ok();
    report.score = score.parse().ok().map(|score: i32| f64::from(score) / 100.0);
    report.nodes = nodes.parse().ok();
    report.time = time.parse().ok().and_then(|time| Duration::try_from_secs_f64(time).ok());
    report.pv = rest.trim().to_owned();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::time_control::{ClockTime, GameTime};

    #[test]
    fn questions_say_everything() {
        let moves = ["32-28".to_owned(), "19x28x23".to_owned()];
        let clock = ClockTime {
            remaining: Duration::from_micros(12_345_678),
            increment: Duration::from_millis(500),
            moves: None,
        };
        let limits = MoveLimits { depth: Some(9), clock: Some(clock), ..MoveLimits::default() };
        let turn = Turn {
            position: "WwE",
            wolf: "",
            moves: &moves,
            last: None,
            limits,
            patience: Duration::ZERO,
        };
        assert_eq!(
            question(&turn),
            "pos wwE\nmove 32-28\nmove 19x28x23\ndepth 9\nlevel 0 12345 500\ngo\n"
        );
        let limits =
            MoveLimits { move_time: Some(Duration::from_micros(10)), ..MoveLimits::default() };
        let turn = Turn { position: "Be", moves: &[], limits, ..turn };
        assert_eq!(question(&turn), "pos be\ntime 1\ngo\n");
    }

    #[test]
    fn reports_are_read() {
        let mut report = Report::default();
        update(&mut report, "21 20.8 -5 31261613 3.91 8.0 32-28 17-22");
        let expected = Report {
            depth: Some(21),
            score: Some(-0.05),
            nodes: Some(31_261_613),
            time: Some(Duration::from_millis(3910)),
            pv: "32-28 17-22".to_owned(),
            error: None,
        };
        assert_eq!(report, expected);
        update(&mut report, "x");
        assert_eq!(report, Report::default());
    }

    #[test]
    fn what_cannot_be_said_is_unsuitable() {
        let game = GameTime { time: 60.0, increment: 0.0, moves: None };
        let nodes = TimeControl { nodes: Some(1), ..TimeControl::default() };
        assert!(check(&nodes).is_err());
        let both = TimeControl { move_time: Some(1.0), game: Some(game), ..TimeControl::default() };
        assert!(check(&both).is_err());
        assert!(check(&TimeControl { depth: Some(3), game: Some(game), ..both }).is_err());
        let fine = TimeControl { depth: Some(3), game: Some(game), ..TimeControl::default() };
        assert!(check(&fine).is_ok());
        assert!(settings(&[("book".to_owned(), "two words".to_owned())]).is_err());
    }
}

//! Engines that speak Hub, version 1, the dialect of Scan 2.0: arguments have no names, nodes
//! cannot be limited, and the only variant is international draughts.

use std::time::{Duration, Instant};

use crate::arena::spec::EngineSpec;
use crate::arena::time_control::{MoveLimits, TimeControl};
use crate::rules::Variant;

use super::text_engine::TextEngine;
use super::{
    Client, EngineFault, EngineReply, GameEnd, GameStart, MatchContext, MoveRequest, SearchReport,
    TimedReply, after,
};

/// An engine that speaks Hub 1.
pub struct Hub1Client {
    engine: TextEngine,
    identity: String,
}

impl Hub1Client {
    /// Starts the engine, sets its parameters and waits until it is ready. In this protocol,
    /// engines do not declare their parameters. Fails with [`EngineFault::Unsuitable`] if the
    /// program is missing, the variant is not international draughts or a parameter cannot be
    /// written or is not accepted, and with [`EngineFault::NoStart`] if the engine is not ready in
    /// time.
    pub fn start(spec: &EngineSpec, context: &MatchContext) -> Result<Hub1Client, EngineFault> {
        if context.variant != Variant::International {
            let what =
                format!("Hub 1 supports only international draughts, not {}", context.variant);
            return Err(EngineFault::Unsuitable(what));
        }
        let settings = settings(&spec.params)?;
        let deadline = after(Instant::now(), spec.start_limit);
        let mut engine = TextEngine::start(spec, context)?;
        let mut identity = String::new();
        engine.send("hub\n".to_owned())?;
        engine.await_startup("wait", deadline, |line| {
            if let Some(name) = line.strip_prefix("name ") {
                identity = name.trim().to_owned();
            }
            (line == "wait").then_some(())
        })?;
        engine.send(format!("{settings}init\n"))?;
        engine
            .await_ready(spec, deadline, |line| line.strip_prefix("error ").map(str::to_owned))?;
        engine.try_ping()?;
        Ok(Hub1Client { engine, identity })
    }
}

impl Client for Hub1Client {
    fn identity(&self) -> &str {
        &self.identity
    }

    fn peak_memory(&self) -> Option<u64> {
        self.engine.peak_memory()
    }

    fn new_game(&mut self, start: &GameStart<'_>) -> Result<(), EngineFault> {
        check(&start.time_control).map_err(|what| EngineFault::Unsuitable(what.to_owned()))?;
        self.engine.send_and_sync("new\n", |_| ())
    }

    fn think(&mut self, turn: &MoveRequest<'_>) -> Result<TimedReply, EngineFault> {
        let mut report = SearchReport::default();
        self.engine.request(request(turn), turn.patience, |text, time| {
            let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
            match word {
                "info" => update(&mut report, rest, time),
                "error" => report.error = Some(rest.to_owned()),
                "move" => {
                    let mv = rest.split_whitespace().next();
                    let reply =
                        mv.map_or(EngineReply::NoMove, |mv| EngineReply::Move(mv.to_owned()));
                    return Some((reply, std::mem::take(&mut report)));
                }
                _ => {}
            }
            None
        })
    }

    fn end_game(&mut self, _: &GameEnd<'_>) -> Result<(), EngineFault> {
        Ok(())
    }

    fn quit(self: Box<Self>) {
        self.engine.quit();
    }
}

/// The lines that set parameters.
fn settings(params: &[(String, String)]) -> Result<String, EngineFault> {
    let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    let lines = params.iter().map(|(name, value)| {
        if is_word(name) && is_word(value) {
            return Ok(format!("set {name} {value}\n"));
        }
        Err(EngineFault::Unsuitable(format!(
            "Hub 1 supports only single words as values, not {value:?}"
        )))
    });
    lines.collect()
}

/// Checks that the protocol can express the limits: it can limit the depth, and either the time per
/// move or the time on a clock.
fn check(control: &TimeControl) -> Result<(), &'static str> {
    if control.nodes.is_some() {
        return Err("Hub 1 cannot limit nodes");
    }
    if control.move_time.is_some() && control.game.is_some() {
        return Err("Hub 1 cannot combine a move time with a clock");
    }
    Ok(())
}

/// The lines that request a move. The position comes first because it resets the limits.
fn request(turn: &MoveRequest<'_>) -> String {
    let mut lines = format!("pos {}\n", position(turn.position));
    for mv in turn.moves {
        lines += &format!("move {mv}\n");
    }
    lines + &limits(&turn.limits) + "go\n"
}

/// Converts a position to Hub 1, in which the letter for the side to move is lower-case.
fn position(text: &str) -> String {
    let (side, squares) = text.split_at_checked(1).unwrap_or_default();
    side.to_ascii_lowercase() + squares
}

fn limits(limits: &MoveLimits) -> String {
    let depth = limits.depth.map(|depth| format!("depth {depth}\n"));
    let move_time = limits.move_time.map(|time| format!("time {}\n", milliseconds(time)));
    let clock = limits.clock.map(|clock| {
        let moves = clock.moves.unwrap_or(0);
        let increment = clock.time_per_move().as_millis();
        format!("level {moves} {} {increment}\n", milliseconds(clock.remaining))
    });
    [depth, move_time, clock].into_iter().flatten().collect()
}

/// Converts a time to milliseconds, at least 1, so that the engine has time to move.
fn milliseconds(time: Duration) -> u128 {
    time.as_millis().max(1)
}

/// Updates a report from the fields of an `info` line: depth, mean depth, score in hundredths of a
/// man, nodes, time, speed, principal variation.
fn update(report: &mut SearchReport, fields: &str, at: Duration) {
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
    report.set_pv(rest.trim(), at);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::time_control::{ClockTime, Periods};

    #[test]
    fn requests_have_position_moves_and_limits() {
        let moves = ["32-28".to_owned(), "19x28x23".to_owned()];
        let clock = ClockTime {
            remaining: Duration::from_micros(12_345_678),
            increment: Duration::from_millis(400),
            delay: Duration::from_millis(100),
            moves: None,
        };
        let limits = MoveLimits { depth: Some(9), clock: Some(clock), ..MoveLimits::default() };
        let turn = MoveRequest {
            position: "WwE",
            wolf: "",
            moves: &moves,
            last: None,
            limits,
            patience: Duration::ZERO,
        };
        assert_eq!(
            request(&turn),
            "pos wwE\nmove 32-28\nmove 19x28x23\ndepth 9\nlevel 0 12345 500\ngo\n"
        );
        let limits =
            MoveLimits { move_time: Some(Duration::from_micros(10)), ..MoveLimits::default() };
        let turn = MoveRequest { position: "Be", moves: &[], limits, ..turn };
        assert_eq!(request(&turn), "pos be\ntime 1\ngo\n");
    }

    #[test]
    fn parses_reports() {
        let mut report = SearchReport::default();
        update(&mut report, "21 20.8 -5 31261613 3.91 8.0 32-28 17-22", Duration::from_secs(4));
        let expected = SearchReport {
            depth: Some(21),
            score: Some(-0.05),
            nodes: Some(31_261_613),
            time: Some(Duration::from_millis(3910)),
            pv: "32-28 17-22".to_owned(),
            changed: Duration::from_secs(4),
            error: None,
        };
        assert_eq!(report, expected);
        update(&mut report, "x", Duration::ZERO);
        assert_eq!(report, SearchReport::default());
    }

    #[test]
    fn rejects_limits_and_parameters_it_cannot_express() {
        let game = Periods::from(60.0).into();
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

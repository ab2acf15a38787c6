//! Engines that speak Hub, version 2.

use std::time::{Duration, Instant};

use crate::arena::spec::EngineSpec;
use crate::arena::time_control::MoveLimits;
use crate::protocol::hub::{HubLine, LineBuilder, parse_number};

use super::declared::{Declared, set_param, set_params};
use super::text_engine::TextEngine;
use super::{
    Client, EngineFault, EngineReply, GameEnd, GameStart, MatchContext, MoveRequest, SearchReport,
    TimedReply, after,
};

/// An engine that speaks Hub 2.
pub struct Hub2 {
    engine: TextEngine,
    identity: String,
    name: String,
    declared: Vec<Declared>,
}

impl Hub2 {
    /// Starts the engine, sets its parameters and waits until it is ready.
    ///
    /// # Errors
    ///
    /// [`EngineFault::Unsuitable`]: no such program, variant, parameter or value.
    /// [`EngineFault::NoStart`]: it is not ready in time.
    pub fn start(spec: &EngineSpec, context: &MatchContext) -> Result<Hub2, EngineFault> {
        let deadline = after(Instant::now(), spec.start_limit);
        let mut engine = TextEngine::start(spec, context)?;
        let (mut identity, mut name) = (String::new(), String::new());
        let mut declared = Vec::new();
        engine.send("hub\n".to_owned())?;
        engine.await_startup("wait", deadline, |text| {
            let line = HubLine::parse(text);
            if line.word == "id" {
                identity = name_and_version(&line);
                name = line.value("name").unwrap_or_default().to_owned();
            }
            declared.extend(Declared::parse(&line));
            (line.word == "wait").then_some(())
        })?;
        let params = set_params(&declared, context.variant, &spec.params)?;
        engine.send(format!("{params}init\n"))?;
        let is_ready = |text: &str| (text == "ready").then_some(());
        engine.await_startup("ready", deadline, is_ready)?;
        engine.try_ping()?;
        Ok(Hub2 { engine, identity, name, declared })
    }
}

impl Client for Hub2 {
    fn identity(&self) -> &str {
        &self.identity
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn declared(&self) -> &[Declared] {
        &self.declared
    }

    fn set_params(&mut self, params: &[(String, String)]) -> Result<(), EngineFault> {
        let lines = params.iter().map(|(name, value)| set_param(name, value)).collect();
        self.engine.send(lines).map(drop)
    }

    fn new_game(&mut self, _: &GameStart<'_>) -> Result<(), EngineFault> {
        self.engine.send_and_sync("new-game\n")
    }

    fn think(&mut self, turn: &MoveRequest<'_>) -> Result<TimedReply, EngineFault> {
        let mut report = SearchReport::default();
        self.engine.ask(question(turn), turn.patience, |text| {
            let line = HubLine::parse(text);
            match line.word.as_str() {
                "info" => update(&mut report, &line),
                "error" => report.error = Some(line.value("message").unwrap_or(text).to_owned()),
                "done" => {
                    let mv = line.value("move").filter(|mv| !mv.is_empty());
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

fn name_and_version(id: &HubLine) -> String {
    let parts = [id.value("name"), id.value("version")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The lines that ask for a move.
fn question(turn: &MoveRequest<'_>) -> String {
    let mut pos = LineBuilder::new("pos").field("pos", turn.position);
    if !turn.wolf.is_empty() {
        pos = pos.field("wolf", turn.wolf);
    }
    if !turn.moves.is_empty() {
        pos = pos.field("moves", turn.moves.join(" "));
    }
    format!("{pos}\n{}go think\n", levels(&turn.limits))
}

/// The `level` lines, one for each kind of limit.
fn levels(limits: &MoveLimits) -> String {
    let level = || LineBuilder::new("level");
    let depth = limits.depth.map(|depth| level().field("depth", depth));
    let nodes = limits.nodes.map(|nodes| level().field("nodes", nodes));
    let move_time = limits.move_time.map(|time| level().field("move-time", seconds(time)));
    let clock = limits.clock.map(|clock| {
        let mut line = level();
        if let Some(moves) = clock.moves {
            line = line.field("moves", moves);
        }
        line = line.field("time", seconds(clock.remaining));
        if clock.increment > Duration::ZERO {
            line = line.field("inc", seconds(clock.increment));
        }
        line
    });
    let lines = [depth, nodes, move_time, clock].into_iter().flatten();
    lines.map(|line| format!("{line}\n")).collect()
}

/// Time in seconds, with microseconds for the fastest engines.
fn seconds(time: Duration) -> String {
    format!("{:.6}", time.as_secs_f64())
}

/// Updates a report from an `info` line; fields the line does not have are kept.
fn update(report: &mut SearchReport, line: &HubLine) {
    let number = |name| line.value(name).and_then(parse_number);
    // Casts from `f64` saturate.
    report.depth = number("depth").map(|depth| depth as u32).or(report.depth);
    report.score = number("score").or(report.score);
    let nodes = line.value("nodes").and_then(|nodes| nodes.parse().ok());
    report.nodes = nodes.or(number("nodes").map(|nodes| nodes as u64)).or(report.nodes);
    let time = number("time").and_then(|time| Duration::try_from_secs_f64(time).ok());
    report.time = time.or(report.time);
    if let Some(pv) = line.value("pv") {
        report.pv = pv.to_owned();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::time_control::ClockTime;

    #[test]
    fn questions_say_everything() {
        let moves = ["32-28".to_owned(), "19x28x23".to_owned()];
        let limits = MoveLimits {
            depth: Some(9),
            nodes: Some(12_345_678_901),
            move_time: Some(Duration::from_millis(10)),
            clock: Some(ClockTime {
                remaining: Duration::from_micros(12_345_678),
                increment: Duration::from_millis(500),
                moves: Some(40),
            }),
        };
        let turn = MoveRequest {
            position: "We",
            wolf: "W28=2",
            moves: &moves,
            last: None,
            limits,
            patience: Duration::ZERO,
        };
        assert_eq!(
            question(&turn),
            "pos pos=We wolf=\"W28=2\" moves=\"32-28 19x28x23\"\n\
             level depth=9\n\
             level nodes=12345678901\n\
             level move-time=0.010000\n\
             level moves=40 time=12.345678 inc=0.500000\n\
             go think\n"
        );
        let turn = MoveRequest { wolf: "", moves: &[], limits: MoveLimits::default(), ..turn };
        assert_eq!(question(&turn), "pos pos=We\ngo think\n");
    }

    #[test]
    fn the_last_word_on_each_field_counts() {
        let mut report = SearchReport::default();
        for text in [
            "info depth=3 score=0.5 pv=32-28",
            "info depth=4 nodes=18446744073709551615 time=0.25 pv=\"32-28 17-22\"",
            "info depth=x nodes=1e3 time=-1 score=nan nps=3",
        ] {
            update(&mut report, &HubLine::parse(text));
        }
        let expected = SearchReport {
            depth: Some(4),
            score: Some(0.5),
            nodes: Some(1000),
            time: Some(Duration::from_millis(250)),
            pv: "32-28 17-22".to_owned(),
            error: None,
        };
        assert_eq!(report, expected);
    }
}

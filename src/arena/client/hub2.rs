//! Engines that speak Hub, version 2, and the parameters that they declare.

use std::time::{Duration, Instant};

use crate::arena::spec::EngineSpec;
use crate::arena::time_control::MoveLimits;
use crate::protocol::hub::{HubLine, LineBuilder, parse_number, variant_name};
use crate::rules::Variant;

use super::text_engine::TextEngine;
use super::{
    Client, EngineFault, EngineReply, GameEnd, GameStart, MatchContext, MoveRequest, SearchReport,
    TimedReply, after,
};

/// An engine that speaks Hub 2.
pub struct Hub2Client {
    engine: TextEngine,
    identity: String,
    name: String,
    declared: Vec<DeclaredParameter>,
}

impl Hub2Client {
    /// Starts the engine, sets its parameters and waits until it is ready. Fails with
    /// [`EngineFault::Unsuitable`] if the program is missing, speaks version 1 of the protocol or
    /// does not support the variant, a parameter or the value of a parameter, and with
    /// [`EngineFault::NoStart`] if the engine is not ready in time.
    pub fn start(spec: &EngineSpec, context: &MatchContext) -> Result<Hub2Client, EngineFault> {
        let deadline = after(Instant::now(), spec.start_limit);
        let mut engine = TextEngine::start(spec, context)?;
        let (mut identity, mut name) = (String::new(), String::new());
        let mut declared = Vec::new();
        let mut is_hub1 = false;
        engine.send("hub\n".to_owned())?;
        engine.await_startup("wait", deadline, |text| {
            let line = HubLine::parse(text);
            if line.word == "id" {
                identity = name_and_version(&line);
                name = line.value("name").unwrap_or_default().to_owned();
            }
            is_hub1 |= line.word == "name";
            declared.extend(DeclaredParameter::parse(&line));
            (line.word == "wait").then_some(())
        })?;
        if is_hub1 {
            let what = "it speaks Hub 1: set proto=hub1".to_owned();
            return Err(EngineFault::Unsuitable(what));
        }
        let params = set_params(&declared, context.variant, &spec.params)?;
        engine.send(format!("{params}init\n"))?;
        engine.await_ready(spec, deadline, error_in)?;
        engine.try_ping()?;
        Ok(Hub2Client { engine, identity, name, declared })
    }
}

impl Client for Hub2Client {
    fn identity(&self) -> &str {
        &self.identity
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn declared(&self) -> &[DeclaredParameter] {
        &self.declared
    }

    fn set_params(&mut self, params: &[(String, String)]) -> Result<(), EngineFault> {
        let lines: String = params.iter().map(|(name, value)| set_param(name, value)).collect();
        self.engine.change_params(&lines, error_in)
    }

    fn peak_memory(&self) -> Option<u64> {
        self.engine.peak_memory()
    }

    fn new_game(&mut self, _: &GameStart<'_>) -> Result<(), EngineFault> {
        self.engine.send_and_sync("new-game\n", |_| ())
    }

    fn think(&mut self, turn: &MoveRequest<'_>) -> Result<TimedReply, EngineFault> {
        let mut report = SearchReport::default();
        self.engine.request(request(turn), turn.patience, |text, time| {
            let line = HubLine::parse(text);
            match line.word.as_str() {
                "info" => update(&mut report, &line, time),
                "error" => report.error = Some(error_message(&line, text)),
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

/// The error that a line of the engine reports.
fn error_in(text: &str) -> Option<String> {
    let line = HubLine::parse(text);
    (line.word == "error").then(|| error_message(&line, text))
}

/// The message of an `error` line; the whole line if it has none.
fn error_message(line: &HubLine, text: &str) -> String {
    line.value("message").unwrap_or(text).to_owned()
}

fn name_and_version(id: &HubLine) -> String {
    let parts = [id.value("name"), id.value("version")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The lines that request a move.
fn request(turn: &MoveRequest<'_>) -> String {
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
        if clock.time_per_move() > Duration::ZERO {
            line = line.field("inc", seconds(clock.time_per_move()));
        }
        line
    });
    let lines = [depth, nodes, move_time, clock].into_iter().flatten();
    lines.map(|line| format!("{line}\n")).collect()
}

/// Formats a time in seconds, with a resolution of microseconds.
fn seconds(time: Duration) -> String {
    format!("{:.6}", time.as_secs_f64())
}

/// Updates a report from an `info` line. Values that the line does not contain are kept.
fn update(report: &mut SearchReport, line: &HubLine, at: Duration) {
    let number = |name| line.value(name).and_then(parse_number);
    // Casts from `f64` saturate.
    report.depth = number("depth").map(|depth| depth as u32).or(report.depth);
    report.score = number("score").or(report.score);
    let nodes = line.value("nodes").and_then(|nodes| nodes.parse().ok());
    report.nodes = nodes.or(number("nodes").map(|nodes| nodes as u64)).or(report.nodes);
    let time = number("time").and_then(|time| Duration::try_from_secs_f64(time).ok());
    report.time = time.or(report.time);
    if let Some(pv) = line.value("pv") {
        report.set_pv(pv, at);
    }
}

/// A parameter that an engine has declared.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeclaredParameter {
    /// The name of the parameter.
    pub name: String,
    /// The declaration of a numeric parameter; `None` unless the type is `int` or `real`.
    pub number: Option<DeclaredNumber>,
    /// The permitted values, if they are declared; `true` and `false` for the type `bool`.
    pub values: Option<Vec<String>>,
}

/// The declaration of a numeric parameter. The field `step` is Manoury's addition to Scan's
/// protocol.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct DeclaredNumber {
    /// Whether the type is `int`.
    pub is_integer: bool,
    /// The default value.
    pub value: Option<f64>,
    /// The smallest permitted value.
    pub min: Option<f64>,
    /// The largest permitted value.
    pub max: Option<f64>,
    /// The step: the smallest change whose effect games can be expected to show.
    pub step: Option<f64>,
}

/// The parameter that selects the variant.
const VARIANT: &str = "variant";

impl DeclaredParameter {
    /// The parameter declared on a line; `None` if it is not a `param` line.
    pub fn parse(line: &HubLine) -> Option<DeclaredParameter> {
        let name = line.value("name").filter(|_| line.word == "param")?.to_owned();
        let split = |values: &str| values.split_whitespace().map(str::to_owned).collect();
        let of_type = (line.value("type") == Some("bool")).then_some("true false");
        let values = line.value("values").or(of_type).map(split);
        Some(DeclaredParameter { name, number: DeclaredNumber::parse(line), values })
    }

    /// Checks that a value is permitted; the error says what is.
    fn check(&self, value: &str) -> Result<(), String> {
        let DeclaredParameter { name, number, values } = self;
        let fault = |permitted: String| {
            Err(format!("its parameter {name} cannot be {value:?}; it can be {permitted}"))
        };
        match (values, number) {
            (Some(values), _) if !values.iter().any(|known| known == value) => fault(list(values)),
            (_, Some(number)) if !number.allows(value) => fault(number.range()),
            _ => Ok(()),
        }
    }
}

impl DeclaredNumber {
    fn parse(line: &HubLine) -> Option<DeclaredNumber> {
        let kind = line.value("type").filter(|kind| ["int", "real"].contains(kind))?;
        let number = |name| line.value(name).and_then(parse_number);
        Some(DeclaredNumber {
            is_integer: kind == "int",
            value: number("value"),
            min: number("min"),
            max: number("max"),
            step: number("step"),
        })
    }

    fn allows(&self, text: &str) -> bool {
        parse_number(text).is_some_and(|value| {
            self.min.is_none_or(|min| value >= min)
                && self.max.is_none_or(|max| value <= max)
                && (!self.is_integer || value.fract() == 0.0)
        })
    }

    /// The permitted values: `a whole number from 1 to 256`.
    fn range(&self) -> String {
        let kind = if self.is_integer { "a whole number" } else { "a number" };
        match (self.min, self.max) {
            (Some(min), Some(max)) => format!("{kind} from {min} to {max}"),
            (Some(min), None) => format!("{kind} of at least {min}"),
            (None, Some(max)) => format!("{kind} of at most {max}"),
            (None, None) => kind.to_owned(),
        }
    }
}

/// The lines that select the variant and set parameters. Fails with [`EngineFault::Unsuitable`] if
/// the engine has no such variant, parameter or value.
pub fn set_params(
    declared: &[DeclaredParameter],
    variant: Variant,
    params: &[(String, String)],
) -> Result<String, EngineFault> {
    let mut lines = String::new();
    if let Some(name) = choose_variant(declared, variant)? {
        lines += &set_param(VARIANT, &name);
    }
    for (name, value) in params {
        check(declared, name, value).map_err(EngineFault::Unsuitable)?;
        lines += &set_param(name, value);
    }
    Ok(lines)
}

/// The line that sets a parameter.
pub fn set_param(name: &str, value: &str) -> String {
    format!("{}\n", LineBuilder::new("set-param").field("name", name).field("value", value))
}

/// The engine's name for the variant; `None` if the engine has no parameter for the variant and
/// international draughts is played.
fn choose_variant(
    declared: &[DeclaredParameter],
    variant: Variant,
) -> Result<Option<String>, EngineFault> {
    let unsuitable = |what: &str| Err(EngineFault::Unsuitable(format!("{what} {variant}")));
    let Some(param) = declared.iter().find(|param| param.name == VARIANT) else {
        return match variant {
            Variant::International => Ok(None),
            _ => unsuitable("it has no parameter for the variant"),
        };
    };
    let Some(values) = &param.values else {
        return Ok(Some(variant_name(variant).to_owned()));
    };
    let is_variant = |name: &&String| name.parse() == Ok(variant);
    match values.iter().find(is_variant) {
        Some(name) => Ok(Some(name.clone())),
        None => unsuitable(&format!("it plays {}, not", values.join(", "))),
    }
}

fn check(declared: &[DeclaredParameter], name: &str, value: &str) -> Result<(), String> {
    if name == VARIANT {
        return Err("the variant is set by the match".to_owned());
    }
    let Some(param) = declared.iter().find(|param| param.name == name) else {
        let names: Vec<_> = declared.iter().map(|param| param.name.as_str()).collect();
        return Err(format!("it has no parameter {name:?}; its parameters: {}", list(&names)));
    };
    param.check(value)?;
    if value.contains(['"', '\n', '\r']) {
        return Err(format!("the value of {name} cannot be written in Hub: {value:?}"));
    }
    Ok(())
}

fn list(names: &[impl AsRef<str>]) -> String {
    let names: Vec<_> = names.iter().map(AsRef::as_ref).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::time_control::ClockTime;

    #[test]
    fn requests_have_position_moves_and_limits() {
        let moves = ["32-28".to_owned(), "19x28x23".to_owned()];
        let limits = MoveLimits {
            depth: Some(9),
            nodes: Some(12_345_678_901),
            move_time: Some(Duration::from_millis(10)),
            clock: Some(ClockTime {
                remaining: Duration::from_micros(12_345_678),
                increment: Duration::from_millis(400),
                delay: Duration::from_millis(100),
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
            request(&turn),
            "pos pos=We wolf=\"W28=2\" moves=\"32-28 19x28x23\"\n\
             level depth=9\n\
             level nodes=12345678901\n\
             level move-time=0.010000\n\
             level moves=40 time=12.345678 inc=0.500000\n\
             go think\n"
        );
        let turn = MoveRequest { wolf: "", moves: &[], limits: MoveLimits::default(), ..turn };
        assert_eq!(request(&turn), "pos pos=We\ngo think\n");
    }

    #[test]
    fn keeps_the_last_value_of_each_field() {
        let mut report = SearchReport::default();
        let lines = [
            "info depth=2 score=0.1 pv=\"31-27\"",
            "info depth=3 score=0.5 pv=32-28",
            "info depth=4 nodes=18446744073709551615 time=0.25 pv=\"32-28 17-22\"",
            "info depth=x nodes=1e3 time=-1 score=nan nps=3",
        ];
        for (text, second) in lines.into_iter().zip(1..) {
            update(&mut report, &HubLine::parse(text), Duration::from_secs(second));
        }
        let expected = SearchReport {
            depth: Some(4),
            score: Some(0.5),
            nodes: Some(1000),
            time: Some(Duration::from_millis(250)),
            pv: "32-28 17-22".to_owned(),
            changed: Duration::from_secs(2),
            error: None,
        };
        assert_eq!(report, expected);
    }

    fn declared(lines: &[&str]) -> Vec<DeclaredParameter> {
        lines.iter().filter_map(|line| DeclaredParameter::parse(&HubLine::parse(line))).collect()
    }

    fn param(name: &str, value: &str) -> Vec<(String, String)> {
        vec![(name.to_owned(), value.to_owned())]
    }

    #[test]
    fn sets_variant_and_parameters() {
        let declared = declared(&[
            "id name=Test",
            "param name=variant value=normal type=enum values=\"normal bt\"",
            "param name=threads value=1 type=int",
            "param name=book-file value=\"\" type=string",
        ]);
        let lines = set_params(&declared, Variant::Breakthrough, &param("threads", "2")).unwrap();
        assert_eq!(lines, "set-param name=variant value=bt\nset-param name=threads value=2\n");
        let lines = set_params(&declared, Variant::International, &param("book-file", "a=b c"));
        let expected =
            "set-param name=variant value=normal\nset-param name=book-file value=\"a=b c\"\n";
        assert_eq!(lines.unwrap(), expected);
    }

    #[test]
    fn an_engine_without_variants_plays_international_draughts() {
        assert_eq!(set_params(&[], Variant::International, &[]), Ok(String::new()));
        let anything = declared(&["param name=variant value=normal type=string"]);
        let lines = set_params(&anything, Variant::Frisian, &[]).unwrap();
        assert_eq!(lines, "set-param name=variant value=frisian\n");
    }

    #[test]
    fn names_what_the_engine_lacks() {
        let some = declared(&[
            "param name=variant values=\"normal bt\"",
            "param name=style values=\"calm wild\"",
            "param name=threads value=1 type=int min=1 max=256",
            "param name=book value=true type=bool",
            "param name=margin value=0.5 type=real min=0",
        ]);
        for (variant, params, word) in [
            (Variant::Frisian, vec![], "normal, bt"),
            (Variant::International, param("hash", "3"), "variant, style"),
            (Variant::International, param("style", "odd"), "it can be calm, wild"),
            (Variant::International, param("threads", "abc"), "a whole number from 1 to 256"),
            (Variant::International, param("threads", "257"), "threads cannot be \"257\""),
            (Variant::International, param("threads", "1.5"), "a whole number"),
            (Variant::International, param("book", "maybe"), "it can be true, false"),
            (Variant::International, param("margin", "-0.1"), "a number of at least 0"),
            (Variant::International, param("variant", "bt"), "by the match"),
        ] {
            let fault = set_params(&some, variant, &params).unwrap_err();
            assert!(matches!(fault, EngineFault::Unsuitable(_)));
            assert!(fault.to_string().contains(word), "{fault}");
        }
        let fault = set_params(&[], Variant::Frisian, &[]).unwrap_err();
        assert!(fault.to_string().contains("frisian"), "{fault}");
    }
}

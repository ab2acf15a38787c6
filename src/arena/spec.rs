//! The description of an engine: a command line and comma-separated settings.
//!
//! `"path/to/engine hub,name=Scan,proto=hub1,dir=/opt/scan,param.threads=1,tc.nodes=1000"`

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use crate::engine::{Level, Strength};

use super::time_control::{TimeControl, TimeSettings};

/// The parameter of Manoury that sets its playing level.
const LEVEL: &str = "level";
/// The parameter of Manoury that sets its playing strength in Elo.
const ELO: &str = "elo";

/// An engine of a match, as described by the user.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineSpec {
    /// The description itself.
    pub text: String,
    /// The program and its arguments; empty only for a DXP engine that is already running
    /// elsewhere. `{port}` in an argument is replaced by the port of a DXP engine.
    pub command: Vec<String>,
    /// The name in results; `None` to use the name of the program.
    pub name: Option<String>,
    /// The protocol of the engine.
    pub protocol: Protocol,
    /// The working directory.
    pub dir: Option<PathBuf>,
    /// Parameters to set, in order: name and value.
    pub params: Vec<(String, String)>,
    /// The limits set for this engine.
    pub time: TimeSettings,
    /// Maximum time for the engine to become ready.
    pub start_limit: Duration,
    /// How to reach the engine over DXP.
    pub dxp: DxpSettings,
}

/// The protocols that engines speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// Hub, version 1, the protocol of Scan 2.0.
    Hub1,
    /// Hub, version 2.
    Hub2,
    /// DamExchange over TCP.
    Dxp,
}

/// How to reach an engine over DXP.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DxpSettings {
    /// Whether the engine is the server, to which the arena connects, rather than the client.
    pub is_server: bool,
    /// The host of the engine, if the engine is the server.
    pub host: String,
    /// The port; `None` for [`dxp::PORT`](crate::protocol::dxp::PORT), or for a free port if the
    /// command contains `{port}`.
    pub port: Option<u16>,
    /// Chat messages sent before each game; some engines accept commands this way.
    pub chat: Vec<String>,
}

impl Default for DxpSettings {
    fn default() -> Self {
        let host = "127.0.0.1".to_owned();
        DxpSettings { is_server: true, host, port: None, chat: Vec::new() }
    }
}

impl Default for EngineSpec {
    fn default() -> Self {
        EngineSpec {
            text: String::new(),
            command: Vec::new(),
            name: None,
            protocol: Protocol::Hub2,
            dir: None,
            params: Vec::new(),
            time: TimeSettings::default(),
            start_limit: Duration::from_secs(10),
            dxp: DxpSettings::default(),
        }
    }
}

/// Why a description is invalid.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct SpecError(String);

impl EngineSpec {
    /// The name used in results, before duplicate names are numbered.
    pub fn label(&self) -> String {
        let program = || {
            let program = std::path::Path::new(self.command.first()?);
            Some(program.file_stem()?.to_string_lossy().into_owned())
        };
        self.name.clone().or_else(program).unwrap_or_else(|| self.dxp.host.clone())
    }

    /// The parameters that are set, such as `threads=1, book=false`.
    pub fn settings(&self) -> String {
        let params = self.params.iter().map(|(name, value)| format!("{name}={value}"));
        params.collect::<Vec<_>>().join(", ")
    }

    /// The number of threads that the engine is told to search on, otherwise 1.
    pub fn threads(&self) -> usize {
        let threads = self.params.iter().rfind(|(name, _)| name == "threads");
        threads.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
    }

    /// Applies a setting `name=value`.
    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        if let Some(param) = name.strip_prefix("param.") {
            self.params.push((param.to_owned(), value.to_owned()));
            return Ok(());
        }
        match name {
            "name" if value.is_empty() => {
                return Err("expected a name, such as name=Scan".to_owned());
            }
            "name" => self.name = Some(value.to_owned()),
            "proto" => self.protocol = value.parse()?,
            "level" => self.set_strength(value.parse::<Level>()?.into()),
            "elo" => self.set_strength(value.parse()?),
            "dir" => self.dir = Some(PathBuf::from(value)),
            "start-limit" => self.start_limit = duration(value)?,
            "dxp" => self.dxp.is_server = is_server(value)?,
            "host" => self.dxp.host = value.to_owned(),
            "port" => self.dxp.port = Some(number(value)?),
            "chat" => self.dxp.chat.push(value.to_owned()),
            "tc.depth" => self.time.depth = Some(number(value)?),
            "tc.nodes" => self.time.nodes = Some(number(value)?),
            "tc.move-time" => self.time.move_time = Some(number(value)?),
            "tc.time" => self.time.time = Some(value.parse()?),
            "tc.inc" => self.time.increment = Some(number(value)?),
            "tc.delay" => self.time.delay = Some(number(value)?),
            "tc.moves" => self.time.moves = Some(number(value)?),
            _ => {
                return Err(
                    "no such setting; the settings are name, proto, dir, param.NAME, level, \
                     elo, start-limit, tc.depth, tc.nodes, tc.move-time, tc.time, tc.inc, tc.moves, \
                     tc.delay, and for DXP dxp, host, port, chat"
                        .to_owned(),
                );
            }
        }
        Ok(())
    }

    /// Sets Manoury's parameter `level`, or `elo` for a strength between two levels.
    fn set_strength(&mut self, strength: Strength) {
        let (name, value) = match strength.level() {
            Some(level) => (LEVEL, level.number().to_string()),
            None => (ELO, strength.elo().to_string()),
        };
        self.params.push((name.to_owned(), value));
    }

    /// Sets the strength unless the engine's description sets it.
    ///
    /// # Errors
    ///
    /// The protocol of the engine has no parameters.
    pub fn set_general_strength(&mut self, strength: Strength) -> Result<(), SpecError> {
        if !self.params.iter().any(|(name, _)| [LEVEL, ELO].contains(&name.as_str())) {
            self.set_strength(strength);
        }
        self.check().map_err(|what| SpecError(format!("{}: {what}", self.label())))
    }

    /// Checks that the settings are consistent.
    fn check(&self) -> Result<(), String> {
        let is_dxp = self.protocol == Protocol::Dxp;
        if self.command.is_empty() && !is_dxp {
            return Err("the command line of the engine is missing".to_owned());
        }
        if !is_dxp && self.dxp != DxpSettings::default() {
            return Err("dxp, host, port and chat need proto=dxp".to_owned());
        }
        if is_dxp && !self.params.is_empty() {
            return Err(
                "DXP has no parameters; some engines accept commands through chat=".to_owned()
            );
        }
        Ok(())
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    /// Parses a description. Commas inside quotes do not separate settings.
    fn from_str(text: &str) -> Result<Self, SpecError> {
        let fault = |part: &str, what: &dyn fmt::Display| {
            SpecError(format!("engine {text:?}, at {part:?}: {what}"))
        };
        let mut parts = split(text).into_iter();
        let command = parts.next().unwrap_or_default();
        let words = shell_words::split(command).map_err(|error| fault(command, &error))?;
        let mut spec =
            EngineSpec { text: text.to_owned(), command: words, ..EngineSpec::default() };
        for part in parts {
            let (name, value) =
                part.split_once('=').ok_or_else(|| fault(part, &"expected name=value"))?;
            spec.set(name.trim(), unquoted(value.trim())).map_err(|what| fault(part, &what))?;
        }
        spec.check().map_err(|what| fault(command, &what))?;
        Ok(spec)
    }
}

impl FromStr for Protocol {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "hub1" => Ok(Protocol::Hub1),
            "hub" | "hub2" => Ok(Protocol::Hub2),
            "dxp" => Ok(Protocol::Dxp),
            _ => Err("expected hub2, hub1 or dxp".to_owned()),
        }
    }
}

/// Splits a text at the commas outside quotes.
fn split(text: &str) -> Vec<&str> {
    let mut quote = None;
    text.split(|c| {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if c == open => quote = None,
            _ => {}
        }
        quote.is_none() && c == ','
    })
    .collect()
}

fn unquoted(value: &str) -> &str {
    let between = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
    between('"').or_else(|| between('\'')).unwrap_or(value)
}

fn is_server(value: &str) -> Result<bool, String> {
    match value {
        "server" => Ok(true),
        "client" => Ok(false),
        _ => Err("expected server or client".to_owned()),
    }
}

fn number<T: FromStr>(value: &str) -> Result<T, String> {
    value.parse().map_err(|_| "expected a number in range".to_owned())
}

fn duration(value: &str) -> Result<Duration, String> {
    Duration::try_from_secs_f64(number(value)?).map_err(|error| error.to_string())
}

/// An engine of a match.
#[derive(Clone, Debug)]
pub struct Participant {
    /// The name of the engine, unique in the match.
    pub name: String,
    /// The description of how to start the engine.
    pub spec: EngineSpec,
    /// The limits of the engine.
    pub time_control: TimeControl,
}

impl Participant {
    /// The engines of a match, with unique names and their limits.
    ///
    /// # Errors
    ///
    /// The limits of an engine are missing or invalid.
    pub fn all(
        specs: Vec<EngineSpec>,
        general: TimeSettings,
    ) -> Result<Vec<Participant>, SpecError> {
        let mut engines: Vec<Participant> = Vec::new();
        for spec in specs {
            let engine = Participant::new(spec, general)?;
            let name = free_name(&engines, &engine.name);
            engines.push(Participant { name, ..engine });
        }
        Ok(engines)
    }

    /// An engine with its limits.
    ///
    /// # Errors
    ///
    /// The limits are missing or invalid.
    pub fn new(spec: EngineSpec, general: TimeSettings) -> Result<Participant, SpecError> {
        let name = spec.label();
        let time_control = (spec.time.with_defaults(general).resolve())
            .map_err(|what| SpecError(format!("engine {name}: {what}")))?;
        Ok(Participant { name, spec, time_control })
    }
}

/// The name, with a number appended if it is already taken.
fn free_name(engines: &[Participant], name: &str) -> String {
    let is_free = |free: &String| engines.iter().all(|engine| engine.name != *free);
    let numbered = (2..).map(|number| format!("{name} {number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> EngineSpec {
        text.parse().unwrap()
    }

    #[test]
    fn reads_a_whole_description() {
        let spec = parse(
            "'my programs/scan' hub,name=Scan,proto=hub1,dir=/opt/scan,param.threads=1,\
             param.book=false,tc.time=30,start-limit=2.5",
        );
        assert_eq!(spec.command, ["my programs/scan", "hub"]);
        assert_eq!(spec.label(), "Scan");
        assert_eq!(spec.protocol, Protocol::Hub1);
        assert_eq!(spec.dir, Some(PathBuf::from("/opt/scan")));
        let params = [("threads", "1"), ("book", "false")];
        assert_eq!(spec.params, params.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(spec.time.time, Some(30.0.into()));
        assert_eq!(spec.start_limit, Duration::from_millis(2500));
    }

    #[test]
    fn uses_defaults_for_missing_settings() {
        let spec = parse("/opt/engines/manoury");
        assert_eq!(spec.label(), "manoury");
        let (text, command) = (spec.text.clone(), spec.command.clone());
        assert_eq!(spec, EngineSpec { text, command, ..EngineSpec::default() });
    }

    #[test]
    fn keeps_commas_in_quotes() {
        let spec = parse("engine 'a,b',name=\"X, the great\"");
        assert_eq!(spec.command, ["engine", "a,b"]);
        assert_eq!(spec.label(), "X, the great");
    }

    #[test]
    fn a_dxp_engine_may_run_elsewhere() {
        let spec = parse(",proto=dxp,host=192.168.0.7,port=27532,chat=hello");
        assert!(spec.command.is_empty());
        assert_eq!(spec.label(), "192.168.0.7");
        assert_eq!((spec.dxp.port, spec.dxp.is_server), (Some(27532), true));
        assert!(!parse("dam -p {port},proto=dxp,dxp=client").dxp.is_server);
    }

    #[test]
    fn explains_invalid_descriptions() {
        for (text, word) in [
            ("", "command line"),
            ("engine,name", "name=value"),
            ("engine,name=", "name=Scan"),
            ("engine,name=\"\"", "name=Scan"),
            ("engine,colour=red", "no such setting"),
            ("engine,proto=uci", "hub2, hub1 or dxp"),
            ("engine,tc.nodes=many", "number"),
            ("engine,tc.time=40/600:x", "periods"),
            ("engine,start-limit=-1", "negative"),
            ("engine 'open", "quote"),
            ("engine,port=1", "proto=dxp"),
            ("engine,proto=dxp,dxp=both", "server or client"),
            ("engine,proto=dxp,param.x=1", "chat"),
        ] {
            let message = text.parse::<EngineSpec>().unwrap_err().to_string();
            assert!(message.contains(word), "{message}");
        }
    }
}

//! Parsed client commands.

use std::time::Duration;

use crate::erased::{Game, Position};
use crate::notation::hub;
use crate::rules::Variant;
use crate::search::{Clock, Limits, Mode, Quiescence};

use super::line::HubLine;

/// A command of the client.
#[derive(Clone, PartialEq, Debug)]
pub enum HubCommand {
    /// Introduce the engine: its name and its parameters.
    Hub,
    /// Prepare to search.
    Init,
    /// Set a parameter.
    SetParam {
        /// The parameter's name.
        name: String,
        /// Its value as text, unchecked.
        value: String,
    },
    /// Set the position.
    Pos(PosCommand),
    /// Limit the next search; [`LevelLimits::add`] parses the line.
    Level(HubLine),
    /// Search.
    Go(Mode),
    /// Stop the search.
    Stop,
    /// The opponent played the expected move.
    PonderHit,
    /// Reply at once, to show that the engine is alive.
    Ping,
    /// Prepare for a new game.
    NewGame,
    /// End the session.
    Quit,
}

impl HubCommand {
    /// Parses a command; `None` for blank lines and unknown commands, which the protocol requires
    /// an engine to ignore.
    pub fn parse(line: &HubLine) -> Option<HubCommand> {
        let command = match line.word.as_str() {
            "hub" => HubCommand::Hub,
            "init" => HubCommand::Init,
            "set-param" => HubCommand::SetParam {
                name: line.value("name")?.to_owned(),
                value: line.value("value")?.to_owned(),
            },
            "pos" => HubCommand::Pos(PosCommand::parse(line)),
            "level" => HubCommand::Level(line.clone()),
            "go" => HubCommand::Go(mode(line)),
            "stop" => HubCommand::Stop,
            "ponder-hit" => HubCommand::PonderHit,
            "ping" => HubCommand::Ping,
            "new-game" => HubCommand::NewGame,
            "quit" => HubCommand::Quit,
            _ => return None,
        };
        Some(command)
    }
}

fn mode(line: &HubLine) -> Mode {
    if line.has("analyze") {
        Mode::Analyze
    } else if line.has("ponder") {
        Mode::Ponder
    } else {
        Mode::Think
    }
}

/// The maximum number of moves in a `pos` command. No game played by the rules is that long.
const MAX_MOVES: usize = 10_000;

/// The unparsed arguments of `pos`; their meaning depends on the variant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PosCommand {
    /// Whether to use the start position if `position` is `None`.
    pub start: bool,
    /// The position.
    pub position: Option<String>,
    /// The counters of the three-king-moves rule in the position.
    pub wolf: String,
    /// The moves played from the position, separated by spaces.
    pub moves: String,
}

impl PosCommand {
    /// The start position.
    pub fn start() -> PosCommand {
        PosCommand { start: true, ..PosCommand::default() }
    }

    /// Parses the arguments of a `pos` line.
    pub fn parse(line: &HubLine) -> PosCommand {
        let text = |name| line.value(name).unwrap_or_default().to_owned();
        PosCommand {
            start: line.has("start"),
            position: line.value("pos").map(str::to_owned),
            wolf: text("wolf"),
            moves: text("moves"),
        }
    }
}

/// Parses the position and the moves of a `pos` command.
///
/// # Errors
///
/// A message for the client that says which argument is invalid, and why.
pub fn read_game(variant: Variant, text: &PosCommand) -> Result<Game, String> {
    let mut game = Game::from_position(read_position(variant, text)?);
    for (index, word) in text.moves.split_whitespace().enumerate() {
        if index == MAX_MOVES {
            return Err(format!("moves: more than {MAX_MOVES}"));
        }
        let mv = hub::parse_move_leniently(game.position(), word)
            .map_err(|error| format!("moves: move {}: {error}", index + 1))?;
        game.play(mv);
    }
    Ok(game)
}

fn read_position(variant: Variant, text: &PosCommand) -> Result<Position, String> {
    let position = match &text.position {
        Some(position) => {
            hub::parse_position(variant, position).map_err(|error| format!("pos: {error}"))?
        }
        None if text.start => Position::start(variant),
        None => return Err("pos: expected pos=POSITION or start".to_owned()),
    };
    hub::parse_wolf(position, &text.wolf).map_err(|error| format!("wolf: {error}"))
}

/// The limits of the next search, accumulated from the `level` commands since the last search. A
/// later command overrides only the limits that it names.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LevelLimits {
    limits: Limits,
    time: Option<f64>,
    increment: Option<f64>,
    moves: Option<u32>,
}

/// The maximum time of a limit in seconds: three years.
const MAX_SECONDS: f64 = 1e8;

impl LevelLimits {
    /// Adds the limits of a `level` line. Unknown arguments and invalid numbers are ignored.
    ///
    /// `handicap` and `ply` are extensions that lidraughts' move server uses for its weaker levels,
    /// and that its version of Scan supports.
    pub fn add(&mut self, line: &HubLine) {
        let number = |name| line.number(name);
        // Casts from `f64` saturate, so absurdly large numbers become the maximum.
        let limits = &mut self.limits;
        limits.depth = number("depth").map(|depth| (depth as u32).max(1)).or(limits.depth);
        limits.nodes = number("nodes").map(|nodes| (nodes as u64).max(1)).or(limits.nodes);
        limits.move_time = number("move-time").map(duration).or(limits.move_time);
        limits.plies = number("ply").map(|plies| (plies as u32).max(1)).or(limits.plies);
        limits.quiescence = number("handicap").map_or(limits.quiescence, quiescence);
        self.time = number("time").or(self.time);
        self.increment = number("inc").or(self.increment);
        self.moves = number("moves").map(|moves| moves as u32).or(self.moves);
    }

    /// The limits of a search in the given mode. If no limit is set, as after `level infinite`, the
    /// search runs until it is stopped.
    pub fn limits(self, mode: Mode) -> Limits {
        Limits { clock: self.clock(), mode, ..self.limits }
    }

    /// The game clock. The increment is added before every move, so it is available for this move.
    /// A client that adds the increment after the move may send a negative time.
    fn clock(self) -> Option<Clock> {
        if self.time.is_none() && self.increment.is_none() {
            return None;
        }
        let increment = self.increment.unwrap_or(0.0).max(0.0);
        Some(Clock {
            remaining: duration(self.time.unwrap_or(0.0) + increment),
            increment: duration(increment),
            moves: self.moves.filter(|&moves| moves > 0),
            ..Clock::default()
        })
    }
}

/// The quiescence search for a handicap. Handicap 1 removes threats and sacrifices from the
/// quiescence search; this engine's quiescence search has neither.
fn quiescence(handicap: f64) -> Quiescence {
    match handicap as u32 {
        0 | 1 => Quiescence::Full,
        2 => Quiescence::StandPat,
        _ => Quiescence::Off,
    }
}

fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, MAX_SECONDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<HubCommand> {
        HubCommand::parse(&HubLine::parse(text))
    }

    #[test]
    fn ignores_unknown_lines() {
        for text in ["", "xyzzy a=b", "set-param", "set-param name=threads", "HUB"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn go_defaults_to_think() {
        assert_eq!(parse("go"), Some(HubCommand::Go(Mode::Think)));
        assert_eq!(parse("go fast"), Some(HubCommand::Go(Mode::Think)));
        assert_eq!(parse("go ponder"), Some(HubCommand::Go(Mode::Ponder)));
        assert_eq!(parse("go analyze"), Some(HubCommand::Go(Mode::Analyze)));
    }

    #[test]
    fn parses_pos_arguments() {
        assert_eq!(parse("pos start"), Some(HubCommand::Pos(PosCommand::start())));
        let expected = PosCommand {
            position: Some("W".to_owned()),
            wolf: "W28=2".to_owned(),
            moves: "32-28 17-22".to_owned(),
            start: false,
        };
        let line = "pos pos=W moves=\"32-28 17-22\" wolf=\"W28=2\"";
        assert_eq!(parse(line), Some(HubCommand::Pos(expected)));
    }

    fn limits(lines: &[&str]) -> Limits {
        let mut level = LevelLimits::default();
        for line in lines {
            level.add(&HubLine::parse(line));
        }
        level.limits(Mode::Think)
    }

    #[test]
    fn level_commands_accumulate() {
        let limits = limits(&["level depth=9", "level nodes=1000", "level move-time=0.5"]);
        assert_eq!(limits.depth, Some(9));
        assert_eq!(limits.nodes, Some(1000));
        assert_eq!(limits.move_time, Some(Duration::from_millis(500)));
        assert_eq!(limits.clock, None);
    }

    #[test]
    fn handicaps_weaken_the_quiescence_search() {
        let weak = limits(&["level handicap=3", "level nodes=50 ply=4"]);
        assert_eq!((weak.quiescence, weak.plies, weak.nodes), (Quiescence::Off, Some(4), Some(50)));
        assert_eq!(limits(&["level handicap=2"]).quiescence, Quiescence::StandPat);
        for none in ["0", "1", "-1", "x"] {
            let line = format!("level handicap={none} ply=0");
            assert_eq!(limits(&[&line]).quiescence, Quiescence::Full);
            assert_eq!(limits(&[&line]).plies, Some(1));
        }
    }

    #[test]
    fn adds_the_increment_before_the_move() {
        let clock = limits(&["level moves=9 time=12,000 inc=0.5"]).clock;
        let expected = Clock {
            remaining: Duration::from_millis(12_500),
            increment: Duration::from_millis(500),
            moves: Some(9),
            ..Clock::default()
        };
        assert_eq!(clock, Some(expected));
    }

    #[test]
    fn clamps_or_ignores_odd_numbers() {
        let odd = limits(&["level depth=99999999999 nodes=-3 move-time=1e300 time=-1.5 moves=0"]);
        assert_eq!(odd.depth, Some(u32::MAX));
        assert_eq!(odd.nodes, Some(1));
        assert_eq!(odd.move_time, Some(Duration::from_secs_f64(MAX_SECONDS)));
        assert_eq!(odd.clock, Some(Clock::default()));
        assert_eq!(limits(&["level depth=x nodes=nan move-time=inf time="]), Limits::default());
        assert_eq!(limits(&["level infinite"]), Limits::default());
    }
}

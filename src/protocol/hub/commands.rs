//! What a client can ask for.

use crate::search::Mode;

use super::level::Level;
use super::parse::Line;

/// A command of the client.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Introduce yourself.
    Hub,
    /// Get ready to search.
    Init,
    /// Set a parameter.
    SetParam {
        /// The parameter's name.
        name: String,
        /// Its value, any text.
        value: String,
    },
    /// Set the position.
    Pos(PosText),
    /// Limit the next search.
    Level(Level),
    /// Search.
    Go(Mode),
    /// End the search.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// Show that you are alive.
    Ping,
    /// Forget the last game.
    NewGame,
    /// Leave.
    Quit,
}

/// The arguments of `pos`, not yet read: what they mean depends on the variant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PosText {
    /// Whether the start position is meant, if no other is given.
    pub start: bool,
    /// The position.
    pub position: Option<String>,
    /// The counters of the three-king-moves rule in the position.
    pub wolf: String,
    /// The moves from the position on, separated by blanks.
    pub moves: String,
}

impl Command {
    /// The command of a line; `None` for blank lines and for words that mean nothing here, which the
    /// protocol wants ignored.
    pub fn parse(line: &Line) -> Option<Command> {
        let command = match line.word.as_str() {
            "hub" => Command::Hub,
            "init" => Command::Init,
            "set-param" => Command::SetParam {
                name: line.value("name")?.to_owned(),
                value: line.value("value")?.to_owned(),
            },
            "pos" => Command::Pos(PosText::parse(line)),
            "level" => Command::Level(Level::parse(line)),
            "go" => Command::Go(mode(line)),
            "stop" => Command::Stop,
            "ponder-hit" => Command::PonderHit,
            "ping" => Command::Ping,
            "new-game" => Command::NewGame,
            "quit" => Command::Quit,
            _ => return None,
        };
        Some(command)
    }
}

fn mode(line: &Line) -> Mode {
    if line.has("analyze") {
        Mode::Analyze
    } else if line.has("ponder") {
        Mode::Ponder
    } else {
        Mode::Think
    }
}

impl PosText {
    /// The start position.
    pub fn start() -> PosText {
        PosText { start: true, ..PosText::default() }
    }

    fn parse(line: &Line) -> PosText {
        let text = |name| line.value(name).unwrap_or_default().to_owned();
        PosText {
            start: line.has("start"),
            position: line.value("pos").map(str::to_owned),
            wolf: text("wolf"),
            moves: text("moves"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<Command> {
        Command::parse(&Line::parse(text))
    }

    #[test]
    fn unknown_lines_mean_nothing() {
        for text in ["", "xyzzy a=b", "set-param", "set-param name=threads", "HUB"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn go_without_a_known_mode_thinks() {
        assert_eq!(parse("go"), Some(Command::Go(Mode::Think)));
        assert_eq!(parse("go fast"), Some(Command::Go(Mode::Think)));
        assert_eq!(parse("go ponder"), Some(Command::Go(Mode::Ponder)));
        assert_eq!(parse("go analyze"), Some(Command::Go(Mode::Analyze)));
    }

    #[test]
    fn pos_keeps_its_texts() {
        assert_eq!(parse("pos start"), Some(Command::Pos(PosText::start())));
        let expected = PosText {
            position: Some("W".to_owned()),
            wolf: "W28=2".to_owned(),
            moves: "32-28 17-22".to_owned(),
            start: false,
        };
        let line = "pos pos=W moves=\"32-28 17-22\" wolf=\"W28=2\"";
        assert_eq!(parse(line), Some(Command::Pos(expected)));
    }
}

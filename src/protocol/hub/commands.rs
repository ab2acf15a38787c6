//! The commands of a client.

use crate::search::Mode;

use super::level::LevelCommand;
use super::parse::HubLine;
use super::position::PosText;

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
    Pos(PosText),
    /// Limit the next search.
    Level(LevelCommand),
    /// Search.
    Go(Mode),
    /// Stop the search.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// Reply at once, to show that the engine is alive.
    Ping,
    /// Forget the last game.
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
            "pos" => HubCommand::Pos(PosText::parse(line)),
            "level" => HubCommand::Level(LevelCommand::parse(line)),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<HubCommand> {
        HubCommand::parse(&HubLine::parse(text))
    }

    #[test]
    fn unknown_lines_mean_nothing() {
        for text in ["", "xyzzy a=b", "set-param", "set-param name=threads", "HUB"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn go_without_a_known_mode_thinks() {
        assert_eq!(parse("go"), Some(HubCommand::Go(Mode::Think)));
        assert_eq!(parse("go fast"), Some(HubCommand::Go(Mode::Think)));
        assert_eq!(parse("go ponder"), Some(HubCommand::Go(Mode::Ponder)));
        assert_eq!(parse("go analyze"), Some(HubCommand::Go(Mode::Analyze)));
    }

    #[test]
    fn pos_keeps_its_texts() {
        assert_eq!(parse("pos start"), Some(HubCommand::Pos(PosText::start())));
        let expected = PosText {
            position: Some("W".to_owned()),
            wolf: "W28=2".to_owned(),
            moves: "32-28 17-22".to_owned(),
            start: false,
        };
        let line = "pos pos=W moves=\"32-28 17-22\" wolf=\"W28=2\"";
        assert_eq!(parse(line), Some(HubCommand::Pos(expected)));
    }
}

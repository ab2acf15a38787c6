//! Input from the player: lines from a terminal (with editing and history) or from a pipe, and the
//! commands in them.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, select_biased};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::cli::interrupt::lines_of_stdin;
use crate::runtime::interrupt::on_ctrl_c;
use crate::search::Control;

/// A line, or the reason why there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConsoleInput {
    /// A line, without its line terminator.
    Line(String),
    /// The input has ended.
    End,
    /// Ctrl-C.
    Interrupt,
}

/// A source of input lines.
pub struct Console {
    input: Input,
    /// Receives a message when Ctrl-C is pressed and the line editor does not handle it.
    interrupt: Receiver<()>,
    /// The control of the running search.
    running: Arc<Mutex<Control>>,
}

enum Input {
    Terminal(Box<DefaultEditor>),
    Pipe(Receiver<io::Result<String>>),
}

impl Console {
    /// Opens the console on standard input. Ctrl-C during a search ends the search.
    ///
    /// # Errors
    ///
    /// The terminal cannot be used, or the system cannot create a thread.
    pub fn open() -> io::Result<Console> {
        let running = Arc::new(Mutex::new(Control::new()));
        let handle = Arc::clone(&running);
        let stop = move || handle.lock().unwrap_or_else(PoisonError::into_inner).stop();
        let interrupt = on_ctrl_c(stop)?;
        let input = match Console::is_terminal() {
            true => Input::Terminal(Box::new(DefaultEditor::new().map_err(system)?)),
            false => Input::Pipe(lines_of_stdin()?),
        };
        Ok(Console { input, interrupt, running })
    }

    /// Whether standard input and output are both terminals.
    pub fn is_terminal() -> bool {
        io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    /// Creates the control of a new search. From then on, Ctrl-C ends that search.
    pub fn control(&self) -> Control {
        let control = Control::new();
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        *running = control.clone();
        // Discard any Ctrl-C that ended an earlier search.
        while self.interrupt.try_recv().is_ok() {}
        control
    }

    /// Reads the next line. On a terminal, shows the prompt first.
    ///
    /// # Errors
    ///
    /// The input cannot be read.
    pub fn ask(&mut self, prompt: &str) -> io::Result<ConsoleInput> {
        match &mut self.input {
            Input::Terminal(editor) => match editor.readline(prompt) {
                Ok(line) => {
                    // A line that cannot be added to the history is still usable.
                    let _ = editor.add_history_entry(&line);
                    Ok(ConsoleInput::Line(line))
                }
                Err(ReadlineError::Eof) => Ok(ConsoleInput::End),
                Err(ReadlineError::Interrupted) => Ok(ConsoleInput::Interrupt),
                Err(error) => Err(system(error)),
            },
            Input::Pipe(lines) => select_biased! {
                recv(self.interrupt) -> _ => Ok(ConsoleInput::Interrupt),
                // The channel closes at the end of the input.
                recv(lines) -> line => line.map_or(Ok(ConsoleInput::End), |line| line.map(ConsoleInput::Line)),
            },
        }
    }
}

fn system(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        error => io::Error::other(error),
    }
}

/// A command of the player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UserCommand {
    /// An empty line.
    Empty,
    /// Plays a move, given as typed.
    Move(String),
    /// Lists the legal moves.
    Moves,
    /// Shows the best move.
    Hint,
    /// Shows the score.
    Score,
    /// Takes back the last move and the reply to it.
    TakeBack,
    /// Turns the board around.
    Flip,
    /// Shows the position as FEN.
    Fen,
    /// Writes the game so far to a file; the name is empty if none was typed.
    Save(PathBuf),
    /// Offers a draw.
    Draw,
    /// Resigns the game.
    Resign,
    /// Lists the commands.
    Help,
    /// Stops the game without a result.
    Quit,
}

/// The list of commands.
pub const HELP: &str = "\
a move      32-28, 28x19 or 3228; a capture can name the squares between: 47x38x24
moves       the legal moves
hint        the best move, at full strength
score       who is ahead, at full strength
takeback    take back your last move
flip        turn the board around
fen         show the position as FEN
save FILE   write the game so far to a new PDN file
draw?       offer a draw
resign      resign the game
quit        stop without a result
";

impl UserCommand {
    /// Parses a line; anything that is not a command is treated as a move.
    pub fn parse(line: &str) -> UserCommand {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word.to_lowercase().as_str(), rest.trim()) {
            ("", _) => UserCommand::Empty,
            ("save", file) => UserCommand::Save(PathBuf::from(file)),
            ("moves", "") => UserCommand::Moves,
            ("hint", "") => UserCommand::Hint,
            ("score", "") => UserCommand::Score,
            ("takeback" | "undo", "") => UserCommand::TakeBack,
            ("flip", "") => UserCommand::Flip,
            ("fen", "") => UserCommand::Fen,
            ("draw?" | "draw", "") => UserCommand::Draw,
            ("resign", "") => UserCommand::Resign,
            ("help" | "?", "") => UserCommand::Help,
            ("quit" | "exit", "") => UserCommand::Quit,
            _ => UserCommand::Move(line.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_commands_from_moves() {
        assert_eq!(UserCommand::parse(" Draw? "), UserCommand::Draw);
        assert_eq!(
            UserCommand::parse("save my games.pdn"),
            UserCommand::Save("my games.pdn".into())
        );
        assert_eq!(UserCommand::parse("undo"), UserCommand::TakeBack);
        assert_eq!(UserCommand::parse("  "), UserCommand::Empty);
        assert_eq!(UserCommand::parse("save "), UserCommand::Save(PathBuf::new()));
        for text in ["32-28", "saved", "28 x 19", "hint me"] {
            assert_eq!(UserCommand::parse(text), UserCommand::Move(text.to_owned()));
        }
    }
}

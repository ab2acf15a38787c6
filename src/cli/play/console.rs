//! What a person types: lines from a terminal, with editing and history, or from a pipe; and their meaning.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, select_biased};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::cli::interrupt::lines_of_stdin;
use crate::runtime::interrupt::on_ctrl_c;
use crate::search::Control;

/// A line, or the reason that there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// A line without its end.
    Line(String),
    /// The input has ended.
    End,
    /// Ctrl-C.
    Interrupt,
}

/// Where lines come from.
pub struct Console {
    input: Input,
    /// Ctrl-C while there is no terminal in charge of it.
    interrupt: Receiver<()>,
    /// The running search.
    running: Arc<Mutex<Control>>,
}

enum Input {
    Terminal(Box<DefaultEditor>),
    Pipe(Receiver<io::Result<String>>),
}

impl Console {
    /// The console of the program. Ctrl-C during a search ends the search.
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

    /// Whether a person sits at a terminal.
    pub fn is_terminal() -> bool {
        io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    /// The handle of a new search.
    pub fn control(&self) -> Control {
        let control = Control::new();
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        *running = control.clone();
        // A Ctrl-C that ended an earlier search has done its work.
        while self.interrupt.try_recv().is_ok() {}
        control
    }

    /// The next line. A terminal shows the prompt before it.
    ///
    /// # Errors
    ///
    /// The input cannot be read.
    pub fn ask(&mut self, prompt: &str) -> io::Result<Heard> {
        match &mut self.input {
            Input::Terminal(editor) => match editor.readline(prompt) {
                Ok(line) => {
                    // Without the history the line can still be used.
                    let _ = editor.add_history_entry(&line);
                    Ok(Heard::Line(line))
                }
                Err(ReadlineError::Eof) => Ok(Heard::End),
                Err(ReadlineError::Interrupted) => Ok(Heard::Interrupt),
                Err(error) => Err(system(error)),
            },
            Input::Pipe(lines) => select_biased! {
                recv(self.interrupt) -> _ => Ok(Heard::Interrupt),
                // The reader ends with the input.
                recv(lines) -> line => line.map_or(Ok(Heard::End), |line| line.map(Heard::Line)),
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

/// What a person asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// Nothing.
    Nothing,
    /// To play a move, as it is written.
    Move(String),
    /// The legal moves.
    Moves,
    /// The best move.
    Hint,
    /// Who is ahead.
    Score,
    /// The move taken back, with the reply to it.
    TakeBack,
    /// The board turned round.
    Flip,
    /// The position as FEN.
    Fen,
    /// The game so far in a file.
    Save(PathBuf),
    /// A draw.
    Draw,
    /// To lose the game.
    Resign,
    /// The list of requests.
    Help,
    /// To stop without a result.
    Quit,
}

/// The list of requests.
pub const HELP: &str = "\
a move      32-28, 28x19 or 3228; a capture can name the squares between: 47x38x24
moves       the legal moves
hint        the best move, at full strength
score       who is ahead, at full strength
takeback    take back your last move
flip        turn the board round
fen         show the position as FEN
save FILE   write the game so far to a new PDN file
draw?       offer a draw
resign      give up
quit        stop without a result
";

impl Request {
    /// What a line means; anything but a request is taken for a move.
    pub fn parse(line: &str) -> Request {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word.to_lowercase().as_str(), rest.trim()) {
            ("", _) => Request::Nothing,
            ("save", file) if !file.is_empty() => Request::Save(PathBuf::from(file)),
            ("moves", "") => Request::Moves,
            ("hint", "") => Request::Hint,
            ("score", "") => Request::Score,
            ("takeback" | "undo", "") => Request::TakeBack,
            ("flip", "") => Request::Flip,
            ("fen", "") => Request::Fen,
            ("draw?" | "draw", "") => Request::Draw,
            ("resign", "") => Request::Resign,
            ("help" | "?", "") => Request::Help,
            ("quit" | "exit", "") => Request::Quit,
            _ => Request::Move(line.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_told_from_moves() {
        assert_eq!(Request::parse(" Draw? "), Request::Draw);
        assert_eq!(Request::parse("save my games.pdn"), Request::Save("my games.pdn".into()));
        assert_eq!(Request::parse("undo"), Request::TakeBack);
        assert_eq!(Request::parse("  "), Request::Nothing);
        for text in ["32-28", "save", "28 x 19", "hint me"] {
            assert_eq!(Request::parse(text), Request::Move(text.to_owned()));
        }
    }
}

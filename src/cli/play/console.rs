//! The lines that a person types: on a terminal, with editing and history, or from a pipe.

use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, select_biased};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::cli::stdin::lines_of_stdin;
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
        let (sender, interrupt) = crossbeam_channel::bounded(1);
        let handle = Arc::clone(&running);
        let on_ctrl_c = move || {
            handle.lock().unwrap_or_else(PoisonError::into_inner).stop();
            // A full channel means that the signal has already been sent.
            let _ = sender.try_send(());
        };
        ctrlc::set_handler(on_ctrl_c).map_err(io::Error::other)?;
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

//! `--fen`, `--pos`, with the game: the positions a command is about.

use std::io::{self, BufRead};
use std::thread;

use clap::Args;
use crossbeam_channel::{Receiver, select_biased};

use crate::notation::{TextError, fen, hub};
use crate::position::Position;
use crate::rules::Rules;

use super::Error;
use super::game::GameArgument;

/// A game and one position of it or many; none given is the start position.
#[derive(Args, Debug)]
pub struct Positions {
    #[command(flatten)]
    pub game: GameArgument,
    /// The position as FEN, such as W:W31,32,K45:B19,K20; `-` reads one a line from standard input
    #[arg(long, value_name = "FEN", conflicts_with = "pos")]
    fen: Option<String>,
    /// The position as Hub writes it, such as Wbbb..www; `-` reads one a line from standard input
    #[arg(long, value_name = "HUBPOS")]
    pos: Option<String>,
}

/// How a position is written.
#[derive(Clone, Copy)]
enum Form {
    Fen,
    Hub,
}

impl Positions {
    /// Whether the positions come from standard input, one a line.
    pub fn is_batch(&self) -> bool {
        self.text().is_some_and(|(_, text)| text == "-")
    }

    /// Gives every position to `answer`, in order.
    ///
    /// # Errors
    ///
    /// Ends at the first faulty position, at the first failure of `answer`, or when standard input
    /// cannot be read.
    pub fn each<R: Rules>(
        &self,
        mut answer: impl FnMut(&Position<R>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match self.text() {
            None => answer(&Position::start()),
            Some((form, "-")) => {
                for (index, line) in io::stdin().lock().lines().enumerate() {
                    answer(&form.read_line(line, index)?)?;
                }
                Ok(())
            }
            Some((form, text)) => answer(&form.read(text, form.option())?),
        }
    }

    /// As [`Positions::each`], and ends without error when `stop` comes while it waits for a line.
    ///
    /// A reader thread goes on holding standard input until its next line or its end.
    pub fn each_until<R: Rules>(
        &self,
        stop: &Receiver<()>,
        mut answer: impl FnMut(&Position<R>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some((form, "-")) = self.text() else {
            return self.each(answer);
        };
        let lines = lines_of_stdin()?;
        for index in 0.. {
            let line = select_biased! {
                recv(stop) -> _ => break,
                recv(lines) -> line => line,
            };
            // The reader is gone when everything is read.
            let Ok(line) = line else { break };
            answer(&form.read_line(line, index)?)?;
        }
        Ok(())
    }

    fn text(&self) -> Option<(Form, &str)> {
        let fen = self.fen.as_deref().map(|text| (Form::Fen, text));
        fen.or_else(|| self.pos.as_deref().map(|text| (Form::Hub, text)))
    }
}

impl Form {
    fn option(self) -> &'static str {
        match self {
            Form::Fen => "--fen",
            Form::Hub => "--pos",
        }
    }

    /// Reads a line of standard input, the first one with index 0.
    fn read_line<R: Rules>(
        self,
        line: io::Result<String>,
        index: usize,
    ) -> Result<Position<R>, Error> {
        let place = format!("standard input, line {}", index + 1);
        let line = line.map_err(|error| unreadable(&place, error))?;
        self.read(line.trim(), &place)
    }

    fn read<R: Rules>(self, text: &str, place: &str) -> Result<Position<R>, Error> {
        let position = match self {
            Form::Fen => fen::parse(text),
            Form::Hub => hub::parse_position(text),
        };
        position.map_err(|error| self.fault::<R>(&error, place))
    }

    /// What is wrong, where, and the start position as an example of what would be right.
    fn fault<R: Rules>(self, error: &TextError, place: &str) -> Error {
        let start = Position::<R>::start();
        let example = match self {
            Form::Fen => fen::format(&start),
            Form::Hub => hub::format_position(&start),
        };
        let variant = R::VARIANT;
        Error::Input(format!(
            "{place}, {error}; the start position of {variant} would be {example}"
        ))
    }
}

/// The lines of standard input, read on a thread of its own, no sooner than they are wanted.
fn lines_of_stdin() -> io::Result<Receiver<io::Result<String>>> {
    let (sender, lines) = crossbeam_channel::bounded(0);
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        for line in io::stdin().lock().lines() {
            // Nobody listens after a faulty line.
            if sender.send(line).is_err() {
                return;
            }
        }
    })?;
    Ok(lines)
}

/// Text that is no UTF-8 is faulty input, everything else a failure of the system.
fn unreadable(place: &str, error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::InvalidData => Error::Input(format!("{place}: {error}")),
        _ => Error::System(error),
    }
}

//! The positions on which a command works: `--fen`, `--pos`, or standard input.

use std::io::{self, BufRead};

use clap::Args;
use crossbeam_channel::{Receiver, select_biased};

use crate::cli::Error;
use crate::cli::interrupt::lines_of_stdin;
use crate::cli::output::{OutputFormat, PositionReport};
use crate::erased::Position;
use crate::notation::{TextError, fen, hub};
use crate::rules::Variant;

use super::VariantArgument;

/// A variant and one or more of its positions, by default the start position.
#[derive(Args, Debug)]
pub struct PositionsArguments {
    #[command(flatten)]
    pub game: VariantArgument,
    /// The position as FEN, such as W:W31,32,K45:B19,K20; `-` reads one per line from standard
    /// input, skipping blank lines. FEN numbers squares from the top left in every variant, also in
    /// Spanish draughts, whose boards and moves show square n as 33 - n [default: the start
    /// position]
    #[arg(short, long, value_name = "FEN", conflicts_with = "pos")]
    fen: Option<String>,
    /// The position in Hub notation, such as Wbbb..www, or `start`; `-` reads one per line from
    /// standard input
    #[arg(long, value_name = "HUBPOS")]
    pos: Option<String>,
}

/// A variant and one of its positions, by default the start position.
#[derive(Args, Debug)]
pub struct PositionArguments {
    #[command(flatten)]
    game: VariantArgument,
    /// The position as FEN, such as W:W31,32,K45:B19,K20. FEN numbers squares from the top left in
    /// every variant, also in Spanish draughts, whose boards and moves show square n as 33 - n
    /// [default: the start position]
    #[arg(short, long, value_name = "FEN", conflicts_with = "pos")]
    fen: Option<String>,
    /// The position in Hub notation, such as Wbbb..www, or `start`
    #[arg(long, value_name = "HUBPOS")]
    pos: Option<String>,
}

impl PositionArguments {
    /// The variant.
    pub fn variant(&self) -> Variant {
        self.game.variant
    }

    /// The position.
    ///
    /// # Errors
    ///
    /// The text is not a position of the variant.
    pub fn read(&self) -> Result<Position, Error> {
        let variant = self.variant();
        match (&self.fen, &self.pos) {
            (Some(text), _) => PositionNotation::Fen.read(variant, text, "--fen"),
            (None, Some(text)) => PositionNotation::Hub.read(variant, text, "--pos"),
            (None, None) => Ok(Position::start(variant)),
        }
    }
}

/// The notation of a position.
#[derive(Clone, Copy)]
enum PositionNotation {
    Fen,
    Hub,
}

impl PositionsArguments {
    /// The variant.
    pub fn variant(&self) -> Variant {
        self.game.variant
    }

    /// Whether the positions come from standard input, one per line.
    pub fn is_batch(&self) -> bool {
        self.text().is_some_and(|(_, text)| text == "-")
    }

    /// The only position given.
    ///
    /// # Errors
    ///
    /// The position is invalid, or positions come from standard input.
    pub fn only(&self) -> Result<Position, Error> {
        if self.is_batch() {
            return Err(Error::Input("expected one position, not `-`".to_owned()));
        }
        let mut only = Position::start(self.variant());
        self.each(|position| {
            only = *position;
            Ok(())
        })?;
        Ok(only)
    }

    /// The output format for the positions; `json` is whether the command's `--json` is set.
    pub fn output_format(&self, json: bool) -> OutputFormat {
        match (json, self.is_batch()) {
            (true, _) => OutputFormat::Json,
            (false, true) => OutputFormat::Rows,
            (false, false) => OutputFormat::Page,
        }
    }

    /// Prints the report that `answer` returns for each position, in order.
    ///
    /// # Errors
    ///
    /// A position is invalid, or standard input or output fails.
    pub fn report<A: PositionReport>(
        &self,
        json: bool,
        answer: impl Fn(&Position) -> A,
    ) -> Result<(), Error> {
        let form = self.output_format(json);
        self.each(|position| form.print(&answer(position)))
    }

    /// Calls `action` with each position, in order, until a call fails.
    ///
    /// # Errors
    ///
    /// A position is invalid, `action` fails, or standard input cannot be read.
    pub fn each(
        &self,
        mut action: impl FnMut(&Position) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let variant = self.variant();
        match self.text() {
            None => action(&Position::start(variant)),
            Some((notation, "-")) => {
                for (index, line) in io::stdin().lock().lines().enumerate() {
                    if let Some(position) = notation.read_line(variant, line, index)? {
                        action(&position)?;
                    }
                }
                Ok(())
            }
            Some((notation, text)) => action(&notation.read(variant, text, notation.option())?),
        }
    }

    /// Like [`PositionsArguments::each`], but returns `Ok` if `stop` fires while waiting for a
    /// line.
    ///
    /// The reader thread then remains blocked until the next line or the end of standard input.
    pub fn each_until(
        &self,
        stop: &Receiver<()>,
        mut action: impl FnMut(&Position) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some((notation, "-")) = self.text() else {
            return self.each(action);
        };
        let lines = lines_of_stdin()?;
        for index in 0.. {
            let line = select_biased! {
                recv(stop) -> _ => break,
                recv(lines) -> line => line,
            };
            // The channel closes at the end of the input.
            let Ok(line) = line else { break };
            if let Some(position) = notation.read_line(self.variant(), line, index)? {
                action(&position)?;
            }
        }
        Ok(())
    }

    fn text(&self) -> Option<(PositionNotation, &str)> {
        let fen = self.fen.as_deref().map(|text| (PositionNotation::Fen, text));
        fen.or_else(|| self.pos.as_deref().map(|text| (PositionNotation::Hub, text)))
    }
}

impl PositionNotation {
    fn option(self) -> &'static str {
        match self {
            PositionNotation::Fen => "--fen",
            PositionNotation::Hub => "--pos",
        }
    }

    /// Parses a line of standard input; `None` if it is blank. `index` counts from 0.
    fn read_line(
        self,
        variant: Variant,
        line: io::Result<String>,
        index: usize,
    ) -> Result<Option<Position>, Error> {
        let place = format!("standard input, line {}", index + 1);
        let line = line.map_err(|error| unreadable(&place, error))?;
        match line.trim() {
            "" => Ok(None),
            text => self.read(variant, text, &place).map(Some),
        }
    }

    fn read(self, variant: Variant, text: &str, place: &str) -> Result<Position, Error> {
        let position = match self {
            PositionNotation::Hub if text == "start" => Ok(Position::start(variant)),
            PositionNotation::Fen => fen::parse(variant, text),
            PositionNotation::Hub => hub::parse_position(variant, text),
        };
        position.map_err(|error| self.fault(variant, &error, place))
    }

    /// An input error with the source of the text, and the start position as an example.
    fn fault(self, variant: Variant, error: &TextError, place: &str) -> Error {
        let start = Position::start(variant);
        let example = match self {
            PositionNotation::Fen => fen::format(&start),
            PositionNotation::Hub => hub::format_position(&start),
        };
        Error::Input(format!(
            "{place}, {error}; for example, the start position of {variant} is {example}"
        ))
    }
}

/// Invalid UTF-8 is an input error; any other failure is a system error.
fn unreadable(place: &str, error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::InvalidData => Error::Input(format!("{place}: {error}")),
        _ => Error::System(error),
    }
}

//! `manoury pdn convert`: games in other habits.

use std::io::{self, Write};

use clap::{Args, ValueEnum};

use crate::cli::Error;
use crate::notation::pdn::{self, PdnFormat, ResultPoints, SquareNames};

use super::stream::GameFiles;

/// Print games in other habits of notation
///
/// Games with faults are left out, and the exit code is then 1.
///
/// Examples:
///   manoury pdn convert games.pdn --notation algebraic --results one
///   manoury pdn convert games.pdn --notation book --encoding latin1
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    #[command(flatten)]
    files: GameFiles,
    /// How moves are written [default: as PDN has them in the game]
    #[arg(long, value_enum)]
    notation: Option<NotationChoice>,
    /// How many points a win has [default: as it is]
    #[arg(long, value_enum)]
    results: Option<ResultsChoice>,
    /// The encoding of the output; characters that Latin-1 does not have become question marks
    #[arg(long, value_enum, default_value_t = EncodingChoice::Utf8)]
    encoding: EncodingChoice,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum NotationChoice {
    /// Numbers of squares.
    Numeric,
    /// Files and ranks: c3-d4.
    Algebraic,
    /// As in books: the moves of the second side in brackets, without comments and side lines.
    Book,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum ResultsChoice {
    /// 2-0, 1-1, 0-2.
    Two,
    /// 1-0, 1/2-1/2, 0-1, as in chess.
    One,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum EncodingChoice {
    Utf8,
    Latin1,
}

/// Prints the games.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let mut output = io::stdout().lock();
    let format = arguments.format();
    let faults = arguments.files.each(&mut |game| {
        let Ok(record) = game.record else {
            return Ok(());
        };
        let text = pdn::write_game_as(&record, format) + "\n";
        let bytes = match arguments.encoding {
            EncodingChoice::Utf8 => text.into_bytes(),
            EncodingChoice::Latin1 => latin1(&text),
        };
        Ok(output.write_all(&bytes)?)
    })?;
    output.flush()?;
    Error::of_faulty_games(faults)
}

impl Arguments {
    fn format(&self) -> PdnFormat {
        PdnFormat {
            squares: match self.notation {
                Some(NotationChoice::Numeric) => SquareNames::Numeric,
                Some(NotationChoice::Algebraic) => SquareNames::Algebraic,
                Some(NotationChoice::Book) | None => SquareNames::Custom,
            },
            results: match self.results {
                Some(ResultsChoice::Two) => ResultPoints::Two,
                Some(ResultsChoice::One) => ResultPoints::One,
                None => ResultPoints::Unchanged,
            },
            has_brackets: self.notation == Some(NotationChoice::Book),
        }
    }
}

/// The text in ISO 8859-1.
fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(character).unwrap_or(b'?')).collect()
}

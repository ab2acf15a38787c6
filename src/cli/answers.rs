//! The answers of a command about positions: JSON, rows of a batch, or a page.

use std::io::{self, Write};

use serde::Serialize;

use super::Error;

/// What a command finds out about one position. It serializes to the JSON object of `--json`.
pub trait PositionAnswer: Serialize {
    /// The answer in a batch: a line, or several where the command documents it, each with its
    /// newline.
    fn rows(&self) -> String;

    /// The answer on its own: lines, each with its newline.
    fn page(&self) -> String;
}

/// How the answers of a command are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnswerForm {
    /// A JSON object per line.
    Json,
    /// The rows of a batch.
    Rows,
    /// A page about the only position.
    Page,
}

impl AnswerForm {
    /// Prints an answer on standard output.
    ///
    /// # Errors
    ///
    /// Standard output cannot be written.
    pub fn print(self, answer: &impl PositionAnswer) -> Result<(), Error> {
        let mut output = io::stdout().lock();
        match self {
            AnswerForm::Json => write_json(&mut output, answer)?,
            AnswerForm::Rows => output.write_all(answer.rows().as_bytes())?,
            AnswerForm::Page => output.write_all(answer.page().as_bytes())?,
        }
        Ok(output.flush()?)
    }
}

/// Writes a value as a line of JSON.
///
/// # Errors
///
/// The output cannot be written.
pub fn write_json(output: &mut impl Write, value: &impl Serialize) -> Result<(), Error> {
    writeln!(output, "{}", serde_json::to_string(value)?)?;
    Ok(())
}

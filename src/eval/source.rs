//! Where an evaluation comes from.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::rules::Rules;

use super::Evaluation;
use super::network::file::{self, FileError};

/// Where an evaluation comes from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Source {
    /// The best in the program.
    #[default]
    Program,
    /// Weights in the program that were chosen by hand: every game has such.
    Hand,
    /// A file of a network.
    File(PathBuf),
}

impl From<OsString> for Source {
    /// The path of a file, `hand`, or nothing for what is in the program.
    fn from(text: OsString) -> Self {
        match text.to_str() {
            Some("") => Source::Program,
            Some("hand") => Source::Hand,
            _ => Source::File(text.into()),
        }
    }
}

impl Source {
    /// The evaluation.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or holds no network for the game.
    pub fn load<R: Rules>(&self) -> Result<Evaluation<R>, FileError> {
        match self {
            Source::Program => Ok(Evaluation::of_program()),
            Source::Hand => Ok(Evaluation::by_hand()),
            Source::File(path) => file::open::<R>(path).map(Evaluation::by_network),
        }
    }
}

impl<R: Rules> Evaluation<R> {
    /// The best in the program.
    pub fn of_program() -> Self {
        Evaluation::by_hand()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::International;

    #[test]
    fn sources_are_told_by_words() {
        let source = |text: &str| Source::from(OsString::from(text));
        assert_eq!(source(""), Source::Program);
        assert_eq!(source("hand"), Source::Hand);
        assert_eq!(source("./hand"), Source::File("./hand".into()));
        assert_eq!(source("hand").load::<International>().unwrap().checksum(), None);
        assert!(source("/nowhere").load::<International>().is_err());
    }
}

//! Where an evaluation comes from.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::rules::Variant;

use super::Evaluation;
use super::network::features::Shape;
use super::network::file::{self, FileError};

/// Where an evaluation comes from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Source {
    /// The best evaluation in the program: a network if there is one for the game.
    #[default]
    Program,
    /// The hand-chosen weights in the program, which every game has.
    Hand,
    /// A weights file.
    File(PathBuf),
}

impl From<OsString> for Source {
    /// The path of a weights file, `hand`, or the empty string for the evaluation in the program.
    fn from(text: OsString) -> Self {
        match text.to_str() {
            Some("") => Source::Program,
            Some("hand") => Source::Hand,
            _ => Source::File(text.into()),
        }
    }
}

impl Source {
    /// Loads the evaluation.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or holds no network for the game.
    pub fn load(&self, variant: Variant, shape: Shape) -> Result<Evaluation, FileError> {
        match self {
            Source::Program => Ok(Evaluation::of_program(variant, shape)),
            Source::Hand => Ok(Evaluation::by_hand()),
            Source::File(path) => file::open(path, variant, shape).map(Evaluation::by_network),
        }
    }
}

/// The embedded weights file of a game.
fn embedded_file(variant: Variant) -> Option<&'static [u8]> {
    match variant {
        Variant::International => Some(include_bytes!("international.weights")),
        _ => None,
    }
}

impl Evaluation {
    /// The best evaluation in the program for a game and the features of its board.
    pub fn of_program(variant: Variant, shape: Shape) -> Self {
        let embedded = || file::read(embedded_file(variant)?, variant, shape).ok();
        embedded().map_or_else(Evaluation::by_hand, Evaluation::by_network)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board10;

    #[test]
    fn sources_are_told_by_words() {
        let source = |text: &str| Source::from(OsString::from(text));
        assert_eq!(source(""), Source::Program);
        assert_eq!(source("hand"), Source::Hand);
        assert_eq!(source("./hand"), Source::File("./hand".into()));
        let load = |text| source(text).load(Variant::International, Shape::of::<Board10>());
        assert_eq!(load("hand").unwrap().checksum(), None);
        assert!(load("").unwrap().checksum().is_some());
        assert!(load("/nowhere").is_err());
    }
}

//! Where an evaluation comes from.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::rules::{Rules, Variant};

use super::Evaluation;
use super::network::file::{self, FileError};

/// Where an evaluation comes from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Source {
    /// The best in the program: a network if there is one for the game.
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

/// The file of the network in the program for a game.
fn embedded_file(variant: Variant) -> Option<&'static [u8]> {
    match variant {
        Variant::International => Some(include_bytes!("international.weights")),
        _ => None,
    }
}

impl<R: Rules> Evaluation<R> {
    /// The best in the program.
    pub fn of_program() -> Self {
        let embedded = || file::read(embedded_file(R::VARIANT)?, R::VARIANT.name()).ok();
        embedded().map_or_else(Evaluation::by_hand, Evaluation::by_network)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{International, VariantVisitor};

    struct Embedded;

    impl VariantVisitor for Embedded {
        type Output = bool;

        fn visit<R: Rules>(self) -> bool {
            Source::Program.load::<R>().unwrap().checksum().is_some()
        }
    }

    #[test]
    fn networks_in_the_program_can_be_used() {
        for &variant in Variant::ALL {
            assert_eq!(variant.visit(Embedded), embedded_file(variant).is_some(), "{variant:?}");
        }
    }

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

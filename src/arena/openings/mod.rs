//! The openings of a match.
//!
//! An [`OpeningSource`] specifies a list of openings: computed, built in, or read from a file.
//! [`draw`] selects openings in random order, uses each once before repeating any, and can add
//! random plies.
//!
//! ```
//! use manoury::arena::openings::{OpeningSource, draw};
//! use manoury::rules::Variant;
//!
//! let source: OpeningSource = "ballots".parse()?;
//! let drawn = draw(Variant::International, &source, 0, 1, 158)?;
//! assert_eq!((drawn.openings.len(), drawn.distinct), (158, 79));
//! # Ok::<(), manoury::arena::openings::OpeningError>(())
//! ```

mod builtin_openings;
mod draw;
pub mod edge;
mod files;

use std::path::PathBuf;
use std::str::FromStr;
use std::{fmt, io};

use thiserror::Error;

use crate::erased::Game;
use crate::rules::Variant;

pub use draw::{MAX_RANDOM_PLIES, OpeningSequence, draw};

/// A game up to the position from which the engines play.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The name used in game records: `ballot 17`, `3-ply 123`, `edge 45`, or `file.fen:12` with
    /// the line number.
    pub name: String,
    /// The start position and the moves of the opening. The game is not over.
    pub game: Game,
}

/// A source of openings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningSource {
    /// The start position of the variant; written `start`.
    Start,
    /// Every position this number of plies after the start position, unless the side to move can
    /// capture; written `2-ply`, `3-ply` or `4-ply`. Each additional ply gives about four times as
    /// many positions.
    Plies(u8),
    /// The ballots of the variant (openings that tournaments draw by lot), or a substitute: those
    /// of international draughts, or level positions; written `ballots`. The lists, with their
    /// sources, are in `book/ballots`.
    Ballots,
    /// Openings in which one side is far enough ahead to win about half of its games; intended for
    /// matches of a program against itself; written `edge`. See [`edge`].
    Edge,
    /// A file that contains either PDN games, whose main lines are the openings, or positions in
    /// FEN or Hub notation, one per line.
    File {
        /// The path of the file.
        path: PathBuf,
        /// The number of plies to use from the start of each game; `None` for the whole game.
        plies: Option<usize>,
    },
}

/// The openings of a source.
#[derive(Clone, Debug)]
pub struct OpeningList {
    /// The openings, in the order of the source, without duplicate positions; at least one.
    pub openings: Vec<Opening>,
    /// The number of games left out of a file because they are shorter than the requested opening,
    /// or over at its end.
    pub skipped: usize,
}

impl OpeningSource {
    /// All openings, in the order of the source, without duplicate positions; there is at least
    /// one.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is invalid, contains no opening, or contains an opening in which
    /// the game is over; or there are no ballots or edge openings for the variant.
    pub fn openings(&self, variant: Variant) -> Result<Vec<Opening>, OpeningError> {
        self.list(variant).map(|list| list.openings)
    }

    /// The same openings as [`OpeningSource::openings`], with the number of games left out.
    ///
    /// # Errors
    ///
    /// The errors of [`OpeningSource::openings`].
    pub fn list(&self, variant: Variant) -> Result<OpeningList, OpeningError> {
        let openings = match self {
            OpeningSource::Start => {
                vec![Opening { name: self.to_string(), game: Game::new(variant) }]
            }
            OpeningSource::Plies(plies) => builtin_openings::after_plies(variant, *plies),
            OpeningSource::Ballots => builtin_openings::ballots(variant)?,
            OpeningSource::Edge => edge::openings(variant)?,
            OpeningSource::File { path, plies } => {
                return self.non_empty(files::read(variant, path, *plies)?);
            }
        };
        self.non_empty(OpeningList { openings, skipped: 0 })
    }

    /// Returns the list if it is not empty, else an error.
    fn non_empty(&self, list: OpeningList) -> Result<OpeningList, OpeningError> {
        match (list.openings.is_empty(), list.skipped) {
            (false, _) => Ok(list),
            (true, 0) => Err(OpeningError::Input(format!("{self}: no openings found"))),
            (true, skipped) => Err(OpeningError::Input(format!(
                "{self}: all {skipped} games are shorter than the opening or over at its end"
            ))),
        }
    }

    /// The same source, using only the first `plies` plies of each game.
    ///
    /// # Errors
    ///
    /// The source is not a file.
    pub fn shortened(self, plies: usize) -> Result<OpeningSource, OpeningError> {
        match self {
            OpeningSource::File { path, .. } => {
                Ok(OpeningSource::File { path, plies: Some(plies) })
            }
            other => Err(OpeningError::Input(format!(
                "{other}: only openings from a file of games can be shortened"
            ))),
        }
    }

    /// The number of plies to use from the start of each game in a file; `None` for the whole game.
    pub fn plies(&self) -> Option<usize> {
        match self {
            OpeningSource::File { plies, .. } => *plies,
            _ => None,
        }
    }
}

impl FromStr for OpeningSource {
    type Err = OpeningError;

    /// Parses the name of a source; any other text is the path of a file.
    fn from_str(text: &str) -> Result<Self, OpeningError> {
        match text {
            "" => Err(OpeningError::Input(SOURCES.to_owned())),
            "start" => Ok(OpeningSource::Start),
            "2-ply" => Ok(OpeningSource::Plies(2)),
            "3-ply" => Ok(OpeningSource::Plies(3)),
            "4-ply" => Ok(OpeningSource::Plies(4)),
            "ballots" => Ok(OpeningSource::Ballots),
            "edge" => Ok(OpeningSource::Edge),
            path => Ok(OpeningSource::File { path: path.into(), plies: None }),
        }
    }
}

impl fmt::Display for OpeningSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningSource::Start => f.write_str("start"),
            OpeningSource::Plies(plies) => write!(f, "{plies}-ply"),
            OpeningSource::Ballots => f.write_str("ballots"),
            OpeningSource::Edge => f.write_str("edge"),
            OpeningSource::File { path, .. } => path.display().fmt(f),
        }
    }
}

/// Why the openings cannot be provided.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// The input is invalid; the message says where, and what is expected.
    #[error("{0}")]
    Input(String),
    /// A file cannot be read.
    #[error("{}: {}{}", .0.display(), .1, hint(.1))]
    File(PathBuf, #[source] io::Error),
}

/// Advice for a missing file, whose path may be a misspelt source name.
fn hint(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("; {SOURCES}"),
        _ => String::new(),
    }
}

/// The sources that a user can choose.
const SOURCES: &str = "openings are start, 2-ply, 3-ply, 4-ply, ballots, edge or a file";

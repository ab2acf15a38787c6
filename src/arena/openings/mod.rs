//! Where the games of a match start.
//!
//! An [`OpeningSource`] is a list of openings: computed, embedded or in a file. [`draw`] takes some
//! of them in random order, each once before any comes again, and may add random plies.
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

mod ballots;
mod draw;
pub mod edge;
mod error;
mod files;
mod plies;
mod random;
mod source;

pub use draw::{OpeningSequence, draw};
pub use error::OpeningError;
pub use random::MAX_RANDOM_PLIES;
pub use source::{OpeningList, OpeningSource};

use crate::erased::Game;

/// A game up to the point from which the engines play on.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The name used in records: `ballot 17`, `3-ply 123`, `edge 45`, or `file.fen:12` with the line number.
    pub name: String,
    /// The start position and the moves of the opening. The game is not over.
    pub game: Game,
}

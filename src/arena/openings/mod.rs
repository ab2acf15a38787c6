//! Where the games of a match start.
//!
//! A [`Source`] is a list of openings: computed, embedded or in a file. [`draw`] takes some of them in
//! random order, each once before any comes again, and may add random plies.
//!
//! ```
//! use manoury::arena::openings::{Source, draw};
//! use manoury::rules::International;
//!
//! let source: Source = "ballots".parse()?;
//! let drawn = draw::<International>(&source, 0, 1, 158)?;
//! assert_eq!((drawn.openings.len(), drawn.distinct), (158, 79));
//! # Ok::<(), manoury::arena::openings::OpeningError>(())
//! ```

mod ballots;
mod draw;
mod error;
mod files;
mod plies;
mod random;
mod source;

pub use draw::{Drawn, draw};
pub use error::OpeningError;
pub use random::{MOST_RANDOM_PLIES, playout};
pub use source::Source;

use crate::board::Move;
use crate::game::Game;
use crate::movegen;
use crate::position::Position;
use crate::rules::Rules;

/// A game as far as it is given to the engines, who play on from there.
#[derive(Clone, Debug)]
pub struct Opening<R: Rules> {
    /// What records call it: `ballot 17`, `3-ply 123`, `file.fen:12` with the line.
    pub name: String,
    /// The start position and the moves made. The game is not over.
    pub game: Game<R>,
}

/// The legal moves in the order of their squares, which stays the same whatever the move generator
/// does: the same seed must draw the same openings everywhere.
fn ordered_moves<R: Rules>(position: &Position<R>) -> Vec<Move<R::Geometry>> {
    let mut moves = movegen::legal_moves(position).into_vec();
    moves.sort_by_cached_key(|mv| mv.numbers());
    moves
}

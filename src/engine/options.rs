//! The options of an engine, and the ranges of values that users may set.

use std::path::PathBuf;

use crate::search::Params;
use crate::weights::WeightsSource;

use super::level::{Level, Strength};

/// The ranges of values that users may set on the command line, through Hub, in Python and on the
/// page.
pub mod limits {
    use super::{Level, Strength};

    /// Maximum number of search threads.
    pub const MAX_THREADS: u32 = 256;
    /// Maximum number of threads for work other than searching: bitbases, games, training.
    pub const MAX_WORKERS: u32 = 1024;
    /// Minimum size of a transposition table: base-2 logarithm of its number of entries.
    pub const MIN_TT_SIZE: u32 = 16;
    /// Maximum size of a transposition table: base-2 logarithm of its number of entries.
    pub const MAX_TT_SIZE: u32 = 30;
    /// Maximum number of lines of a search; few positions have more moves.
    pub const MAX_MULTIPV: u32 = 128;
    /// Maximum number of pieces in a bitbase.
    pub const MAX_BITBASE_PIECES: u32 = crate::bitbase::MAX_PIECES as u32;
    /// Maximum number of plies with random book moves.
    pub const MAX_BOOK_PLIES: u32 = 20;
    /// Maximum score difference between a random book move and the best one, in hundredths of a
    /// man.
    pub const MAX_BOOK_MARGIN: u32 = 100;
    /// The number of the weakest level.
    pub const MIN_LEVEL: u32 = Level::MIN.number() as u32;
    /// The number of the highest level, full strength.
    pub const MAX_LEVEL: u32 = Level::FULL.number() as u32;
    /// The strength of the weakest level, in Elo on the program's own scale.
    pub const MIN_ELO: u32 = Strength::MIN.elo() as u32;
    /// Full strength, in Elo on the program's own scale.
    pub const MAX_ELO: u32 = Strength::FULL.elo() as u32;
}

/// The options of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOptions {
    /// The number of search threads, at least 1. With one thread, searches are reproducible.
    pub threads: usize,
    /// Base-2 logarithm of the number of entries of the transposition table (16 bytes each).
    pub tt_size: u32,
    /// The number of lines to search, each with a different first move; 1 to
    /// [`limits::MAX_MULTIPV`].
    pub multipv: u32,
    /// Maximum number of pieces in a position that is looked up in bitbases; 0 to use no bitbases.
    /// If the bitbases contain the current position with its distance to the end, the engine plays
    /// perfectly without a search. If they contain only its value, the engine searches only the
    /// moves that keep this value.
    pub bb_size: usize,
    /// The folder of bitbases; `None` for
    /// [`default_bitbase_folder`](super::default_bitbase_folder).
    pub bb_dir: Option<PathBuf>,
    /// The source of the evaluation.
    pub weights: WeightsSource,
    /// How the book is used; `None` for no book.
    pub book: Option<BookOptions>,
    /// The playing strength.
    pub strength: Strength,
    /// The random seed for book moves and for moves below full strength; `None` for a different
    /// seed each time.
    pub seed: Option<u64>,
    /// The tunable search parameters.
    pub params: Params,
}

impl Default for EngineOptions {
    fn default() -> Self {
        EngineOptions {
            threads: 1,
            tt_size: 24,
            multipv: 1,
            bb_size: limits::MAX_BITBASE_PIECES as usize,
            bb_dir: None,
            weights: WeightsSource::default(),
            book: None,
            strength: Strength::FULL,
            seed: None,
            params: Params::default(),
        }
    }
}

/// How an engine uses its book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookOptions {
    /// The book file; `None` for the embedded book.
    pub file: Option<PathBuf>,
    /// The number of plies from the start of a game during which book moves are chosen at random;
    /// after that, the best book move is played.
    pub plies: u32,
    /// Maximum score difference between a random move and the best one, in hundredths of a man.
    pub margin: u32,
}

impl Default for BookOptions {
    fn default() -> Self {
        BookOptions { file: None, plies: 4, margin: 4 }
    }
}

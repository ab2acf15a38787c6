//! The interface of the typed code to the values above it, and the one place that chooses the type
//! of a game.

use std::path::Path;

use crate::bitbase::{GenerateError, Slice, SolveWatch};
use crate::board::{Grid, Move};
use crate::eval::Evaluation;
use crate::eval::network::features::Shape;
use crate::game::Outcome;
use crate::position::Setup;
use crate::rules::{
    Brazilian, Breakthrough, Canadian, Czech, Directions, English, Frisian, German, International,
    Italian, Killer, Losing, Pool as PoolCheckers, Russian, Spanish, Turkish, Variant,
};
use crate::score::Score;
use crate::search::{Info, SearchResult, ThreadPool};

use super::bitbases::Bitbases;
use super::game::AnyGame;
use super::position::{KingRun, Position};
use super::search::{Job, ResumeState};
use super::typed::Typed;

/// The rules of a variant as a trait object. Frysk! shares those of Frisian draughts.
///
/// This is the only `match` from a variant to a type.
// Never inlined: inlining into another package would compile the typed code there too.
#[inline(never)]
pub fn any_rules(variant: Variant) -> &'static dyn AnyRules {
    match variant {
        Variant::International => &Typed::<International>::NEW,
        Variant::Killer => &Typed::<Killer>::NEW,
        Variant::Breakthrough => &Typed::<Breakthrough>::NEW,
        Variant::Losing => &Typed::<Losing>::NEW,
        Variant::Frisian | Variant::Frysk => &Typed::<Frisian>::NEW,
        Variant::Brazilian => &Typed::<Brazilian>::NEW,
        Variant::Russian => &Typed::<Russian>::NEW,
        Variant::English => &Typed::<English>::NEW,
        Variant::Italian => &Typed::<Italian>::NEW,
        Variant::Spanish => &Typed::<Spanish>::NEW,
        Variant::German => &Typed::<German>::NEW,
        Variant::Czech => &Typed::<Czech>::NEW,
        Variant::Pool => &Typed::<PoolCheckers>::NEW,
        Variant::Canadian => &Typed::<Canadian>::NEW,
        Variant::Turkish => &Typed::<Turkish>::NEW,
    }
}

/// The operations of a game, regardless of its type. Positions and moves must be of a variant with
/// these rules.
pub trait AnyRules: Sync {
    /// The board.
    fn grid(&self) -> Grid;

    /// The moves and captures of the pieces, as far as notation depends on them.
    fn mechanics(&self) -> Mechanics;

    /// The network features of the board.
    fn shape(&self) -> Shape;

    /// The position of a setup, which must have passed [`Setup::check`].
    fn position(&self, variant: Variant, setup: &Setup) -> Position;

    /// See [`Position::with_king_runs`].
    fn with_king_runs(&self, position: &Position, runs: [KingRun; 2]) -> Position;

    /// All legal moves, in the order in which the search generates them.
    fn legal_moves(&self, position: &Position) -> Vec<Move>;

    /// Whether the side to move has a move.
    fn has_move(&self, position: &Position) -> bool;

    /// Whether the side to move must capture.
    fn has_capture(&self, position: &Position) -> bool;

    /// Whether the opponent could capture if it were to move.
    fn is_threatened(&self, position: &Position) -> bool;

    /// The position after a legal move.
    fn after(&self, position: &Position, mv: Move) -> Position;

    /// The outcome of a position regardless of its history; `None` if the side to move has a move.
    fn outcome(&self, position: &Position) -> Option<Outcome>;

    /// The number of leaves `depth` plies below a position, counted on rayon's threads.
    fn perft(&self, position: &Position, depth: u32) -> u64;

    /// The number of leaves below each legal move, in the order of the moves.
    fn divide(&self, position: &Position, depth: u32) -> Vec<(Move, u64)>;

    /// The static evaluation of a position for the side to move.
    fn score(&self, evaluation: &Evaluation, position: &Position) -> Score;

    /// The margin of a position, in hundredths of a man; `None` if it was not learned.
    fn margin(&self, evaluation: &Evaluation, position: &Position) -> Option<i32>;

    /// The network input of a position, for training.
    fn lesson(&self, position: &Position) -> Lesson;

    /// A game that starts from a position.
    fn game(&self, start: &Position) -> Box<dyn AnyGame>;

    /// A pool of search threads that have not learned anything yet.
    fn pool(&self, threads: usize) -> ThreadPool;

    /// Clears the histories of a thread pool.
    fn clear_pool(&self, pool: &mut ThreadPool);

    /// See [`think`](super::think).
    fn think(
        &self,
        job: Job<'_>,
        pool: &mut ThreadPool,
        resume: &mut ResumeState,
        sink: &mut dyn FnMut(&Info),
    ) -> Option<SearchResult>;

    /// An empty set of bitbases of a variant.
    fn no_bitbases(&self, variant: Variant) -> Box<dyn Bitbases>;

    /// The bitbases of a variant that are embedded in the program.
    fn bitbases(&self, variant: Variant) -> Box<dyn Bitbases>;

    /// The number of positions with 2 to `pieces` pieces.
    fn bitbase_positions(&self, pieces: usize) -> u64;

    /// An upper bound on the memory, in bytes, that generating the bitbases of up to `pieces`
    /// pieces takes.
    fn bitbase_memory(&self, pieces: usize, has_distances: bool) -> u64;

    /// See [`Generation::run`](super::Generation::run).
    ///
    /// # Errors
    ///
    /// Those of [`generate`](crate::bitbase::generate).
    fn generate(
        &self,
        variant: Variant,
        folder: &Path,
        pieces: usize,
        has_distances: bool,
        watch: &dyn SolveWatch,
    ) -> Result<(), GenerateError>;

    /// The number of positions in a slice and its mirror.
    fn slice_positions(&self, slice: Slice) -> u64;

    /// An upper bound on the memory, in bytes, that generating a slice and its mirror takes.
    fn slice_memory(&self, slice: Slice) -> u64;

    /// See [`SliceGeneration::run`](super::SliceGeneration::run).
    ///
    /// # Errors
    ///
    /// Those of [`generate_slices`](crate::bitbase::generate_slices).
    fn generate_slices(
        &self,
        variant: Variant,
        folder: &Path,
        slices: &[Slice],
        watch: &dyn SolveWatch,
    ) -> Result<(), GenerateError>;
}

/// The moves and captures of the pieces of a game, as values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mechanics {
    /// Whether men capture backward too.
    pub men_capture_backward: bool,
    /// Whether kings move and capture over any distance.
    pub flying_kings: bool,
    /// The directions in which pieces move and capture.
    pub directions: Directions,
    /// Whether a captured piece is taken off at once rather than after the whole capture.
    pub captured_at_once: bool,
    /// Whether a man that reaches its promotion row during a capture continues as a king.
    pub promotion_in_passing: bool,
    /// The number of times in a row that a side with a man may move the same king without
    /// capturing; 0 for no limit.
    pub king_moves_in_a_row: u8,
}

/// The network input of a position, and the divisors of the network output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lesson {
    /// The feature rows of the position (see [`features`](crate::eval::network::features)).
    pub rows: Vec<usize>,
    /// The divisors of a lead of the side to move, and of the opponent.
    pub divisors: [u8; 2],
}

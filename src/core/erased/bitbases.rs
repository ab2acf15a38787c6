//! Bitbases of any game.

use std::any::Any;
use std::fmt::Debug;
use std::path::Path;

use crate::bitbase::{
    Content, FileError, GenerateError, Slice, SolveWatch, ValueCounts, Verdict, VerdictCounts,
};
use crate::board::Move;
use crate::rules::Variant;

use super::any_rules::any_rules;
use super::game::Game;
use super::position::Position;

/// The available bitbases of a game, for probing.
pub trait Bitbases: Debug + Send + Sync {
    /// The underlying type, for downcasts.
    fn as_any(&self) -> &dyn Any;

    /// The game.
    fn variant(&self) -> Variant;

    /// Opens the files in a folder, of up to `pieces` pieces, that are not open yet. Missing files
    /// are ignored; unusable ones are left out and returned as errors.
    fn open(&mut self, folder: &Path, pieces: usize) -> Vec<FileError>;

    /// Adds those that are embedded in the program where none are open.
    fn add_embedded(&mut self);

    /// Ignores bitbases with more than `pieces` pieces.
    fn limit(&mut self, pieces: usize);

    /// Gives all values as they are stored, without a limit on consecutive king moves. Until then, a
    /// value that the limit may change is unknown.
    fn ignore_king_move_limit(&mut self);

    /// The greatest number of pieces with known values.
    fn pieces(&self) -> usize;

    /// The file of a slice.
    fn file(&self, slice: Slice, content: Content) -> Option<&dyn BitbaseFile>;

    /// Everything known about a position; `None` if its value is unknown. Captures are played out.
    fn verdict(&self, position: &Position) -> Option<Verdict>;

    /// The verdict on a position from its best move; `None` if it has no moves or the value of one
    /// is unknown.
    fn verdict_by_moves(&self, position: &Position) -> Option<Verdict>;

    /// All moves of a position with the verdicts for the side that makes them, best first; `None`
    /// if one is unknown.
    fn rated_moves(&self, position: &Position) -> Option<Vec<(Move, Verdict)>>;

    /// The moves to the end of the game, both sides playing the best ones, the first of equals;
    /// `None` if no end is known.
    fn line(&self, position: &Position) -> Option<Vec<Move>>;

    /// The moves to the end of a game, as [`Bitbases::line`]; also `None` if the draw rules end it
    /// before.
    fn line_in_game(&self, game: &Game) -> Option<Vec<Move>>;

    /// Whether the side that wins a game without draw rules also wins it within all move limits of
    /// the rules. `None` if neither side wins, if the distances are unknown, or if the search takes
    /// too long. Repetition is ignored: a side that can win need not repeat a position.
    fn wins_within_move_limits(&self, game: &Game) -> Option<bool>;

    /// Counts the positions of a slice by value and distance on rayon's threads; `None` if one is
    /// unknown or `watch` requests a stop. Each position is one step.
    fn count_verdicts(&self, slice: Slice, watch: &dyn SolveWatch) -> Option<VerdictCounts>;
}

impl dyn Bitbases {
    /// All files with a given content, fewest pieces first.
    pub fn files(&self, content: Content) -> impl Iterator<Item = &dyn BitbaseFile> {
        let slices = (2..=self.pieces()).flat_map(Slice::all);
        slices.filter_map(move |slice| self.file(slice, content))
    }

    /// The size of all files, in bytes.
    pub fn size(&self) -> u64 {
        let contents = [Content::Values, Content::Distances].into_iter();
        contents.flat_map(|content| self.files(content)).map(BitbaseFile::size).sum()
    }

    /// An empty set of bitbases of a game.
    pub fn none(variant: Variant) -> Box<dyn Bitbases> {
        any_rules(variant).no_bitbases(variant)
    }

    /// The bitbases of a game that are embedded in the program.
    pub fn of_program(variant: Variant) -> Box<dyn Bitbases> {
        any_rules(variant).bitbases(variant)
    }
}

/// A bitbase file: the quiet positions of a slice, of any game.
pub trait BitbaseFile: Sync {
    /// The slice.
    fn slice(&self) -> Slice;

    /// The number of positions in the slice.
    fn positions(&self) -> u64;

    /// The position with a given number, below [`BitbaseFile::positions`], with White to move.
    fn position(&self, number: u64) -> Position;

    /// The number of positions of each value.
    fn counts(&self) -> ValueCounts;

    /// The path of the file.
    fn path(&self) -> &Path;

    /// The size of the file, in bytes.
    fn size(&self) -> u64;

    /// The stored checksum.
    fn checksum(&self) -> u32;

    /// Verifies the checksum of the whole file.
    ///
    /// # Errors
    ///
    /// The checksum is wrong.
    fn verify(&self) -> Result<(), FileError>;
}

/// The generation of all bitbases of a game with up to `pieces` pieces.
#[derive(Clone, Copy, Debug)]
pub struct Generation {
    /// The game.
    pub variant: Variant,
    /// The greatest number of pieces on the board.
    pub pieces: usize,
    /// Whether distances are generated too.
    pub has_distances: bool,
}

impl Generation {
    /// The number of positions.
    pub fn positions(&self) -> u64 {
        any_rules(self.variant).bitbase_positions(self.pieces)
    }

    /// An upper bound on the memory it takes, in bytes.
    pub fn memory(&self) -> u64 {
        any_rules(self.variant).bitbase_memory(self.pieces, self.has_distances)
    }

    /// Generates the files missing from a folder, on rayon's threads.
    ///
    /// # Errors
    ///
    /// A file cannot be used or written, memory runs out, or `watch` requests a stop.
    pub fn run(&self, folder: &Path, watch: &dyn SolveWatch) -> Result<(), GenerateError> {
        let Generation { variant, pieces, has_distances } = *self;
        any_rules(variant).generate(variant, folder, pieces, has_distances, watch)
    }
}

/// The generation of some slices of a game and their mirrors, values only, from the files of
/// others: a part of a generation that several processes or machines share (see
/// [`plan`](crate::bitbase::plan)).
#[derive(Clone, Copy, Debug)]
pub struct SliceGeneration<'a> {
    /// The game.
    pub variant: Variant,
    /// The slices, each after those it depends on.
    pub slices: &'a [Slice],
}

impl SliceGeneration<'_> {
    /// The number of positions.
    pub fn positions(&self) -> u64 {
        let rules = any_rules(self.variant);
        self.slices.iter().map(|&slice| rules.slice_positions(slice)).sum()
    }

    /// An upper bound on the memory it takes, in bytes.
    pub fn memory(&self) -> u64 {
        let rules = any_rules(self.variant);
        let memory = self.slices.iter().map(|&slice| rules.slice_memory(slice));
        memory.max().unwrap_or_default()
    }

    /// Generates the files missing from a folder, on rayon's threads, from those of the slices they
    /// lead to. The subfolder `tables` receives what only the generation of further slices needs.
    ///
    /// # Errors
    ///
    /// A file cannot be used or written, a slice is missing, memory runs out, or `watch` requests a
    /// stop.
    pub fn run(&self, folder: &Path, watch: &dyn SolveWatch) -> Result<(), GenerateError> {
        any_rules(self.variant).generate_slices(self.variant, folder, self.slices, watch)
    }
}

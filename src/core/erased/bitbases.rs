//! Bitbases of any variant.

use std::any::Any;
use std::fmt::Debug;
use std::path::Path;

use crate::bitbase::{
    self, BitbaseSet, Content, FileError, GenerateError, Slice, Verdict, VerdictCounts,
};
use crate::board::Move;
use crate::movegen;
use crate::progress::Progress;
use crate::rules::{Rules, Variant};

use super::game::Game;
use super::position::Position;
use super::variant_ops::{to_moves, typed, typed_game, value, variant_ops};

pub use crate::bitbase::File as BitbaseFile;

/// The available bitbases of a variant, for probing.
#[derive(Debug)]
pub struct Bitbases(Box<dyn BitbaseOps>);

impl Bitbases {
    /// An empty set of bitbases of a variant.
    pub fn none(variant: Variant) -> Bitbases {
        Bitbases(variant_ops(variant).no_bitbases(variant))
    }

    /// The bitbases of a variant that are embedded in the program.
    pub fn embedded(variant: Variant) -> Bitbases {
        let mut bitbases = Bitbases::none(variant);
        bitbases.add_embedded();
        bitbases
    }

    /// All files with a given content, fewest pieces first.
    pub fn files(&self, content: Content) -> impl Iterator<Item = &BitbaseFile> {
        let slices = (2..=self.pieces()).flat_map(Slice::all);
        slices.filter_map(move |slice| self.file(slice, content))
    }

    /// The size of all files, in bytes.
    pub fn size(&self) -> u64 {
        let contents = [Content::Values, Content::Distances].into_iter();
        contents.flat_map(|content| self.files(content)).map(BitbaseFile::size).sum()
    }

    /// The bitbases as a set for the rules `R`, which must be those of the variant.
    pub(super) fn typed<R: Rules>(&self) -> &BitbaseSet<R> {
        match self.0.as_any().downcast_ref() {
            Some(bitbases) => bitbases,
            None => unreachable!("the bitbases are of {}", self.variant()),
        }
    }
}

/// Declares methods of [`Bitbases`] whose bodies are generic over the rules. For each, the macro
/// writes a method of [`BitbaseOps`], its implementation, and a method of [`Bitbases`] that calls
/// it. In a body, `self` is the [`BitbaseSet`].
macro_rules! typed_methods {
    ($self:ident: $(
        $(#[$doc:meta])*
        fn $name:ident[$($receiver:tt)+]($($arg:ident: $type:ty),*) $(-> $output:ty)? $body:block
    )*) => {
        /// The bitbases of a variant, regardless of the type of its rules.
        pub trait BitbaseOps: Debug + Send + Sync {
            /// The underlying type, for downcasts.
            fn as_any(&self) -> &dyn Any;

            $(
                #[doc = concat!("See [`Bitbases::", stringify!($name), "`].")]
                fn $name($($receiver)+ $(, $arg: $type)*) $(-> $output)?;
            )*
        }

        impl<R: Rules> BitbaseOps for BitbaseSet<R> {
            fn as_any(&self) -> &dyn Any {
                self
            }

            $(fn $name($($receiver)+ $(, $arg: $type)*) $(-> $output)? $body)*
        }

        impl Bitbases {
            $(
                $(#[$doc])*
                pub fn $name($($receiver)+ $(, $arg: $type)*) $(-> $output)? {
                    $self.0.$name($($arg),*)
                }
            )*
        }
    };
}

typed_methods! { self:
    /// The variant.
    fn variant[&self]() -> Variant {
        self.variant()
    }

    /// Opens the files in a folder for endings with at most `pieces` pieces, except those already
    /// open. Missing files are ignored; unusable files are skipped and returned as errors.
    fn open[&mut self](folder: &Path, pieces: usize) -> Vec<FileError> {
        self.open(folder, pieces)
    }

    /// Adds each embedded file unless one for the same slice and content is already open.
    fn add_embedded[&mut self]() {
        self.add_embedded();
    }

    /// Ignores bitbases with more than `pieces` pieces.
    fn limit[&mut self](pieces: usize) {
        self.limit(pieces);
    }

    /// Makes probes return all values as stored, that is, as computed without the limit on
    /// consecutive king moves. By default, a value that this limit may change is unknown.
    fn ignore_king_move_limit[&mut self]() {
        self.ignore_king_move_limit();
    }

    /// The maximum number of pieces with known values.
    fn pieces[&self]() -> usize {
        self.pieces()
    }

    /// The file of a slice.
    fn file[&self](slice: Slice, content: Content) -> Option<&BitbaseFile> {
        self.file(slice, content)
    }

    /// The position with a given number in a file, with White to move. The number must be less than
    /// [`BitbaseFile::positions`].
    fn position[&self](file: &BitbaseFile, number: u64) -> Position {
        value(self.variant(), &file.index().pieces(number).position(self.rules()))
    }

    /// The verdict on a position; `None` if its value is unknown. Captures are played out.
    fn probe[&self](position: &Position) -> Option<Verdict> {
        self.verdict(&typed(self.rules(), position))
    }

    /// The verdict on a position, computed from its moves; `None` if it has no moves or the value
    /// after one of them is unknown.
    fn verdict_by_moves[&self](position: &Position) -> Option<Verdict> {
        let position = typed(self.rules(), position);
        self.verdict_of_moves(&position, &movegen::legal_moves(&position))
    }

    /// All moves of a position, each with its verdict for the side that makes it, best first;
    /// `None` if a verdict is unknown.
    fn rated_moves[&self](position: &Position) -> Option<Vec<(Move, Verdict)>> {
        let rated = self.rated_moves(&typed(self.rules(), position))?;
        let mut moves = Vec::with_capacity(rated.len());
        for (mv, verdict) in rated {
            moves.push((mv.to_move(), verdict));
        }
        Some(moves)
    }

    /// The moves to the end of the game with best play, choosing the first of equally good moves;
    /// `None` if the number of plies to the end is unknown.
    fn line[&self](position: &Position) -> Option<Vec<Move>> {
        Some(to_moves(&self.line(&typed(self.rules(), position))?))
    }

    /// Like [`Bitbases::line`], but from the last position of a game; also `None` if the draw rules
    /// end the game earlier.
    fn line_in_game[&self](game: &Game) -> Option<Vec<Move>> {
        Some(to_moves(&self.line_in_game(typed_game(game))?))
    }

    /// Whether the side that would win without draw rules can also win within all of the rules'
    /// move limits. `None` if neither side would win, if the distances are unknown, or if the
    /// search takes too long.
    ///
    /// Repetition is ignored: a side that can win need not repeat a position.
    fn wins_within_move_limits[&self](game: &Game) -> Option<bool> {
        self.wins_within_move_limits(typed_game(game))
    }

    /// Counts the positions of a slice by verdict, on rayon's threads; `None` if a verdict is
    /// unknown or `progress` requests a stop. Each position is one step of progress.
    fn count_verdicts[&self](slice: Slice, progress: &dyn Progress) -> Option<VerdictCounts> {
        self.count_verdicts(slice, progress)
    }
}

/// The generation of all bitbases of a variant with up to `pieces` pieces.
#[derive(Clone, Copy, Debug)]
pub struct Generation {
    /// The variant.
    pub variant: Variant,
    /// The maximum number of pieces on the board.
    pub pieces: usize,
    /// Whether distances are generated too.
    pub has_distances: bool,
}

impl Generation {
    /// The number of positions to generate.
    pub fn positions(&self) -> u64 {
        bitbase::positions(self.variant.grid(), self.pieces)
    }

    /// An upper bound on the memory used, in bytes.
    pub fn memory(&self) -> u64 {
        bitbase::memory(self.variant.grid(), self.pieces, self.has_distances)
    }

    /// Generates the files missing from a folder, on rayon's threads.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be used or written, memory runs out, or `progress` requests a stop.
    pub fn run(&self, folder: &Path, progress: &dyn Progress) -> Result<(), GenerateError> {
        let Generation { variant, pieces, has_distances } = *self;
        let rules = variant_ops(variant).retrograde_rules();
        bitbase::generate(&rules, variant, folder, pieces, has_distances, progress)
    }
}

/// One process's share of a generation split between several processes or machines (see
/// [`plan`](crate::bitbase::plan)): the values of some slices of a variant and of their mirrors,
/// computed from the files of other slices.
#[derive(Clone, Copy, Debug)]
pub struct SliceGeneration<'a> {
    /// The variant.
    pub variant: Variant,
    /// The slices, each after those it depends on.
    pub slices: &'a [Slice],
}

impl SliceGeneration<'_> {
    /// The number of positions to generate.
    pub fn positions(&self) -> u64 {
        let grid = self.variant.grid();
        self.slices.iter().map(|&slice| bitbase::slice_positions(grid, slice)).sum()
    }

    /// An upper bound on the memory used, in bytes.
    pub fn memory(&self) -> u64 {
        let grid = self.variant.grid();
        let memory = self.slices.iter().map(|&slice| bitbase::slice_memory(grid, slice));
        memory.max().unwrap_or_default()
    }

    /// Generates the files missing from a folder, on rayon's threads. The folder must contain the
    /// files of all other slices that the generated ones lead to. Data needed only to generate
    /// further slices is written to the `tables` subfolder.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be used or written, a slice is missing, memory runs out, or
    /// `progress` requests a stop.
    pub fn run(&self, folder: &Path, progress: &dyn Progress) -> Result<(), GenerateError> {
        let rules = variant_ops(self.variant).retrograde_rules();
        bitbase::generate_slices(&rules, self.variant, folder, self.slices, progress)
    }
}

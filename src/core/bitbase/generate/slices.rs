//! The generation of single slices from the files of others, so that several processes or machines
//! can share the work.

use std::collections::BTreeSet;
use std::path::Path;

use crate::board::Geometry;
use crate::progress::Progress;
use crate::rules::{Rules, Variant};

use super::{GenerateError, Generator, WORKING, create, len};
use crate::bitbase::distance::DistanceTables;
use crate::bitbase::error::SolveError;
use crate::bitbase::file::Content;
use crate::bitbase::rules_of::RulesOf;
use crate::bitbase::slice::Slice;
use crate::bitbase::table::ValueTables;
use crate::bitbase::table_file;
use crate::bitbase::value::without_move;

/// An upper bound on the memory, in bytes, that generating a slice and its mirror takes: a byte for
/// each of their positions, two bits for those of the slices they lead to, and the first of their
/// tables, which is compressed while the other still has its bytes.
pub fn slice_memory<R: Rules>(slice: Slice) -> u64 {
    let first = len::<R>(slice);
    let needed: u64 = needed(slice).into_iter().map(len::<R>).sum();
    WORKING + slice_positions::<R>(slice) + first / 4 + first / 8 + needed / 4
}

/// The number of positions in a slice and its mirror.
pub fn slice_positions<R: Rules>(slice: Slice) -> u64 {
    slice.with_mirror().into_iter().map(len::<R>).sum()
}

/// The slices that must be there before a slice and its mirror can be solved.
pub(in crate::bitbase) fn needed(slice: Slice) -> BTreeSet<Slice> {
    slice.with_mirror().into_iter().flat_map(Slice::successors).collect()
}

/// Generates the missing files of slices and their mirrors, values only, in the given order, on
/// rayon's threads. All that they lead to must be in the folder. Their whole tables are left in its
/// subfolder `tables`: others need them, and anybody may delete them in the end.
///
/// # Errors
///
/// A file cannot be used or written, a slice is missing, memory runs out, or `progress` requests a
/// stop.
pub fn generate_slices<R: Rules>(
    variant: Variant,
    folder: &Path,
    slices: &[Slice],
    progress: &dyn Progress,
) -> Result<(), GenerateError> {
    let mut generator = Generator {
        rules: &RulesOf::<R>::NEW,
        variant,
        folder,
        pieces: 0,
        contents: &[Content::Values],
        progress,
        values: ValueTables::new(without_move::<R>()),
        distances: DistanceTables::new(without_move::<R>()),
    };
    create(folder)?;
    slices.iter().try_for_each(|&slice| generator.make_one(slice))
}

impl<G: Geometry> Generator<'_, G> {
    /// Generates the files of a slice and its mirror, if one is missing.
    fn make_one(&mut self, slice: Slice) -> Result<(), GenerateError> {
        if let Some(files) = self.files(slice, Content::Values)? {
            self.progress.advance(files.iter().map(|file| 2 * file.index().len()).sum());
            return Ok(());
        }
        let needed = needed(slice);
        self.forget(|other| !needed.contains(&other));
        needed.into_iter().try_for_each(|slice| self.load(slice))?;
        self.solve_values(slice, |table| table_file::write(self.folder, table))
    }

    /// Reads the table of a slice, or else makes it from the bitbase file.
    fn load(&mut self, slice: Slice) -> Result<(), GenerateError> {
        if self.values.get(slice).is_some() {
            return Ok(());
        }
        if let Some(table) = table_file::read(self.folder, slice)? {
            self.values.add(table);
            return Ok(());
        }
        let Some(files) = self.files(slice, Content::Values)? else {
            return Err(SolveError::Missing(slice).into());
        };
        let captures = slice.with_mirror().into_iter().flat_map(Slice::after_captures);
        captures.into_iter().try_for_each(|slice| self.load(slice))?;
        self.read_values(&files)
    }
}

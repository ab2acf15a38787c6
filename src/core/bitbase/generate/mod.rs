//! The generation of the bitbases of all endings up to a number of pieces, one ending at a time.
//!
//! Existing files are kept, so an interrupted generation resumes where it stopped.
//!
//! Measured for international draughts, values only (more threads take less time; six pieces ran
//! beside other work):
//!
//! | pieces | positions | bytes | time | memory |
//! | --- | --- | --- | --- | --- |
//! | 2 to 4 | 42,786,345 | 1,198,935 | 5 s, one thread | 29 MB |
//! | 5 | 1,570,600,750 | 36,815,143 | 197 s, one thread | 505 MB |
//! | 6 | 46,198,758,750 | 1,103,930,865 | 100 minutes, two threads | at most 10.9 GiB |
//!
//! `tests/data/endgame/wld_counts_6.tsv` has the counts and checksums of six pieces.

mod slices;

pub(super) use slices::needed;
pub use slices::{generate_slices, slice_memory, slice_positions};

use std::fs;
use std::path::Path;

use crate::board::Geometry;
use crate::movegen::outlined;
use crate::parallel;
use crate::progress::Progress;
use crate::rules::{Rules, Variant};
use crate::storage::FormatError;

use crate::bitbase::codec::BLOCK;
use crate::bitbase::counts::ValueCounts;
use crate::bitbase::distance::{self, DistanceRules, DistanceTable, DistanceTables, measure};
use crate::bitbase::error::SolveError;
use crate::bitbase::file::{self, About, BitbaseProblem, Content, File, FileError};
use crate::bitbase::index::{Cursor, Index};
use crate::bitbase::rules_of::RulesOf;
use crate::bitbase::slice::Slice;
use crate::bitbase::solve::{Solved, ValueRules, solve};
use crate::bitbase::table::{ValueTable, ValueTables};
use crate::bitbase::value::{Value, without_move};

/// Why bitbases could not be generated.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// A file could not be used or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// An ending could not be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// The number of positions with 2 to `pieces` pieces.
pub fn positions<R: Rules>(pieces: usize) -> u64 {
    (2..=pieces).flat_map(Slice::all).map(len::<R>).sum()
}

/// The memory of the program itself, and of its threads for compression, in bytes.
const WORKING: u64 = 64 << 20;

/// An upper bound on the memory, in bytes, that generating the bitbases of up to `pieces` pieces
/// takes: a byte and a bit per position of the ending being solved, and two bits, with distances
/// another byte, per position of those it leads to.
pub fn memory<R: Rules>(pieces: usize, has_distances: bool) -> u64 {
    // Per position of a slice in memory: two bits for the value, a byte for the distance.
    let kept = |positions: u64| positions / 4 + if has_distances { positions } else { 0 };
    let slices = Slice::all(pieces);
    let needed = slices.iter().map(|&slice| {
        let solved = if slice.mirror() == slice { 1 } else { 2 } * len::<R>(slice);
        let reached =
            |other: &&Slice| !is_over(**other, slice) && other.men_of_both() <= slice.men_of_both();
        let others: u64 = slices.iter().filter(reached).map(|&other| len::<R>(other)).sum();
        solved + solved / 8 + kept(others)
    });
    WORKING + kept(positions::<R>(pieces.saturating_sub(1))) + needed.max().unwrap_or(0)
}

/// The number of positions in a slice.
fn len<R: Rules>(slice: Slice) -> u64 {
    Index::<R::Geometry>::new(slice).len()
}

/// Creates the folder of the files.
fn create(folder: &Path) -> Result<(), GenerateError> {
    Ok(fs::create_dir_all(folder).map_err(|error| BitbaseProblem::from(error).of(folder))?)
}

/// Whether neither `slice` nor any later slice with as many pieces leads to `other`: each promotion
/// removes one man.
fn is_over(other: Slice, slice: Slice) -> bool {
    other.men_of_both() + 1 < slice.men_of_both()
}

/// Generates the files missing from a folder for all endings with 2 to `pieces` pieces, on rayon's
/// threads: values and, if wanted, distances. The value of a position is two units of progress, its
/// distance two more: one to visit the position, one to store the result.
///
/// # Errors
///
/// A file cannot be used or written, memory runs out, or `progress` requests a stop.
pub fn generate<R: Rules>(
    variant: Variant,
    folder: &Path,
    pieces: usize,
    has_distances: bool,
    progress: &dyn Progress,
) -> Result<(), GenerateError> {
    let contents: &[Content] = if has_distances { &Content::ALL } else { &[Content::Values] };
    let generator = Generator {
        rules: &RulesOf::<R>::NEW,
        variant,
        folder,
        pieces,
        contents,
        progress,
        values: ValueTables::new(without_move::<R>()),
        distances: DistanceTables::new(without_move::<R>()),
    };
    generator.run()
}

/// What the generation asks of the rules of a game, a block of positions at a time.
trait GenerateRules<G: Geometry>: ValueRules<G> + DistanceRules<G> {
    /// The values of positions from a cursor on, by what a file says about them.
    fn values(
        &self,
        values: &ValueTables<G>,
        cursor: Cursor<'_, G>,
        symbols: Vec<u8>,
    ) -> Result<Vec<Value>, Slice>;

    /// The distances of positions from a cursor on, by what a file says about them.
    fn distances(
        &self,
        values: &ValueTables<G>,
        distances: &DistanceTables<G>,
        cursor: Cursor<'_, G>,
        symbols: Vec<u8>,
    ) -> Result<Vec<u8>, Slice>;
}

/// Decodes the symbols that a file stores for a block of positions, from a cursor on.
type ReadBlock<'a, G, T> = dyn Fn(Cursor<'_, G>, Vec<u8>) -> Result<Vec<T>, Slice> + Sync + 'a;

/// A generation in progress.
struct Generator<'a, G: Geometry> {
    rules: &'a dyn GenerateRules<G>,
    variant: Variant,
    folder: &'a Path,
    /// The greatest number of pieces on the board.
    pieces: usize,
    /// The contents to generate for each slice.
    contents: &'a [Content],
    progress: &'a dyn Progress,
    values: ValueTables<G>,
    distances: DistanceTables<G>,
}

impl<G: Geometry> Generator<'_, G> {
    fn run(mut self) -> Result<(), GenerateError> {
        create(self.folder)?;
        let pieces = self.pieces;
        for slice in (2..=pieces).flat_map(Slice::all) {
            // No capture leads to an ending with the greatest number of pieces.
            if slice.pieces() == pieces {
                self.forget(|other| other.pieces() == pieces && is_over(other, slice));
            }
            self.make(slice)?;
        }
        Ok(())
    }

    /// Drops the tables of slices for which `is_over` holds.
    fn forget(&mut self, is_over: impl Fn(Slice) -> bool) {
        self.values.forget(&is_over);
        self.distances.forget(&is_over);
    }

    /// Generates the files of a slice and its mirror, or reads them if slices that lead to them
    /// need the tables; otherwise only checks them.
    fn make(&mut self, slice: Slice) -> Result<(), GenerateError> {
        if self.values.get(slice).is_some() {
            return Ok(());
        }
        if !self.is_needed(slice) {
            return self.check(slice);
        }
        self.make_values(slice)?;
        if self.contents.contains(&Content::Distances) {
            self.make_distances(slice)?;
        }
        Ok(())
    }

    /// Whether a file is missing of a slice, of its mirror, or of another slice that leads to it.
    fn is_needed(&self, slice: Slice) -> bool {
        let leads_here = |other: &Slice| {
            slice.with_mirror().contains(other)
                || other.pieces() > slice.pieces()
                || other.men_of_both() == slice.men_of_both() + 1
        };
        let is_missing = |slice: Slice| {
            self.contents.iter().any(|content| !content.path(self.folder, slice).exists())
        };
        (slice.pieces()..=self.pieces).flat_map(Slice::all).filter(leads_here).any(is_missing)
    }

    /// Checks the files of a slice whose tables are not needed.
    fn check(&self, slice: Slice) -> Result<(), GenerateError> {
        for &content in self.contents {
            let file =
                File::<G>::open(&content.path(self.folder, slice), self.variant, slice, content)?;
            file.verify()?;
            self.progress.advance(2 * file.index().len());
        }
        Ok(())
    }

    /// Reads or solves the values of a slice and its mirror.
    fn make_values(&mut self, slice: Slice) -> Result<(), GenerateError> {
        match self.files(slice, Content::Values)? {
            Some(files) => self.read_values(&files),
            None => self.solve_values(slice, |_| Ok(())),
        }
    }

    /// Reads the values of slices from their files.
    fn read_values(&mut self, files: &[File<G>]) -> Result<(), GenerateError> {
        for file in files {
            let blocks = self.unpack(file, &|cursor, symbols| {
                self.rules.values(&self.values, cursor, symbols)
            })?;
            let value = |number| blocks[(number / BLOCK) as usize][(number % BLOCK) as usize];
            let table = ValueTable::new(file.index().clone(), value);
            self.values.add(table.ok_or(SolveError::Memory(file.index().slice()))?);
        }
        Ok(())
    }

    /// Solves a slice and its mirror and writes their files; `keep` gets each table before.
    fn solve_values(
        &mut self,
        slice: Slice,
        keep: impl Fn(&ValueTable<G>) -> Result<(), FileError>,
    ) -> Result<(), GenerateError> {
        for solved in solve(self.rules, slice, &self.values, self.progress)? {
            let Solved { table, counts, packed } = solved;
            keep(&table)?;
            let about = self.about(table.index(), Content::Values);
            file::write(self.folder, about, counts, &packed)?;
            self.values.add(table);
        }
        Ok(())
    }

    /// Reads or computes the distances of a slice and its mirror, whose values must be in memory.
    fn make_distances(&mut self, slice: Slice) -> Result<(), GenerateError> {
        let content = Content::Distances;
        if let Some(files) = self.files(slice, content)? {
            for file in &files {
                let blocks = self.unpack(file, &|cursor, symbols| {
                    self.rules.distances(&self.values, &self.distances, cursor, symbols)
                })?;
                self.distances.add(DistanceTable::new(file.index().clone(), blocks.concat()));
            }
            return Ok(());
        }
        for table in measure(self.rules, slice, &self.values, &self.distances, self.progress)? {
            let packed = distance::packed(self.rules, &table);
            let about = self.about(table.index(), content);
            file::write(self.folder, about, ValueCounts::default(), &packed)?;
            self.distances.add(table);
        }
        Ok(())
    }

    /// The description of the file of a slice.
    fn about(&self, index: &Index<G>, content: Content) -> About {
        About { variant: self.variant, slice: index.slice(), content, positions: index.len() }
    }

    /// The files of a slice and its mirror, verified; `None` if one is missing.
    fn files(&self, slice: Slice, content: Content) -> Result<Option<Vec<File<G>>>, GenerateError> {
        let mut files = Vec::new();
        for slice in slice.with_mirror() {
            let path = content.path(self.folder, slice);
            if !path.exists() {
                return Ok(None);
            }
            let file = File::open(&path, self.variant, slice, content)?;
            file.verify()?;
            files.push(file);
        }
        Ok(Some(files))
    }

    /// Decodes the contents of a file for all positions of a slice, block by block.
    fn unpack<T: Send>(
        &self,
        file: &File<G>,
        read: &ReadBlock<'_, G, T>,
    ) -> Result<Vec<Vec<T>>, GenerateError> {
        let index = file.index();
        let blocks = parallel::map(index.len().div_ceil(BLOCK) as usize, &|block| {
            let block = block as u64;
            let (start, symbols) = (block * BLOCK, file.block(block));
            if symbols.len() as u64 != BLOCK.min(index.len() - start) {
                return Err(BitbaseProblem::from(FormatError::Corrupt).of(file.path()).into());
            }
            self.progress.advance(2 * symbols.len() as u64);
            if self.progress.is_stopped() {
                return Err(SolveError::Stopped.into());
            }
            Ok(read(index.cursor(start), symbols).map_err(SolveError::Missing)?)
        });
        blocks.into_iter().collect()
    }
}

impl<R: Rules> GenerateRules<R::Geometry> for RulesOf<R> {
    fn values(
        &self,
        values: &ValueTables<R::Geometry>,
        mut cursor: Cursor<'_, R::Geometry>,
        symbols: Vec<u8>,
    ) -> Result<Vec<Value>, Slice> {
        let value = |symbol| {
            let position = cursor.pieces().unkeyed::<R>();
            cursor.advance();
            match outlined::has_capture(&position) {
                true => values.best(&position, &outlined::captures(&position)),
                false => Ok(Value::from_bits(symbol)),
            }
        };
        symbols.into_iter().map(value).collect()
    }

    fn distances(
        &self,
        values: &ValueTables<R::Geometry>,
        distances: &DistanceTables<R::Geometry>,
        mut cursor: Cursor<'_, R::Geometry>,
        symbols: Vec<u8>,
    ) -> Result<Vec<u8>, Slice> {
        let distance = |symbol| {
            let pieces = cursor.pieces();
            cursor.advance();
            let value = values.value(&pieces)?;
            let position = pieces.unkeyed::<R>();
            if value == Value::Draw {
                Ok(distance::NONE)
            } else if outlined::has_capture(&position) {
                distances.best(&position, &outlined::captures(&position), value)
            } else {
                Ok(distance::plies_of(symbol, value, without_move::<R>()))
            }
        };
        symbols.into_iter().map(distance).collect()
    }
}

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

use std::fs;
use std::path::Path;

use crate::movegen::outlined;
use crate::parallel;
use crate::rules::{Rules, Variant};
use crate::storage::FormatError;

use super::codec::BLOCK;
use super::counts::Counts;
use super::distance::{self, DistanceTable, DistanceTables, measure};
use super::file::{self, About, BitbaseProblem, Content, File, FileError};
use super::index::Index;
use super::slice::Slice;
use super::solve::{Solved, solve};
use super::table::{ValueTable, ValueTables};
use super::value::Value;
use super::watch::{SolveError, SolveWatch};
use crate::position::Pieces;

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
    Index::<R>::new(slice).len()
}

/// Whether neither `slice` nor any later slice with as many pieces leads to `other`: each promotion
/// removes one man.
fn is_over(other: Slice, slice: Slice) -> bool {
    other.men_of_both() + 1 < slice.men_of_both()
}

/// Generates the files missing from a folder for all endings with 2 to `pieces` pieces, on rayon's
/// threads: values and, if wanted, distances.
///
/// # Errors
///
/// A file cannot be used or written, memory runs out, or `watch` requests a stop.
pub fn generate<R: Rules>(
    variant: Variant,
    folder: &Path,
    pieces: usize,
    has_distances: bool,
    watch: &dyn SolveWatch,
) -> Result<(), GenerateError> {
    fs::create_dir_all(folder).map_err(|error| BitbaseProblem::from(error).of(folder))?;
    let contents: &[Content] = if has_distances { &Content::ALL } else { &[Content::Values] };
    let mut generator = Generator {
        variant,
        folder,
        pieces,
        contents,
        watch,
        values: ValueTables::<R>::default(),
        distances: DistanceTables::default(),
    };
    for slice in (2..=pieces).flat_map(Slice::all) {
        // No capture leads to an ending with the greatest number of pieces.
        if slice.pieces() == pieces {
            generator.forget(|other| other.pieces() == pieces && is_over(other, slice));
        }
        generator.make(slice)?;
    }
    Ok(())
}

/// A generation in progress.
struct Generator<'a, R: Rules> {
    variant: Variant,
    folder: &'a Path,
    /// The greatest number of pieces on the board.
    pieces: usize,
    /// The contents to generate for each slice.
    contents: &'a [Content],
    watch: &'a dyn SolveWatch,
    values: ValueTables<R>,
    distances: DistanceTables<R>,
}

impl<R: Rules> Generator<'_, R> {
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
                File::<R>::open(&content.path(self.folder, slice), self.variant, slice, content)?;
            file.verify()?;
            self.watch.advance(2 * file.index().len());
        }
        Ok(())
    }

    /// Reads or solves the values of a slice and its mirror.
    fn make_values(&mut self, slice: Slice) -> Result<(), GenerateError> {
        let content = Content::Values;
        if let Some(files) = self.files(slice, content)? {
            for file in &files {
                let blocks = self.unpack(file, |pieces, symbol| {
                    let value = self.capture_value(pieces)?;
                    Ok(value.unwrap_or(Value::from_bits(symbol)))
                })?;
                let value = |number| blocks[(number / BLOCK) as usize][(number % BLOCK) as usize];
                let table = ValueTable::new(file.index().clone(), value);
                self.values.add(table.ok_or(SolveError::Memory(slice))?);
            }
            return Ok(());
        }
        for solved in solve(slice, &self.values, self.watch)? {
            let Solved { table, counts, packed } = solved;
            file::write(self.folder, self.about(table.index(), content), counts, &packed)?;
            self.values.add(table);
        }
        Ok(())
    }

    /// Reads or computes the distances of a slice and its mirror, whose values must be in memory.
    fn make_distances(&mut self, slice: Slice) -> Result<(), GenerateError> {
        let content = Content::Distances;
        if let Some(files) = self.files(slice, content)? {
            for file in &files {
                let blocks = self.unpack(file, |pieces, symbol| self.distance(pieces, symbol))?;
                self.distances.add(DistanceTable::new(file.index().clone(), blocks.concat()));
            }
            return Ok(());
        }
        for table in measure(slice, &self.values, &self.distances, self.watch)? {
            let packed = distance::packed(&table);
            let about = self.about(table.index(), content);
            file::write(self.folder, about, Counts::default(), &packed)?;
            self.distances.add(table);
        }
        Ok(())
    }

    /// The description of the file of a slice.
    fn about(&self, index: &Index<R>, content: Content) -> About {
        About { variant: self.variant, slice: index.slice(), content, positions: index.len() }
    }

    /// The files of a slice and its mirror, verified; `None` if one is missing.
    fn files(&self, slice: Slice, content: Content) -> Result<Option<Vec<File<R>>>, GenerateError> {
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
        file: &File<R>,
        read: impl Fn(&Pieces<R::Geometry>, u8) -> Result<T, Slice> + Sync,
    ) -> Result<Vec<Vec<T>>, GenerateError> {
        let index = file.index();
        let blocks = parallel::map(index.len().div_ceil(BLOCK) as usize, &|block| {
            let block = block as u64;
            let (start, symbols) = (block * BLOCK, file.block(block));
            if symbols.len() as u64 != BLOCK.min(index.len() - start) {
                return Err(BitbaseProblem::from(FormatError::Corrupt).of(file.path()).into());
            }
            self.watch.advance(2 * symbols.len() as u64);
            if self.watch.is_stopped() {
                return Err(SolveError::Stopped.into());
            }
            let mut cursor = index.cursor(start);
            let values = symbols.into_iter().map(|symbol| {
                let value = read(&cursor.pieces(), symbol);
                cursor.advance();
                value
            });
            Ok(values.collect::<Result<_, _>>().map_err(SolveError::Missing)?)
        });
        blocks.into_iter().collect()
    }

    /// The value of a position with captures; `None` for a position without.
    fn capture_value(&self, pieces: &Pieces<R::Geometry>) -> Result<Option<Value>, Slice> {
        let position = pieces.unkeyed::<R>();
        if !outlined::has_capture(&position) {
            return Ok(None);
        }
        let moves = outlined::captures(&position);
        self.values.best(&position, &moves).map(Some)
    }

    /// The distance of a position; `symbol` is the stored one, used if the position has no
    /// captures.
    fn distance(&self, pieces: &Pieces<R::Geometry>, symbol: u8) -> Result<u8, Slice> {
        let value = self.values.value(pieces)?;
        if value == Value::Draw {
            return Ok(distance::NONE);
        }
        let position = pieces.unkeyed::<R>();
        if !outlined::has_capture(&position) {
            return Ok(distance::plies_of::<R>(symbol, value));
        }
        let moves = outlined::captures(&position);
        self.distances.best(&position, &moves, value)
    }
}

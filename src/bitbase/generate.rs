//! Making the bitbases of all endings up to a number of pieces, ending by ending.
//!
//! What is in the folder stays, so that work that was broken off goes on where it was.

use std::fmt;
use std::fs;
use std::path::Path;

use rayon::prelude::*;

use crate::board::MoveList;
use crate::movegen;
use crate::rules::Rules;

use super::codec::BLOCK;
use super::counts::Counts;
use super::distance::{self, DistanceTable, DistanceTables, measure};
use super::file::{self, Content, File, FileError, Problem};
use super::index::Index;
use super::slice::Slice;
use super::solve::{SolveError, Solved, Watch, solve};
use super::table::{Table, Tables};
use super::value::Value;
use crate::position::Pieces;

/// Why bitbases could not be made.
#[derive(Debug)]
pub enum GenerateError {
    /// A file failed.
    File(FileError),
    /// An ending could not be solved.
    Solve(SolveError),
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenerateError::File(error) => error.fmt(f),
            GenerateError::Solve(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GenerateError {}

impl From<FileError> for GenerateError {
    fn from(error: FileError) -> Self {
        GenerateError::File(error)
    }
}

impl From<SolveError> for GenerateError {
    fn from(error: SolveError) -> Self {
        GenerateError::Solve(error)
    }
}

/// How many positions there are with 2 to `pieces` pieces.
pub fn positions<R: Rules>(pieces: usize) -> u64 {
    (2..=pieces).flat_map(Slice::all).map(len::<R>).sum()
}

/// What the program itself takes, and its threads to compress what they have solved, in bytes.
const WORKING: u64 = 64 << 20;

/// The bytes of memory that it takes, at most, to make the bitbases up to a number of pieces: a byte
/// and a bit for each position of the ending that is solved, two bits for those that it leads to, and
/// with distances a byte more.
pub fn memory<R: Rules>(pieces: usize, has_distances: bool) -> u64 {
    // Of each slice that is kept: two bits for the values, a byte for the distances.
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

/// How many positions a slice has.
fn len<R: Rules>(slice: Slice) -> u64 {
    Index::<R>::new(slice).len()
}

/// Whether neither a slice nor those after it, of as many pieces, lead to another one: promotions
/// take away one man at a time.
fn is_over(other: Slice, slice: Slice) -> bool {
    other.men_of_both() + 1 < slice.men_of_both()
}

/// Makes the files of all endings with 2 to `pieces` pieces that are not in a folder yet, with
/// rayon's threads: those of the values and, if wanted, those of the distances.
///
/// # Errors
///
/// A file that is there and cannot be used, or one that cannot be written; no memory; `watch` says to
/// stop.
pub fn generate<R: Rules>(
    folder: &Path,
    pieces: usize,
    has_distances: bool,
    watch: &impl Watch,
) -> Result<(), GenerateError> {
    fs::create_dir_all(folder).map_err(|error| Problem::Io(error).of(folder))?;
    let contents: &[Content] = if has_distances { &Content::ALL } else { &[Content::Values] };
    let mut generator = Generator {
        folder,
        pieces,
        contents,
        watch,
        values: Tables::<R>::default(),
        distances: DistanceTables::default(),
    };
    for slice in (2..=pieces).flat_map(Slice::all) {
        // What has as many pieces as the last endings is needed by no captures.
        if slice.pieces() == pieces {
            generator.forget(|other| other.pieces() == pieces && is_over(other, slice));
        }
        generator.make(slice)?;
    }
    Ok(())
}

/// The work, as far as it is done.
struct Generator<'a, R: Rules, W> {
    folder: &'a Path,
    /// The most on the board.
    pieces: usize,
    /// The files of each slice.
    contents: &'a [Content],
    watch: &'a W,
    values: Tables<R>,
    distances: DistanceTables<R>,
}

impl<R: Rules, W: Watch> Generator<'_, R, W> {
    /// Frees the memory of slices.
    fn forget(&mut self, is_over: impl Fn(Slice) -> bool) {
        self.values.forget(&is_over);
        self.distances.forget(&is_over);
    }

    /// Makes the files of a slice and its mirror, or reads them for those that lead to it.
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

    /// Whether files are missing: those of a slice or its mirror, or of others that lead to it.
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

    /// Checks the files of a slice that is not needed.
    fn check(&self, slice: Slice) -> Result<(), GenerateError> {
        for &content in self.contents {
            let file = File::<R>::open(&content.path(self.folder, slice), slice, content)?;
            file.verify()?;
            self.watch.advance(2 * file.index().len());
        }
        Ok(())
    }

    /// The values of a slice and its mirror, read or solved.
    fn make_values(&mut self, slice: Slice) -> Result<(), GenerateError> {
        let content = Content::Values;
        if let Some(files) = self.files(slice, content)? {
            for file in &files {
                let blocks = self.unpack(file, |pieces, symbol| {
                    let value = self.capture_value(pieces)?;
                    Ok(value.unwrap_or(Value::from_bits(symbol)))
                })?;
                let value = |number| blocks[(number / BLOCK) as usize][(number % BLOCK) as usize];
                let table = Table::new(file.index().clone(), value);
                self.values.add(table.ok_or(SolveError::Memory(slice))?);
            }
            return Ok(());
        }
        for solved in solve(slice, &self.values, self.watch)? {
            let Solved { table, counts, packed } = solved;
            file::write(self.folder, table.index(), content, counts, &packed)?;
            self.values.add(table);
        }
        Ok(())
    }

    /// The distances of a slice and its mirror, read or measured; their values are there.
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
            file::write(self.folder, table.index(), content, Counts::default(), &packed)?;
            self.distances.add(table);
        }
        Ok(())
    }

    /// The files of a slice and its mirror, whole; `None` if one is not there.
    fn files(&self, slice: Slice, content: Content) -> Result<Option<Vec<File<R>>>, GenerateError> {
        let mut files = Vec::new();
        for slice in slice.with_mirror() {
            let path = content.path(self.folder, slice);
            if !path.exists() {
                return Ok(None);
            }
            let file = File::open(&path, slice, content)?;
            file.verify()?;
            files.push(file);
        }
        Ok(Some(files))
    }

    /// What a file says about all positions of a slice, block by block.
    fn unpack<T: Send>(
        &self,
        file: &File<R>,
        read: impl Fn(&Pieces<R::Geometry>, u8) -> Result<T, Slice> + Sync,
    ) -> Result<Vec<Vec<T>>, GenerateError> {
        let index = file.index();
        let blocks = (0..index.len().div_ceil(BLOCK)).into_par_iter().map(|block| {
            let (start, symbols) = (block * BLOCK, file.block(block));
            if symbols.len() as u64 != BLOCK.min(index.len() - start) {
                return Err(Problem::Corrupt.of(file.path()).into());
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
        blocks.collect()
    }

    /// The value of a position with captures to make, `None` for another.
    fn capture_value(&self, pieces: &Pieces<R::Geometry>) -> Result<Option<Value>, Slice> {
        let position = pieces.unkeyed::<R>();
        if !movegen::has_capture(&position) {
            return Ok(None);
        }
        let mut moves = MoveList::new();
        movegen::captures(&position, &mut moves);
        self.values.best(&position, &moves).map(Some)
    }

    /// The distance of a position, given what a file says if it has no captures to make.
    fn distance(&self, pieces: &Pieces<R::Geometry>, symbol: u8) -> Result<u8, Slice> {
        let value = self.values.value(pieces)?;
        if value == Value::Draw {
            return Ok(distance::NONE);
        }
        let position = pieces.unkeyed::<R>();
        if !movegen::has_capture(&position) {
            return Ok(distance::plies_of::<R>(symbol, value));
        }
        let mut moves = MoveList::new();
        movegen::captures(&position, &mut moves);
        self.distances.best(&position, &moves, value)
    }
}

//! The generation of the bitbases of all endings with up to a given number of pieces, one ending at
//! a time.
//!
//! Existing files are kept, so an interrupted generation resumes where it stopped.
//!
//! Measurements for international draughts, values only. Other programs were running while the
//! bitbases with six pieces were generated.
//!
//! | pieces | positions | bytes | time | memory |
//! | --- | --- | --- | --- | --- |
//! | 2 to 4 | 42,786,345 | 1,198,935 | 5 s, one thread | 29 MB |
//! | 5 | 1,570,600,750 | 36,815,143 | 197 s, one thread | 505 MB |
//! | 6 | 46,198,758,750 | 1,103,930,865 | 100 minutes, two threads | at most 10.9 GiB |
//!
//! `tests/data/endgame/wld_counts_6.tsv` has the counts and checksums for six pieces.

use std::fs;
use std::path::Path;

use crate::board::{Geometry, Grid, MoveList};
use crate::parallel;
use crate::progress::Progress;
use crate::rules::{Rules, Variant};
use crate::storage::FormatError;

use super::codec::BLOCK;
use super::counts::ValueCounts;
use super::distance::{DistanceRules, pack_distances, solve_distances};
use super::file::{self, File};
use super::format::{BitbaseProblem, Content, FileError, FileHeader};
use super::index::Index;
use super::retrograde::{MoveSource, RulesOf, SolveError};
use super::slice::Slice;
use super::solve::{SolvedSlice, ValueRules, solve};
use super::tables::{DistanceTable, DistanceTables, ValueTable, ValueTables};
use super::value::{NO_DISTANCE, Value, without_move};

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

/// The number of positions on a board with 2 to `pieces` pieces.
pub fn positions(grid: Grid, pieces: usize) -> u64 {
    (2..=pieces).flat_map(Slice::all).map(|slice| len(grid, slice)).sum()
}

/// The memory of the program itself and of its compression threads, in bytes.
pub(super) const BASE_MEMORY: u64 = 64 << 20;

/// An upper bound on the memory, in bytes, used to generate the bitbases of up to `pieces` pieces:
/// a byte and a bit for each position of the ending being solved, and two bits (and another byte if
/// distances are generated) for each position of the endings it leads to.
pub fn memory(grid: Grid, pieces: usize, has_distances: bool) -> u64 {
    // For each position of a slice in memory: two bits for the value, a byte for the distance.
    let kept = |positions: u64| positions / 4 + if has_distances { positions } else { 0 };
    let slices = Slice::all(pieces);
    let mut needed = 0;
    for &slice in &slices {
        let solved = if slice.mirror() == slice { 1 } else { 2 } * len(grid, slice);
        let is_reached =
            |other: Slice| !is_obsolete(other, slice) && other.men_of_both() <= slice.men_of_both();
        let others = slices.iter().filter(|other| is_reached(**other));
        let others: u64 = others.map(|&other| len(grid, other)).sum();
        needed = needed.max(solved + solved / 8 + kept(others));
    }
    BASE_MEMORY + kept(positions(grid, pieces.saturating_sub(1))) + needed
}

/// The number of positions in a slice.
pub(super) fn len(grid: Grid, slice: Slice) -> u64 {
    Index::new(grid, slice).len()
}

/// Creates the folder of the files.
pub(super) fn create(folder: &Path) -> Result<(), GenerateError> {
    Ok(fs::create_dir_all(folder).map_err(|error| BitbaseProblem::from(error).of(folder))?)
}

/// Whether neither `slice` nor any later slice with the same number of pieces leads to `other`,
/// because each promotion removes only one man.
fn is_obsolete(other: Slice, slice: Slice) -> bool {
    other.men_of_both() + 1 < slice.men_of_both()
}

/// Generates the files missing from a folder for all endings with 2 to `pieces` pieces, on rayon's
/// threads: values and optionally distances. The value of each position counts as two steps of
/// progress, its distance as two more: one for visiting the position, one for storing the result.
///
/// # Errors
///
/// Fails if a file cannot be used or written, memory runs out, or `progress` requests a stop.
pub fn generate(
    rules: &RetrogradeRules,
    variant: Variant,
    folder: &Path,
    pieces: usize,
    has_distances: bool,
    progress: &dyn Progress,
) -> Result<(), GenerateError> {
    let contents: &[Content] = if has_distances { &Content::ALL } else { &[Content::Values] };
    Generator::new(rules, variant, folder, contents, progress).run(pieces)
}

/// The rules of a variant in the form needed to generate bitbases.
pub struct RetrogradeRules {
    rules: Box<dyn GenerateRules>,
    grid: Grid,
    without_move: Value,
    promotion_in_passing: bool,
}

impl RetrogradeRules {
    /// The rules of a variant in this form.
    pub fn of<R: Rules>(rules: R) -> Self {
        RetrogradeRules {
            rules: Box::new(RulesOf(rules)),
            grid: R::Geometry::GRID,
            without_move: without_move(rules),
            promotion_in_passing: rules.promotes_in_passing(),
        }
    }
}

/// The parts of bitbase generation that depend on the rules of a variant.
pub(super) trait GenerateRules: ValueRules + DistanceRules {
    /// Decodes the values of consecutive positions, starting at a given number, from the symbols
    /// that a file stores for them. On failure, the error is the missing slice.
    fn decode_values(
        &self,
        values: &ValueTables,
        index: &Index,
        start: u64,
        symbols: &[u8],
    ) -> Result<Vec<Value>, Slice>;

    /// Decodes the distances of consecutive positions, starting at a given number, from the symbols
    /// that a file stores for them. On failure, the error is the missing slice.
    fn decode_distances(
        &self,
        values: &ValueTables,
        distances: &DistanceTables,
        index: &Index,
        start: u64,
        symbols: &[u8],
    ) -> Result<Vec<u8>, Slice>;
}

/// A function that decodes the symbols stored for consecutive positions, starting at a given
/// number.
type DecodeBlock<'a, T> = dyn Fn(u64, &[u8]) -> Result<Vec<T>, Slice> + Sync + 'a;

/// A generation in progress.
pub(super) struct Generator<'a> {
    rules: &'a dyn GenerateRules,
    pub(super) grid: Grid,
    variant: Variant,
    pub(super) folder: &'a Path,
    /// The contents to generate for each slice.
    contents: &'a [Content],
    pub(super) progress: &'a dyn Progress,
    pub(super) values: ValueTables,
    distances: DistanceTables,
}

impl<'a> Generator<'a> {
    /// Prepares to generate the given contents.
    pub(super) fn new(
        rules: &'a RetrogradeRules,
        variant: Variant,
        folder: &'a Path,
        contents: &'a [Content],
        progress: &'a dyn Progress,
    ) -> Self {
        let &RetrogradeRules { ref rules, grid, without_move, promotion_in_passing } = rules;
        Generator {
            rules: rules.as_ref(),
            grid,
            variant,
            folder,
            contents,
            progress,
            values: ValueTables::new(without_move, promotion_in_passing),
            distances: DistanceTables::new(without_move, promotion_in_passing),
        }
    }

    /// Generates the files of all slices with 2 to `pieces` pieces.
    fn run(mut self, pieces: usize) -> Result<(), GenerateError> {
        create(self.folder)?;
        for slice in (2..=pieces).flat_map(Slice::all) {
            // No capture leads to an ending with the maximum number of pieces.
            if slice.pieces() == pieces {
                self.drop_obsolete(|other| other.pieces() == pieces && is_obsolete(other, slice));
            }
            self.generate(slice, pieces)?;
        }
        Ok(())
    }

    /// Drops the tables of slices for which `is_obsolete` holds.
    pub(super) fn drop_obsolete(&mut self, is_obsolete: impl Fn(Slice) -> bool) {
        self.values.drop_obsolete(&is_obsolete);
        self.distances.drop_obsolete(&is_obsolete);
    }

    /// If the tables of a slice and its mirror are needed, reads their files or generates missing
    /// ones. Otherwise only checks the files.
    fn generate(&mut self, slice: Slice, pieces: usize) -> Result<(), GenerateError> {
        if self.values.get(slice).is_some() {
            return Ok(());
        }
        if !self.is_needed(slice, pieces) {
            return self.check(slice);
        }
        self.prepare_values(slice)?;
        if self.contents.contains(&Content::Distances) {
            self.prepare_distances(slice)?;
        }
        Ok(())
    }

    /// Whether a file is missing for a slice, for its mirror, or for another slice that leads to
    /// it.
    fn is_needed(&self, slice: Slice, pieces: usize) -> bool {
        let leads_here = |other: &Slice| {
            slice.with_mirror().contains(other)
                || other.pieces() > slice.pieces()
                || other.men_of_both() == slice.men_of_both() + 1
        };
        let is_missing = |slice: Slice| {
            self.contents.iter().any(|content| !content.path(self.folder, slice).exists())
        };
        (slice.pieces()..=pieces).flat_map(Slice::all).filter(leads_here).any(is_missing)
    }

    /// Checks the files of a slice whose tables are not needed.
    fn check(&self, slice: Slice) -> Result<(), GenerateError> {
        for &content in self.contents {
            let path = content.path(self.folder, slice);
            let file = File::open(&path, self.grid, self.variant, slice, content)?;
            file.verify()?;
            self.progress.advance(2 * file.index().len());
        }
        Ok(())
    }

    /// Reads or solves the values of a slice and its mirror.
    fn prepare_values(&mut self, slice: Slice) -> Result<(), GenerateError> {
        match self.files(slice, Content::Values)? {
            Some(files) => self.read_values(&files),
            None => self.solve_values(slice, &|_| Ok(())),
        }
    }

    /// Reads the values of slices from their files.
    pub(super) fn read_values(&mut self, files: &[File]) -> Result<(), GenerateError> {
        for file in files {
            let index = file.index();
            let blocks = self.decode(file, &|start, symbols| {
                self.rules.decode_values(&self.values, index, start, symbols)
            })?;
            let value = |number| blocks[(number / BLOCK) as usize][(number % BLOCK) as usize];
            let table = ValueTable::new(index.clone(), value);
            self.values.add(index.slice(), table.ok_or(SolveError::Memory(index.slice()))?);
        }
        Ok(())
    }

    /// Solves a slice and its mirror and writes their files, after passing each table to `record`.
    pub(super) fn solve_values(
        &mut self,
        slice: Slice,
        record: &dyn Fn(&ValueTable) -> Result<(), FileError>,
    ) -> Result<(), GenerateError> {
        let slices = slice.with_mirror().into_iter();
        let indices = slices.map(|slice| Index::new(self.grid, slice)).collect();
        for solved in solve(self.rules, indices, &self.values, self.progress)? {
            let SolvedSlice { table, counts, packed } = solved;
            record(&table)?;
            let header = FileHeader::new(self.variant, table.index(), Content::Values);
            file::write(self.folder, header, counts, &packed)?;
            self.values.add(header.slice, table);
        }
        Ok(())
    }

    /// Reads or computes the distances of a slice and its mirror, whose values must be in memory.
    fn prepare_distances(&mut self, slice: Slice) -> Result<(), GenerateError> {
        let content = Content::Distances;
        if let Some(files) = self.files(slice, content)? {
            for file in &files {
                let index = file.index();
                let blocks = self.decode(file, &|start, symbols| {
                    let Generator { values, distances, .. } = &*self;
                    self.rules.decode_distances(values, distances, index, start, symbols)
                })?;
                let table = DistanceTable::new(index.clone(), blocks.concat());
                self.distances.add(index.slice(), table);
            }
            return Ok(());
        }
        let Generator { rules, values, distances, progress, .. } = self;
        for table in solve_distances(*rules, slice, values, distances, *progress)? {
            let header = FileHeader::new(self.variant, table.index(), content);
            let packed = pack_distances(self.rules, &table);
            file::write(self.folder, header, ValueCounts::default(), &packed)?;
            self.distances.add(header.slice, table);
        }
        Ok(())
    }

    /// The files of a slice and its mirror, verified; `None` if one is missing.
    pub(super) fn files(
        &self,
        slice: Slice,
        content: Content,
    ) -> Result<Option<Vec<File>>, GenerateError> {
        let mut files = Vec::new();
        for slice in slice.with_mirror() {
            let path = content.path(self.folder, slice);
            if !path.exists() {
                return Ok(None);
            }
            let file = File::open(&path, self.grid, self.variant, slice, content)?;
            file.verify()?;
            files.push(file);
        }
        Ok(Some(files))
    }

    /// Decodes the contents of a file for all positions of a slice, block by block.
    fn decode<T: Send>(
        &self,
        file: &File,
        decode: &DecodeBlock<'_, T>,
    ) -> Result<Vec<Vec<T>>, GenerateError> {
        let len = file.positions();
        let blocks = parallel::map(len.div_ceil(BLOCK) as usize, &|block| {
            let block = block as u64;
            let (start, symbols) = (block * BLOCK, file.block(block));
            if symbols.len() as u64 != BLOCK.min(len - start) {
                return Err(BitbaseProblem::from(FormatError::Corrupt).of(file.path()).into());
            }
            self.progress.advance(2 * symbols.len() as u64);
            if self.progress.is_stopped() {
                return Err(SolveError::Stopped.into());
            }
            Ok(decode(start, &symbols).map_err(SolveError::Missing)?)
        });
        blocks.into_iter().collect()
    }
}

impl<R: Rules> GenerateRules for RulesOf<R> {
    fn decode_values(
        &self,
        values: &ValueTables,
        index: &Index,
        start: u64,
        symbols: &[u8],
    ) -> Result<Vec<Value>, Slice> {
        decode_values::<R::Geometry>(self, values, index, start, symbols)
    }

    fn decode_distances(
        &self,
        values: &ValueTables,
        distances: &DistanceTables,
        index: &Index,
        start: u64,
        symbols: &[u8],
    ) -> Result<Vec<u8>, Slice> {
        decode_distances::<R::Geometry>(self, values, distances, index, start, symbols)
    }
}

/// See [`GenerateRules::decode_values`].
fn decode_values<G: Geometry>(
    source: &dyn MoveSource<G>,
    values: &ValueTables,
    index: &Index,
    start: u64,
    symbols: &[u8],
) -> Result<Vec<Value>, Slice> {
    let (mut cursor, mut moves) = (index.cursor::<G>(start), MoveList::new());
    let mut decoded = Vec::with_capacity(symbols.len());
    for &symbol in symbols {
        let pieces = cursor.pieces();
        cursor.advance();
        moves.clear();
        source.captures(&pieces, &mut moves);
        decoded.push(match moves.is_empty() {
            true => Value::from_bits(symbol),
            false => values.best(&pieces, &moves)?,
        });
    }
    Ok(decoded)
}

/// See [`GenerateRules::decode_distances`].
fn decode_distances<G: Geometry>(
    source: &dyn MoveSource<G>,
    values: &ValueTables,
    distances: &DistanceTables,
    index: &Index,
    start: u64,
    symbols: &[u8],
) -> Result<Vec<u8>, Slice> {
    let (mut cursor, mut moves) = (index.cursor::<G>(start), MoveList::new());
    let mut decoded = Vec::with_capacity(symbols.len());
    for &symbol in symbols {
        let pieces = cursor.pieces();
        cursor.advance();
        let value = values.value(&pieces)?;
        if value == Value::Draw {
            decoded.push(NO_DISTANCE);
            continue;
        }
        moves.clear();
        source.captures(&pieces, &mut moves);
        decoded.push(match moves.is_empty() {
            true => value.plies_of(symbol, values.without_move()),
            false => distances.best(&pieces, &moves, value)?,
        });
    }
    Ok(decoded)
}

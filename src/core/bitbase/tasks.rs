//! The generation of single slices from the files of other slices, so that several processes or
//! machines can share the work.
//!
//! Besides the bitbase files, the processes exchange whole tables: the uncompressed values of all
//! positions of a slice, including those with captures. The values of positions with captures are
//! thus computed only once.
//!
//! ```text
//! magic bytes, version
//! slice    4 bytes: men of the side to move and of the opponent, then kings
//! values   two bits per position, the first in the lowest bits
//! check    u32: the CRC-32 of all preceding bytes
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::board::Grid;
use crate::memory::zeroed;
use crate::progress::Progress;
use crate::rules::Variant;
use crate::storage::format::{CHECKSUM_SIZE, HEADER_SIZE};
use crate::storage::{Format, FormatError, write_with_checksum};

use super::format::{BitbaseProblem, Content, FileError};
use super::generate::{BASE_MEMORY, GenerateError, Generator, RetrogradeRules, create, len};
use super::index::Index;
use super::retrograde::SolveError;
use super::slice::Slice;
use super::tables::ValueTable;

/// The first task generates all slices with at most this many pieces, which takes about a second.
const FIRST_TASK_PIECES: usize = 3;

/// The part of a generation that one process carries out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedTask {
    /// The slices to generate, with their mirrors, in this order.
    pub slices: Vec<Slice>,
    /// The tasks that must be completed first, as indices into the plan.
    pub after: BTreeSet<usize>,
}

/// The tasks that generate all slices with 2 to `pieces` pieces, each after those it depends on.
pub fn plan(pieces: usize) -> Vec<PlannedTask> {
    let mut tasks: Vec<PlannedTask> = Vec::new();
    let mut task_of = BTreeMap::new();
    for slice in (2..=pieces).flat_map(Slice::all) {
        if task_of.contains_key(&slice) {
            continue;
        }
        let task_index = if slice.pieces() <= FIRST_TASK_PIECES { 0 } else { tasks.len() };
        if task_index == tasks.len() {
            tasks.push(PlannedTask { slices: Vec::new(), after: BTreeSet::new() });
        }
        let task = &mut tasks[task_index];
        task.slices.push(slice);
        task.after.extend(needed(slice).iter().map(|slice| task_of[slice]));
        task.after.remove(&task_index);
        task_of.extend(slice.with_mirror().into_iter().map(|slice| (slice, task_index)));
    }
    tasks
}

/// An upper bound on the memory, in bytes, used to generate a slice and its mirror: a byte for each
/// of their positions, two bits for each position of the slices they lead to, and the table of the
/// first slice, which is compressed while the states of the other slice are still in memory.
pub fn slice_memory(grid: Grid, slice: Slice) -> u64 {
    let first = len(grid, slice);
    let needed: u64 = needed(slice).into_iter().map(|slice| len(grid, slice)).sum();
    BASE_MEMORY + slice_positions(grid, slice) + first / 4 + first / 8 + needed / 4
}

/// The number of positions in a slice and its mirror.
pub fn slice_positions(grid: Grid, slice: Slice) -> u64 {
    slice.with_mirror().into_iter().map(|slice| len(grid, slice)).sum()
}

/// The slices that must be solved before a slice and its mirror.
fn needed(slice: Slice) -> BTreeSet<Slice> {
    slice.with_mirror().into_iter().flat_map(Slice::successors).collect()
}

/// Generates the missing value files of the given slices and their mirrors, in the given order, on
/// rayon's threads. The folder must contain the files of all other slices that these slices lead
/// to. The uncompressed tables of the generated slices are written to the `tables` subfolder, where
/// the generation of other slices reads them; they may be deleted afterwards.
///
/// # Errors
///
/// Fails if a file cannot be used or written, a slice is missing, memory runs out, or `progress`
/// requests a stop.
pub fn generate_slices(
    rules: &RetrogradeRules,
    variant: Variant,
    folder: &Path,
    slices: &[Slice],
    progress: &dyn Progress,
) -> Result<(), GenerateError> {
    let mut generator = Generator::new(rules, variant, folder, &[Content::Values], progress);
    create(folder)?;
    slices.iter().try_for_each(|&slice| generator.generate_one(slice))
}

impl Generator<'_> {
    /// Generates the files of a slice and its mirror if either is missing.
    fn generate_one(&mut self, slice: Slice) -> Result<(), GenerateError> {
        if let Some(files) = self.files(slice, Content::Values)? {
            self.progress.advance(files.iter().map(|file| 2 * file.index().len()).sum());
            return Ok(());
        }
        let needed = needed(slice);
        self.drop_obsolete(|other| !needed.contains(&other));
        needed.into_iter().try_for_each(|slice| self.load(slice))?;
        let folder = self.folder;
        self.solve_values(slice, &|table| write_table(folder, table))
    }

    /// Reads the table of a slice or decodes its bitbase file.
    fn load(&mut self, slice: Slice) -> Result<(), GenerateError> {
        if self.values.get(slice).is_some() {
            return Ok(());
        }
        if let Some(table) = read_table(self.folder, self.grid, slice)? {
            self.values.add(slice, table);
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

const FORMAT: Format = Format { name: "bitbase table", magic: *b"Manoury\x17", version: 1 };

/// The size of everything before the values, in bytes.
const HEADER: usize = HEADER_SIZE + 4;

/// The `tables` subfolder of a bitbase folder.
fn folder_of(folder: &Path) -> PathBuf {
    folder.join("tables")
}

fn path(folder: &Path, slice: Slice) -> PathBuf {
    folder_of(folder).join(format!("{slice}.table"))
}

fn header(slice: Slice) -> Vec<u8> {
    [FORMAT.header(), [slice.men, slice.kings].concat()].concat()
}

/// Atomically writes a table to the `tables` subfolder of a bitbase folder.
fn write_table(folder: &Path, table: &ValueTable) -> Result<(), FileError> {
    let slice = table.index().slice();
    let path = path(folder, slice);
    let write = || write_with_checksum(&path, &[&header(slice), table.bytes()]);
    let written = fs::create_dir_all(folder_of(folder)).and_then(|()| write());
    written.map_err(|error| BitbaseProblem::from(error).of(&path))
}

/// Reads a slice's table from the `tables` subfolder of a bitbase folder; `None` if it has not been
/// written.
fn read_table(folder: &Path, grid: Grid, slice: Slice) -> Result<Option<ValueTable>, FileError> {
    let path = path(folder, slice);
    match fs::File::open(&path) {
        Ok(file) => {
            read_from(file, Index::new(grid, slice)).map(Some).map_err(|problem| problem.of(&path))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(BitbaseProblem::from(error).of(&path)),
    }
}

fn read_from(mut file: fs::File, index: Index) -> Result<ValueTable, BitbaseProblem> {
    let size = ValueTable::size(&index);
    let (is, should) = (file.metadata()?.len(), (HEADER + CHECKSUM_SIZE) as u64 + size);
    if is != should {
        return Err(BitbaseProblem::Size { is, should });
    }
    let (mut start, mut check) = ([0; HEADER], [0; CHECKSUM_SIZE]);
    file.read_exact(&mut start)?;
    FORMAT.strip_header(&start)?;
    if start[..] != header(index.slice()) {
        return Err(BitbaseProblem::OtherSlice);
    }
    let memory = || FormatError::from(io::Error::from(io::ErrorKind::OutOfMemory));
    let mut bytes = usize::try_from(size).ok().and_then(zeroed).ok_or_else(memory)?;
    file.read_exact(&mut bytes)?;
    file.read_exact(&mut check)?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&start);
    hasher.update(&bytes);
    let (is, should) = (hasher.finalize(), u32::from_le_bytes(check));
    if is != should {
        return Err(BitbaseProblem::Checksum { is, should });
    }
    Ok(ValueTable::from_bytes(index, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plan_has_every_slice_once_after_its_successors() {
        for pieces in 2..=7 {
            let mut made = BTreeMap::new();
            for (number, task) in plan(pieces).iter().enumerate() {
                assert!(task.after.iter().all(|&before| before < number));
                for &slice in &task.slices {
                    for successor in slice.with_mirror().into_iter().flat_map(Slice::successors) {
                        let maker = made[&successor];
                        assert!(maker == number || task.after.contains(&maker), "{slice}");
                    }
                    for slice in slice.with_mirror() {
                        assert_eq!(made.insert(slice, number), None, "{slice} is made twice");
                    }
                }
            }
            let all: BTreeSet<_> = (2..=pieces).flat_map(Slice::all).collect();
            assert!(made.keys().copied().eq(all), "{pieces} pieces");
        }
    }
}

//! Files of whole tables: the values of all positions of a slice, those with captures included,
//! without compression. Processes that share a generation hand them on to each other, so that none
//! has to find out again what the captures in a bitbase file lead to.
//!
//! ```text
//! magic bytes, version
//! slice    4 bytes: men of the side to move and of the opponent, then kings
//! values   two bits per position, the first in the lowest bits
//! check    u32: the CRC-32 of all preceding bytes
//! ```

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::board::Geometry;
use crate::memory::zeroed;
use crate::storage::format::{CHECK, START};
use crate::storage::{Format, FormatError, write_with_checksum};

use super::file::{BitbaseProblem, FileError};
use super::index::Index;
use super::slice::Slice;
use super::table::ValueTable;

const FORMAT: Format = Format { name: "bitbase table", magic: *b"Manoury\x17", version: 1 };

/// The size of everything before the values, in bytes.
const HEADER: usize = START + 4;

/// The folder of the tables in a folder of bitbases.
fn folder_of(folder: &Path) -> PathBuf {
    folder.join("tables")
}

fn path(folder: &Path, slice: Slice) -> PathBuf {
    folder_of(folder).join(format!("{slice}.table"))
}

fn header(slice: Slice) -> Vec<u8> {
    [FORMAT.start(), [slice.men, slice.kings].concat()].concat()
}

/// Writes a table below a folder of bitbases, atomically.
pub(super) fn write<G: Geometry>(folder: &Path, table: &ValueTable<G>) -> Result<(), FileError> {
    let slice = table.index().slice();
    let path = path(folder, slice);
    let write = || write_with_checksum(&path, &[&header(slice), table.bytes()]);
    let written = fs::create_dir_all(folder_of(folder)).and_then(|()| write());
    written.map_err(|error| BitbaseProblem::from(error).of(&path))
}

/// Reads the table of a slice below a folder of bitbases; `None` if there is none.
pub(super) fn read<G: Geometry>(
    folder: &Path,
    slice: Slice,
) -> Result<Option<ValueTable<G>>, FileError> {
    let path = path(folder, slice);
    match File::open(&path) {
        Ok(file) => read_from(file, slice).map(Some).map_err(|problem| problem.of(&path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(BitbaseProblem::from(error).of(&path)),
    }
}

fn read_from<G: Geometry>(mut file: File, slice: Slice) -> Result<ValueTable<G>, BitbaseProblem> {
    let index = Index::new(slice);
    let size = ValueTable::size(&index);
    let (is, should) = (file.metadata()?.len(), (HEADER + CHECK) as u64 + size);
    if is != should {
        return Err(BitbaseProblem::Size { is, should });
    }
    let (mut start, mut check) = ([0; HEADER], [0; CHECK]);
    file.read_exact(&mut start)?;
    FORMAT.after_start(&start)?;
    if start[..] != header(slice) {
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
    Ok(ValueTable::of_bytes(index, bytes))
}

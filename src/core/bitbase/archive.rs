//! Archives: the bitbase files of a variant, compressed and embedded in the program.
//!
//! ```text
//! size     u32: bytes of the compressed headers
//! headers  of all files, one after another (see `format`): a deflate stream (RFC 1951)
//! rests    for each file, in the same order: u32, bytes of what follows; then the file without its
//!          header: a deflate stream
//! ```
//!
//! Numbers are little-endian. The headers are decompressed when the archive is opened, the rest of
//! a file when it is first accessed, so games that never reach an ending need only the headers.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;

use crate::board::Grid;
use crate::rules::Variant;
use crate::storage::format::{push_section, take_section};

use super::file::{File, inflate};
use super::format::RawHeader;

/// The size of a header, in bytes.
const HEADER: usize = size_of::<RawHeader>();
/// The maximum size of all headers, in bytes: many times what all endings with up to 4 pieces need.
const MAX_HEADERS: u64 = 1 << 20;

/// Packs files into an archive, given the bytes of each.
///
/// # Errors
///
/// Compressing into memory does not fail in practice.
pub fn pack(files: &[&[u8]]) -> io::Result<Vec<u8>> {
    let mut archive = Vec::new();
    let mut push = |parts: &[&[u8]]| -> io::Result<()> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        parts.iter().try_for_each(|part| encoder.write_all(part))?;
        push_section(&mut archive, &encoder.finish()?);
        Ok(())
    };
    let split: Vec<_> = files.iter().map(|file| file.split_at(HEADER.min(file.len()))).collect();
    push(&split.iter().map(|&(header, _)| header).collect::<Vec<_>>())?;
    split.iter().try_for_each(|&(_, rest)| push(&[rest]))?;
    Ok(archive)
}

/// The files of a variant in an archive. Faulty files, and all files after damaged data, are
/// skipped: the variant can be played without them.
pub(super) fn files(archive: &'static [u8], grid: Grid, variant: Variant) -> Vec<File> {
    let (headers, mut rest) = take_section(archive).unwrap_or_default();
    let mut files = Vec::new();
    for header in inflate(headers, Vec::new(), MAX_HEADERS).chunks_exact(HEADER) {
        let Some((compressed, after)) = take_section(rest) else { break };
        rest = after;
        let file = RawHeader::read(header)
            .and_then(|header| File::archived(header, compressed, grid, variant).ok());
        files.extend(file);
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitbase::{BitbaseSet, Content, Slice};
    use crate::board::{Board8, Geometry};
    use crate::rules::English;

    const GRID: Grid = Board8::GRID;

    /// The embedded files of English draughts with up to 3 pieces, and an archive of them.
    fn example() -> (Vec<Vec<u8>>, Vec<u8>) {
        let bitbases = BitbaseSet::embedded(English, Variant::English);
        let slices = (2..=3).flat_map(Slice::all);
        let of = |slice| Content::ALL.map(|content| bitbases.file(slice, content).unwrap());
        let files: Vec<_> = slices.flat_map(of).map(|file| file.bytes().to_vec()).collect();
        let archive = pack(&files.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap();
        (files, archive)
    }

    #[test]
    fn archives_round_trip() {
        let (expected, archive) = example();
        let files = files(archive.leak(), GRID, Variant::English);
        assert!(files.iter().map(File::bytes).eq(expected.iter().map(Vec::as_slice)));
        assert!(files.iter().all(|file| file.verify().is_ok() && file.size() > HEADER as u64));
    }

    #[test]
    fn damaged_files_are_missing_or_have_no_values() {
        let (expected, archive) = example();
        for place in (0..archive.len()).step_by(archive.len() / 50) {
            let mut damaged = archive.clone();
            damaged[place] ^= 1;
            let whole = |file: &&File| file.verify().is_ok();
            let flipped = files(damaged.leak(), GRID, Variant::English);
            assert!(flipped.iter().filter(whole).count() < expected.len(), "byte {place}");
            let cut = files(archive[..place].to_vec().leak(), GRID, Variant::English);
            assert!(cut.iter().filter(whole).count() < expected.len(), "{place} bytes");
            for file in flipped.iter().chain(&cut) {
                (0..file.positions().div_ceil(4096)).for_each(|block| drop(file.block(block)));
            }
        }
        assert!(files(b"", GRID, Variant::English).is_empty());
    }
}

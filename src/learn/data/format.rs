//! The bytes of a file of samples: its header and its blocks.

use std::io::{self, Read};

use crate::board::Grid;
use crate::storage::Format;
use crate::storage::format::{START, push_part};

use super::about::SamplesAbout;
use super::error::DataProblem;
use super::sample::Sample;

/// The format of every file of samples.
pub(super) const FORMAT: Format = Format { name: "samples", magic: *b"Manoury\x1d", version: 1 };
/// The maximum length of the description in the header, in bytes.
const MAX_TEXT: u32 = 1 << 16;
/// The maximum number of samples in a block.
const MAX_SAMPLES: u32 = 1 << 16;

/// The bytes of a header.
pub(super) fn header(about: &SamplesAbout) -> io::Result<Vec<u8>> {
    let text = serde_json::to_vec(about)?;
    let mut header = FORMAT.start();
    push_part(&mut header, &text);
    header.extend(crc32fast::hash(&text).to_le_bytes());
    Ok(header)
}

/// Reads a header. Returns its size in bytes too.
pub(super) fn read_header(file: &mut impl Read) -> Result<(SamplesAbout, u64), DataProblem> {
    let start: [u8; START] = take(file).map_err(no_data)?;
    FORMAT.after_start(&start)?;
    let length = take_u32(file).map_err(no_data)?;
    if length > MAX_TEXT {
        return Err(DataProblem::About);
    }
    let mut text = vec![0; length as usize];
    file.read_exact(&mut text).map_err(no_data)?;
    if crc32fast::hash(&text) != take_u32(file).map_err(no_data)? {
        return Err(DataProblem::About);
    }
    let about = serde_json::from_slice(&text).map_err(|_| DataProblem::About)?;
    Ok((about, (START + 2 * size_of::<u32>() + text.len()) as u64))
}

/// An incomplete header means that the file is something else.
fn no_data(error: io::Error) -> DataProblem {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => DataProblem::NoData,
        _ => DataProblem::Io(error),
    }
}

/// The bytes of a block.
pub(super) fn block(grid: Grid, samples: &[Sample]) -> Vec<u8> {
    let mut block = Vec::with_capacity(samples.len() * Sample::bytes(grid) + 8);
    block.extend_from_slice(&(samples.len() as u32).to_le_bytes());
    for sample in samples {
        sample.write(grid, &mut block);
    }
    let check = crc32fast::hash(&block);
    block.extend_from_slice(&check.to_le_bytes());
    block
}

/// Reads the block with a number and appends its samples. Returns its size in bytes.
pub(super) fn read_block(
    grid: Grid,
    number: u64,
    file: &mut impl Read,
    samples: &mut Vec<Sample>,
) -> Result<u64, DataProblem> {
    let fault = |fault| DataProblem::Block { number, fault };
    let count = take(file)?;
    if u32::from_le_bytes(count) > MAX_SAMPLES {
        return Err(fault("too many samples"));
    }
    let size = Sample::bytes(grid);
    let mut bytes = vec![0; u32::from_le_bytes(count) as usize * size];
    file.read_exact(&mut bytes)?;
    let check = take(file)?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&count);
    hasher.update(&bytes);
    if hasher.finalize() != u32::from_le_bytes(check) {
        return Err(fault("wrong checksum"));
    }
    for sample in bytes.chunks_exact(size) {
        let sample = Sample::read(grid, sample).ok_or(fault("no position"))?;
        sample.setup.check(grid).map_err(|_| fault("impossible position"))?;
        samples.push(sample);
    }
    Ok((count.len() + bytes.len() + check.len()) as u64)
}

fn take_u32(file: &mut impl Read) -> io::Result<u32> {
    take(file).map(u32::from_le_bytes)
}

fn take<const N: usize>(file: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

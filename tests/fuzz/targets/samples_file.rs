//! Any bytes as a samples file, and as a block of one with a correct checksum: the file is refused,
//! or every position in it is legal.

use std::fs;
use std::path::Path;

use manoury::erased::Position;
use manoury::learn::data::{Origin, Sample, SampleReader, SampleWriter, Split};
use manoury::rules::Variant;

const VARIANT: Variant = Variant::English;

fn read(path: &Path) {
    let Ok(mut reader) = SampleReader::open(VARIANT, path) else {
        return;
    };
    let mut samples = Vec::new();
    while let Ok(true) = reader.read(&mut samples) {
        for sample in &samples {
            Position::from_setup(VARIANT, &sample.setup)
                .expect("a position the reader has checked");
        }
    }
}

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("bytes");
    fs::write(&path, bytes).expect("room for the file");
    read(&path);

    let origin = Origin::Shuffled {
        seed: 1,
        set: Split::Training,
        late_percent: 100,
        lambda_percent: 0,
        sources: Vec::new(),
    };
    let writer = SampleWriter::create(VARIANT, &path, origin).expect("room for the file");
    drop(writer);
    let sample_bytes = Sample::bytes(VARIANT.grid());
    let samples = bytes.len() / sample_bytes;
    let mut block = (samples as u32).to_le_bytes().to_vec();
    block.extend(&bytes[..samples * sample_bytes]);
    block.extend(crc32fast::hash(&block).to_le_bytes());
    let mut file = fs::read(&path).expect("the header");
    file.extend(block);
    fs::write(&path, file).expect("room for the file");
    read(&path);
}

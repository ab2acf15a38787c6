//! Any bytes as a file of positions to learn from, and as a block of one with a right checksum: refused, or
//! every position is a legal one.

use std::fs;
use std::path::Path;

use manoury::learn::data::{About, Origin, Reader, Sample, Set, Writer};
use manoury::rules::{English, Rules};

type Board = <English as Rules>::Geometry;

fn read(path: &Path) {
    let Ok(mut reader) = Reader::<English>::open(path) else {
        return;
    };
    let mut samples = Vec::new();
    while let Ok(true) = reader.read(&mut samples) {
        for sample in &samples {
            sample.setup.position::<English>().expect("a position that was checked");
        }
    }
}

/// Looks at one input.
pub fn check(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("bytes");
    fs::write(&path, bytes).expect("room for the file");
    read(&path);

    let origin = Origin::Shuffled { seed: 1, set: Set::Training };
    let writer = Writer::create(&path, &About::new("english", origin)).expect("room for the file");
    drop(writer);
    let samples = bytes.len() / Sample::<Board>::BYTES;
    let mut block = (samples as u32).to_le_bytes().to_vec();
    block.extend(&bytes[..samples * Sample::<Board>::BYTES]);
    block.extend(crc32fast::hash(&block).to_le_bytes());
    let mut file = fs::read(&path).expect("the header");
    file.extend(block);
    fs::write(&path, file).expect("room for the file");
    read(&path);
}

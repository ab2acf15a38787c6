//! Any bytes as a bitbase file: the file is refused, or every position of it can be looked up.

use std::fs;

use manoury_core::bitbase::{Content, File, Index, Slice, Value};
use manoury_core::board::{Board8, Geometry};
use manoury_core::rules::Variant;

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("bytes");
    fs::write(&path, bytes).expect("room for the file");
    let slice: Slice = "1001".parse().expect("a slice");
    for content in [Content::Values, Content::Distances] {
        let Ok(file) = File::open(&path, Board8::GRID, Variant::English, slice, content) else {
            continue;
        };
        let _ = file.verify();
        let index = Index::new(Board8::GRID, slice);
        for number in 0..index.len() {
            let pieces = index.pieces::<Board8>(number);
            let _ = (file.value(&pieces), file.plies(&pieces, Value::Win, Value::Loss));
        }
    }
}

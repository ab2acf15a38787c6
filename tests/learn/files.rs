//! Files of samples that are damaged or something else.

use std::fs;
use std::path::Path;

use manoury::learn::data::{DataError, DataProblem, SampleReader};
use manoury::rules::Variant;
use proptest::prelude::*;

use crate::learn::{play, settings};

/// A file of games.
fn file() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    play(Variant::International, folder.path(), &settings(3), 1, u64::MAX);
    fs::read(folder.path().join("000000000.games")).unwrap()
}

/// The number of blocks in a file of these bytes.
fn blocks(bytes: &[u8]) -> Result<usize, DataError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    fs::write(&path, bytes).unwrap();
    let mut reader = SampleReader::open(Variant::International, &path)?;
    let (mut samples, mut blocks) = (Vec::new(), 0);
    while reader.read(&mut samples)? {
        blocks += 1;
    }
    Ok(blocks)
}

fn problem(bytes: &[u8]) -> DataProblem {
    blocks(bytes).unwrap_err().problem
}

#[test]
fn reports_foreign_files() {
    let file = file();
    assert!(matches!(problem(b""), DataProblem::NotSamples));
    assert!(matches!(problem(b"<?xml version=\"1.0\"?>"), DataProblem::NotSamples));
    let mut newer = file.clone();
    newer[8] = 2;
    assert!(matches!(problem(&newer), DataProblem::Version { is: 2, should: 1 }));
    let mut damaged = file.clone();
    let last = damaged.len() - 10;
    damaged[last] ^= 1;
    assert!(matches!(problem(&damaged), DataProblem::Block { number: 3, fault: "wrong checksum" }));

    let missing =
        SampleReader::open(Variant::International, Path::new("no/such.games")).err().unwrap();
    assert!(missing.to_string().starts_with("no/such.games: "), "{missing}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    fs::write(&path, &file).unwrap();
    let other = SampleReader::open(Variant::Killer, &path).err().unwrap().problem;
    assert!(matches!(other, DataProblem::OtherVariant(name) if name == "international"));
}

proptest! {
    #[test]
    fn detects_any_change(place: prop::sample::Index, to: u8) {
        let file = FILE.with(Clone::clone);
        let mut changed = file.clone();
        let place = place.index(file.len());
        changed[place] = to;
        // A longer block would break off at the end of the file.
        match blocks(&changed) {
            Ok(blocks) => prop_assert!(blocks < 3 || changed == file),
            Err(error) => prop_assert!(!matches!(error.problem, DataProblem::Io(_)), "{}", error),
        }
    }

    #[test]
    fn detects_truncation_anywhere(length: prop::sample::Index) {
        let file = FILE.with(Clone::clone);
        match blocks(&file[..length.index(file.len())]) {
            Ok(blocks) => prop_assert!(blocks < 3),
            Err(error) => prop_assert!(matches!(error.problem, DataProblem::NotSamples)),
        }
    }
}

thread_local! {
    /// The games are played once per thread, not for each case.
    static FILE: Vec<u8> = file();
}

//! Files that are not what they should be.

use std::fs;
use std::path::Path;

use manoury::learn::data::{DataError, Problem, Reader};
use manoury::rules::{International, Killer};
use proptest::prelude::*;

use crate::{play, settings};

/// A file of games.
fn file() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    play::<International>(folder.path(), &settings(3), 1, u64::MAX);
    fs::read(folder.path().join("000000000.games")).unwrap()
}

/// How many blocks a file of these bytes has.
fn blocks(bytes: &[u8]) -> Result<usize, DataError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    fs::write(&path, bytes).unwrap();
    let mut reader = Reader::<International>::open(&path)?;
    let (mut samples, mut blocks) = (Vec::new(), 0);
    while reader.read(&mut samples)? {
        blocks += 1;
    }
    Ok(blocks)
}

fn problem(bytes: &[u8]) -> Problem {
    blocks(bytes).unwrap_err().problem
}

#[test]
fn foreign_files_are_named() {
    let file = file();
    assert!(matches!(problem(b""), Problem::NoData));
    assert!(matches!(problem(b"<?xml version=\"1.0\"?>"), Problem::NoData));
    let mut newer = file.clone();
    newer[8] = 2;
    assert!(matches!(problem(&newer), Problem::Version(2)));
    let mut damaged = file.clone();
    let last = damaged.len() - 10;
    damaged[last] ^= 1;
    assert!(matches!(problem(&damaged), Problem::Block { number: 3, fault: "wrong checksum" }));

    let missing = Reader::<International>::open(Path::new("no/such.games")).err().unwrap();
    assert!(missing.to_string().starts_with("no/such.games: "), "{missing}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    fs::write(&path, &file).unwrap();
    let other = Reader::<Killer>::open(&path).err().unwrap().problem;
    assert!(matches!(other, Problem::OtherVariant(name) if name == "international"));
}

proptest! {
    #[test]
    fn any_change_is_found(place: prop::sample::Index, to: u8) {
        let file = FILE.with(Clone::clone);
        let mut changed = file.clone();
        let place = place.index(file.len());
        changed[place] = to;
        // A longer block would break off at the end of the file.
        match blocks(&changed) {
            Ok(blocks) => prop_assert!(blocks < 3 || changed == file),
            Err(error) => prop_assert!(!matches!(error.problem, Problem::Io(_)), "{}", error),
        }
    }

    #[test]
    fn a_file_may_break_off_anywhere(length: prop::sample::Index) {
        let file = FILE.with(Clone::clone);
        match blocks(&file[..length.index(file.len())]) {
            Ok(blocks) => prop_assert!(blocks < 3),
            Err(error) => prop_assert!(matches!(error.problem, Problem::NoData)),
        }
    }
}

thread_local! {
    /// Played once for all tries.
    static FILE: Vec<u8> = file();
}

//! Bitbases made one ending at a time, as by many machines.

use std::fs;
use std::path::Path;

use manoury::bitbase::{Slice, plan};
use manoury::erased::{Generation, SliceGeneration};
use manoury::progress::NoProgress;
use manoury::rules::Variant;

use crate::bitbase::files::contents;

/// Makes all endings of a variant in one process.
fn make_all(variant: Variant, folder: &Path, pieces: usize) {
    let generation = Generation { variant, pieces, has_distances: false };
    generation.run(folder, &NoProgress).unwrap();
}

fn make(variant: Variant, folder: &Path, slices: &[Slice]) -> Result<(), String> {
    let generation = SliceGeneration { variant, slices };
    generation.run(folder, &NoProgress).map_err(|error| error.to_string())
}

/// Deletes what only further slices need.
fn delete_tables(folder: &Path) {
    fs::remove_dir_all(folder.join("tables")).unwrap();
}

/// Makes all endings of up to three pieces of these variants together and one by one.
fn make_together_and_alone(is_chosen: fn(Variant) -> bool) {
    for &variant in Variant::ALL.iter().filter(|&&variant| is_chosen(variant)) {
        let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        make_all(variant, whole.path(), 3);
        for slice in (2..=3).flat_map(Slice::all) {
            make(variant, parts.path(), &[slice]).unwrap();
        }
        delete_tables(parts.path());
        assert!(contents(parts.path()) == contents(whole.path()), "{variant}");
    }
}

/// Whether the bitbases of a variant are made quickly.
fn is_quick(variant: Variant) -> bool {
    variant.grid().squares() == 32 || variant == Variant::International
}

#[test]
fn slices_made_alone_are_the_same() {
    make_together_and_alone(is_quick);
}

#[test]
#[ignore = "slow: large boards"]
fn slices_of_large_boards_made_alone_are_the_same() {
    make_together_and_alone(|variant| !is_quick(variant));
}

#[test]
fn a_plan_makes_the_same_files_with_and_without_tables() {
    let (variant, pieces) = (Variant::English, 4);
    let whole = tempfile::tempdir().unwrap();
    make_all(variant, whole.path(), pieces);
    for has_tables in [true, false] {
        let parts = tempfile::tempdir().unwrap();
        for task in plan(pieces) {
            make(variant, parts.path(), &task.slices).unwrap();
            if !has_tables {
                delete_tables(parts.path());
            }
        }
        if has_tables {
            delete_tables(parts.path());
        }
        assert!(contents(parts.path()) == contents(whole.path()), "tables: {has_tables}");
    }
}

#[test]
fn makes_only_missing_files() {
    let (variant, folder) = (Variant::English, tempfile::tempdir().unwrap());
    let slices = Slice::all(2);
    make(variant, folder.path(), &slices).unwrap();
    let before = contents(&folder.path().join("tables"));
    delete_tables(folder.path());
    make(variant, folder.path(), &slices).unwrap();
    assert!(!folder.path().join("tables").exists(), "all files were there");
    fs::remove_file(folder.path().join("0110.bitbase")).unwrap();
    make(variant, folder.path(), &slices).unwrap();
    let after = contents(&folder.path().join("tables"));
    assert_eq!(after, [before[1].clone(), before[2].clone()]);
}

#[test]
fn reports_missing_and_damaged_files() {
    let (variant, folder) = (Variant::English, tempfile::tempdir().unwrap());
    let folder = folder.path();
    let slice: Slice = "0021".parse().unwrap();
    let missing = make(variant, folder, &[slice]).unwrap_err();
    assert_eq!(missing, "slice 0011 has to be solved first");
    make(variant, folder, &Slice::all(2)).unwrap();
    let table = folder.join("tables/0011.table");
    let whole = fs::read(&table).unwrap();
    for (place, told) in
        [(0, "bitbase table"), (8, "version"), (12, "not the variant"), (20, "checksum")]
    {
        let mut damaged = whole.clone();
        damaged[place] ^= 1;
        fs::write(&table, damaged).unwrap();
        let error = make(variant, folder, &[slice]).unwrap_err();
        assert!(error.contains("0011.table") && error.contains(told), "{place}: {error}");
    }
    fs::write(&table, &whole[1..]).unwrap();
    let error = make(variant, folder, &[slice]).unwrap_err();
    assert!(error.contains("bytes long, expected"), "{error}");
    fs::write(&table, whole).unwrap();
    make(variant, folder, &[slice]).unwrap();
}

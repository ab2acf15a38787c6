//! The bitbases in the program are those that it makes. Where they are not, the new ones are in the
//! folder for temporary files.

use std::env;
use std::fs;
use std::path::Path;

use manoury::bitbase::{Content, Slice, archive};
use manoury::erased::{BitbaseFile, Bitbases, Generation};
use manoury::progress::NoProgress;
use manoury::rules::Variant;

use crate::bitbase::{generation, made};

/// The largest size of the decompressed files of all games, and of international draughts, in bytes.
const MOST: u64 = 8_000_000;
const MAX_INTERNATIONAL_BYTES: u64 = 4_500_000;

/// Makes the bitbases of up to `pieces` pieces that belong into the program.
fn remade(variant: Variant, folder: &Path, pieces: usize) -> Bitbases {
    let has_distances_of_four = variant == Variant::International;
    let mut bitbases = made(variant, folder, if has_distances_of_four { pieces } else { 3 });
    if pieces == 4 && !has_distances_of_four {
        let values = Generation { has_distances: false, ..generation(variant, 4) };
        values.run(folder, &NoProgress).unwrap();
        assert!(bitbases.open(folder, 4).is_empty());
    }
    bitbases
}

/// The bytes of the files of up to `pieces` pieces, fewest pieces first, values before distances.
fn files(bitbases: &Bitbases, pieces: usize) -> Vec<&[u8]> {
    let contents = [Content::Values, Content::Distances];
    let files = (2..=pieces)
        .flat_map(Slice::all)
        .flat_map(|slice| contents.map(|content| bitbases.file(slice, content)));
    files.flatten().map(BitbaseFile::bytes).collect()
}

/// The variants of which the program has bitbases of four pieces, or of three; Frysk uses those of
/// Frisian.
fn with_four(has_four: bool) -> impl Iterator<Item = Variant> {
    let own = Variant::ALL.iter().copied().filter(|&variant| variant != Variant::Frysk);
    let is_chosen = move |variant: &Variant| {
        has_four == (variant.grid().squares() == 32 || *variant == Variant::International)
    };
    own.filter(is_chosen)
}

/// Makes the files of a variant, with all its pieces, and compares them with those in the program.
fn check(variant: Variant, pieces: usize) {
    let folder = tempfile::tempdir().unwrap();
    let remade = remade(variant, folder.path(), pieces);
    if files(&remade, 4) != files(&Bitbases::embedded(variant), 4) {
        let new = env::temp_dir().join(format!("{variant}.bitbases"));
        fs::write(&new, archive::pack(&files(&remade, 4)).unwrap()).unwrap();
        panic!("{variant}: not what the program makes: see {}", new.display());
    }
}

#[test]
fn files_of_three_pieces_match_generation() {
    for variant in with_four(true) {
        let folder = tempfile::tempdir().unwrap();
        let remade = remade(variant, folder.path(), 3);
        assert_eq!(files(&Bitbases::embedded(variant), 3), files(&remade, 3), "{variant}");
    }
}

#[test]
fn boards_of_50_squares_match_generation() {
    let fifty = with_four(false).filter(|variant| variant.grid().squares() == 50);
    fifty.for_each(|variant| check(variant, 3));
}

#[test]
#[ignore = "slow: large boards"]
fn larger_boards_match_generation() {
    let larger = with_four(false).filter(|variant| variant.grid().squares() > 50);
    larger.for_each(|variant| check(variant, 3));
}

#[test]
#[ignore = "slow: makes bitbases of four pieces"]
fn files_of_four_pieces_match_generation() {
    with_four(true).for_each(|variant| check(variant, 4));
}

#[test]
fn every_variant_has_bitbases() {
    let mut size = 0;
    for &variant in Variant::ALL {
        let bitbases = Bitbases::embedded(variant);
        for slice in (2..=3).flat_map(Slice::all) {
            for content in [Content::Values, Content::Distances] {
                let file = bitbases.file(slice, content);
                assert!(file.is_some_and(|file| file.verify().is_ok()), "{variant} {slice}");
            }
        }
        let is_small = variant.grid().squares() == 32;
        assert_eq!(bitbases.pieces() == 4, is_small || variant == Variant::International);
        let own_size = if variant == Variant::Frysk { 0 } else { bitbases.size() };
        assert!(variant != Variant::International || own_size <= MAX_INTERNATIONAL_BYTES);
        size += own_size;
    }
    assert!(size < MOST, "{size} bytes");
}

//! The bitbases in the program are those that it makes. Where they are not, the new ones are in the
//! folder for temporary files.

use std::env;
use std::fs;
use std::path::Path;

use manoury::bitbase::{Content, Slice};
use manoury::erased::{Bitbases, Generation};
use manoury::progress::NoProgress;
use manoury::rules::Variant;

use crate::bitbase::{generation, made};
use crate::game::table::data;

/// The largest size of the files of all games, and of international draughts, in bytes.
const MOST: u64 = 8_000_000;
const MAX_INTERNATIONAL_BYTES: u64 = 4_500_000;

/// The files that belong into the program, concatenated.
fn remade(variant: Variant, folder: &Path) -> Vec<u8> {
    let has_four = variant.grid().squares() == 32;
    let pieces = if variant == Variant::International { 4 } else { 3 };
    let mut bitbases = made(variant, folder, pieces);
    if has_four {
        let values = Generation { has_distances: false, ..generation(variant, 4) };
        values.run(folder, &NoProgress).unwrap();
        assert!(bitbases.open(folder, 4).is_empty());
    }
    let slices = (2..=4).flat_map(Slice::all);
    let contents = [Content::Values, Content::Distances];
    let files = slices.flat_map(|slice| contents.map(|content| bitbases.file(slice, content)));
    files.flatten().flat_map(|file| fs::read(file.path()).unwrap()).collect()
}

fn check(variants: &[Variant]) {
    for &variant in variants {
        let folder = tempfile::tempdir().unwrap();
        let name = format!("{variant}.bitbases");
        let program = data("../../src/core/bitbase/embedded").join(&name);
        let remade = remade(variant, folder.path());
        if fs::read(&program).ok().as_ref() != Some(&remade) {
            let new = env::temp_dir().join(&name);
            fs::write(&new, remade).unwrap();
            panic!("{} is not what the program makes: see {}", program.display(), new.display());
        }
    }
}

#[test]
fn international_matches_generation() {
    check(&[Variant::International]);
}

#[test]
fn large_boards_match_generation() {
    use Variant::{Breakthrough, Canadian, Frisian, Killer, Losing, Turkish};
    check(&[Killer, Breakthrough, Losing, Frisian, Canadian, Turkish]);
}

#[test]
fn russian_and_similar_variants_match_generation() {
    use Variant::{Brazilian, Pool, Russian};
    check(&[Brazilian, Russian, Pool]);
}

#[test]
fn other_small_boards_match_generation() {
    use Variant::{Czech, English, German, Italian, Spanish};
    check(&[English, Italian, Spanish, German, Czech]);
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

//! The numbers of won, drawn and lost positions of each slice, and their plies, against the tables
//! `wld_counts*.tsv` and `dtw_histogram.tsv` and the bitbases in the program. Up to five pieces
//! independent generators agree on the tables; those of six pieces come from this generator.

use std::collections::BTreeMap;
use std::env;
use std::ops::RangeInclusive;
use std::path::Path;

use manoury::bitbase::{Content, Slice, Value};
use manoury::engine::bitbase_folder;
use manoury::erased::Bitbases;
use manoury::progress::NoProgress;
use manoury::rules::Variant;

use crate::bitbase::made;
use crate::game::table::{Row, rows};

/// The counts of a row: quiet positions, then captures, each by value.
fn expected(row: &Row) -> [u64; 6] {
    ["quiet_l", "quiet_d", "quiet_w", "capture_l", "capture_d", "capture_w"]
        .map(|column| row.get(column).parse().unwrap())
}

fn compare(table: &str, bitbases: &Bitbases) {
    for row in rows(table) {
        let slice: Slice = row.get("slice").parse().unwrap();
        let file = bitbases.file(slice, Content::Values).expect("every slice");
        let counts = file.counts();
        let found = [counts.quiet, counts.capture].concat();
        assert_eq!(found, expected(&row), "{slice}");
        assert_eq!(file.positions().to_string(), row.get("placements"), "{slice}");
        let all: u64 = Value::ALL.into_iter().map(|value| counts.of(value)).sum();
        assert_eq!(all, file.positions(), "{slice}");
    }
}

#[test]
fn counts_of_two_to_four_pieces_match_the_table() {
    // `program` compares these with new ones.
    compare("endgame/wld_counts.tsv", &Bitbases::embedded(Variant::International));
}

/// Compares the distances of the slices with these numbers of pieces.
fn compare_distances(pieces: RangeInclusive<usize>) {
    let mut expected: BTreeMap<Slice, Vec<[String; 4]>> = BTreeMap::new();
    for row in rows("endgame/dtw_histogram.tsv") {
        let columns =
            ["result", "dtw_plies", "quiet", "capture"].map(|name| row.get(name).to_owned());
        expected.entry(row.get("slice").parse().unwrap()).or_default().push(columns);
    }
    expected.retain(|slice, _| pieces.contains(&slice.pieces()));
    assert!(!expected.is_empty());
    let bitbases = Bitbases::embedded(Variant::International);
    for (slice, mut expected) in expected {
        let counts = bitbases.count_verdicts(slice, &NoProgress).unwrap();
        let mut found: Vec<_> = counts
            .groups()
            .map(|(verdict, group)| {
                let letter = match verdict.value {
                    Value::Loss => "L",
                    Value::Draw => "D",
                    Value::Win => "W",
                };
                let plies = verdict.plies.map_or("-".to_owned(), |plies| plies.to_string());
                [letter.to_owned(), plies, group.quiet.to_string(), group.capture.to_string()]
            })
            .collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{slice}");
    }
}

#[test]
fn distances_of_two_and_three_pieces_match_the_table() {
    compare_distances(2..=3);
}

#[test]
#[ignore = "slow: reads all positions of four pieces"]
fn distances_of_four_pieces_match_the_table() {
    compare_distances(4..=4);
}

#[test]
#[ignore = "by hand: takes minutes"]
fn counts_of_five_pieces_match_the_table_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let bitbases = made(Variant::International, folder.path(), 5);
    compare("endgame/wld_counts_5.tsv", &bitbases);
}

/// Reads the folder of bitbases given by an environment variable, since it takes hours to make
/// those of six pieces.
#[test]
#[ignore = "by hand: needs bitbases of six pieces in MANOURY_BITBASES"]
fn counts_of_six_pieces_match_the_table_by_hand() {
    let folder = env::var_os("MANOURY_BITBASES").expect("a folder in MANOURY_BITBASES");
    let folder = bitbase_folder(Variant::International, Path::new(&folder));
    let mut bitbases = Bitbases::none(Variant::International);
    assert!(bitbases.open(&folder, 6).is_empty());
    compare("endgame/wld_counts_6.tsv", &bitbases);
    for row in rows("endgame/wld_counts_6.tsv") {
        let slice: Slice = row.get("slice").parse().unwrap();
        let file = bitbases.file(slice, Content::Values).expect("every slice");
        let found = [file.size().to_string(), format!("{:08x}", file.checksum())];
        assert_eq!(found, [row.get("bytes"), row.get("crc32")], "{slice}");
    }
}

//! The values of single positions: known ones, and every position of small endings of every game.

use manoury::bitbase::{Value, Verdict};
use manoury::erased::{Bitbases, Position};
use manoury::notation::{fen, hub};
use manoury::rules::Variant;

use crate::bitbase::{generation, made, plain, value};
use crate::game::table::{Row, rows};

fn expected(row: &Row) -> Value {
    match row.get("value") {
        "W" => Value::Win,
        "D" => Value::Draw,
        "L" => Value::Loss,
        other => panic!("{other}"),
    }
}

/// The position of a row, of international draughts.
fn position(row: &Row) -> Position {
    hub::parse_position(Variant::International, row.get("hub")).unwrap()
}

#[test]
fn known_positions() {
    let bitbases = Bitbases::embedded(Variant::International);
    for row in rows("endgame/wld_positions.tsv") {
        let plies = row.get("dtw_plies").parse().ok();
        let verdict = Verdict { value: expected(&row), plies };
        assert_eq!(bitbases.probe(&position(&row)), Some(verdict), "{}", row.get("hub"));
    }
}

/// Captures lead to smaller endings: many positions with five pieces follow from those with four.
#[test]
fn five_pieces_before_a_capture() {
    let bitbases = Bitbases::embedded(Variant::International);
    let mut known = 0;
    for row in rows("endgame/wld_positions_5.tsv") {
        let found = value(&bitbases, &position(&row));
        match found {
            Some(_) => assert_eq!(found, Some(expected(&row)), "{}", row.get("hub")),
            None => assert_eq!(row.get("capture"), "0", "{}", row.get("hub")),
        }
        known += usize::from(found.is_some());
    }
    assert!(known > 50, "{known}");
}

#[test]
#[ignore = "by hand: takes minutes"]
fn known_positions_of_five_pieces_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let bitbases = made(Variant::International, folder.path(), 5);
    for row in rows("endgame/wld_positions_5.tsv") {
        let found = value(&bitbases, &position(&row));
        assert_eq!(found, Some(expected(&row)), "{}", row.get("hub"));
    }
}

/// Compares all positions with up to `pieces` pieces with those of the plain solver.
fn compare(bitbases: &Bitbases, pieces: usize) {
    let variant = bitbases.variant();
    let solved = plain::solve(variant, pieces);
    assert_eq!(solved.len() as u64, generation(variant, pieces).positions(), "{variant}");
    for (position, verdict) in solved {
        let found = bitbases.probe(&position);
        assert_eq!(found, Some(verdict), "{variant} {}", fen::format(&position));
    }
}

/// Makes the bitbases of a variant and compares them with the plain solver.
fn make_and_compare(variant: Variant, pieces: usize) {
    let folder = tempfile::tempdir().unwrap();
    compare(&made(variant, folder.path(), pieces), pieces);
}

#[test]
fn two_pieces_match_the_plain_solver_in_every_variant() {
    Variant::ALL.iter().for_each(|&variant| make_and_compare(variant, 2));
}

#[test]
fn three_pieces_match_the_plain_solver() {
    make_and_compare(Variant::Russian, 3);
}

/// Three pieces tell all variants apart.
#[test]
#[ignore = "slow: plain solver"]
fn three_pieces_match_the_plain_solver_on_every_small_board() {
    let small = Variant::ALL.iter().filter(|variant| variant.grid().squares() == 32);
    small.for_each(|&variant| make_and_compare(variant, 3));
}

#[test]
#[ignore = "slow: plain solver"]
fn three_pieces_match_the_plain_solver_on_a_large_board() {
    compare(&Bitbases::embedded(Variant::International), 3);
}

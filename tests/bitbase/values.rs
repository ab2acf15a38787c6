//! The values of single positions: known ones, and every position of small endings of every game.

use assert_cmd::Command;
use manoury::bitbase::{Bitbases, Value, Verdict, folder_of};
use manoury::board::Geometry;
use manoury::notation::{fen, hub};
use manoury::position::Position;
use manoury::rules::{International, Rules, Variant, VariantVisitor};

use crate::table::{Row, rows};
use crate::{made, plain};

fn value(row: &Row) -> Value {
    match row.get("value") {
        "W" => Value::Win,
        "D" => Value::Draw,
        "L" => Value::Loss,
        other => panic!("{other}"),
    }
}

#[test]
fn known_positions() {
    let bitbases = Bitbases::<International>::embedded();
    for row in rows("endgame/wld_positions.tsv") {
        let position: Position<International> = hub::parse_position(row.get("hub")).unwrap();
        let plies = row.get("dtw_plies").parse().ok();
        let verdict = Verdict { value: value(&row), plies };
        assert_eq!(bitbases.verdict(&position), Some(verdict), "{}", row.get("hub"));
    }
}

/// Captures lead to smaller endings, so many positions with five pieces are known by those of four.
#[test]
fn five_pieces_before_a_capture() {
    let bitbases = Bitbases::<International>::embedded();
    let mut known = 0;
    for row in rows("endgame/wld_positions_5.tsv") {
        let position: Position<International> = hub::parse_position(row.get("hub")).unwrap();
        match bitbases.value(&position) {
            found @ Some(_) => assert_eq!(found, Some(value(&row)), "{}", row.get("hub")),
            None => assert_eq!(row.get("capture"), "0", "{}", row.get("hub")),
        }
        known += usize::from(bitbases.value(&position).is_some());
    }
    assert!(known > 50, "{known}");
}

#[test]
#[ignore = "takes minutes"]
fn known_positions_of_five_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let bitbases = made(folder.path(), 5);
    for row in rows("endgame/wld_positions_5.tsv") {
        let position: Position<International> = hub::parse_position(row.get("hub")).unwrap();
        assert_eq!(bitbases.value(&position), Some(value(&row)), "{}", row.get("hub"));
    }
}

/// Compares all positions of a game with what the plain solver finds.
struct Compare;

impl VariantVisitor for Compare {
    type Output = ();

    fn visit<R: Rules>(self) {
        // Small boards have room for the pieces that tell games apart.
        let pieces = if R::Geometry::SQUARES == 32 { 3 } else { 2 };
        compare(&made_by_program::<R>(pieces), pieces);
    }
}

/// Has the program make the bitbases: to build the generator for every game once more takes long.
fn made_by_program<R: Rules>(pieces: usize) -> Bitbases<R> {
    let folder = tempfile::tempdir().unwrap();
    let (variant, pieces_word) = (R::VARIANT.name(), pieces.to_string());
    let arguments = ["bitbase", "generate", "--distances", "--variant", variant, "--pieces"];
    let output = Command::new(env!("CARGO_BIN_EXE_manoury"))
        .args(arguments)
        .args([&pieces_word, "--dir"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{variant}");
    let mut bitbases = Bitbases::none();
    assert!(bitbases.open(&folder_of::<R>(folder.path()), pieces).is_empty());
    bitbases
}

fn compare<R: Rules>(bitbases: &Bitbases<R>, pieces: usize) {
    for (position, verdict) in plain::solve::<R>(pieces) {
        let found = bitbases.verdict(&position);
        assert_eq!(found, Some(verdict), "{} {}", R::VARIANT, fen::format(&position));
    }
}

#[test]
fn every_small_ending_of_every_game() {
    for variant in Variant::ALL {
        variant.visit(Compare);
    }
}

#[test]
fn three_pieces_on_a_large_board() {
    compare(&Bitbases::<International>::embedded(), 3);
}

//! `manoury eval`: what is known without searching.

use manoury::analysis::StaticView;
use manoury::board::{Kind, Side};
use manoury::erased::Position;
use manoury::eval::Evaluation;
use manoury::notation::fen;
use manoury::rules::Variant;
use manoury::weights;
use proptest::prelude::*;
use serde_json::Value;

use crate::engine::cli::{print, run};

use super::board::positions;

fn answer(arguments: &str) -> Value {
    serde_json::from_str(&print(arguments, "")).unwrap()
}

#[test]
fn shows_pieces_bitbases_and_book() {
    let start = answer("eval --json");
    assert_eq!((&start["weights"], &start["quiet"]), (&"network".into(), &true.into()));
    assert_eq!(start["pieces"].as_array().unwrap().len(), 40);
    assert!(!start["book"].as_array().unwrap().is_empty());
    assert_eq!(start["value"], Value::Null);

    let ending = answer("eval --json --fen W:WK28:BK5");
    assert_eq!((&ending["value"], &ending["plies"]), (&"win".into(), &3.into()));
    assert_eq!(ending["pieces"][1]["king"], true);
    assert_eq!(ending["pieces"][0]["worth"], Value::Null, "the only piece of the opponent");
    assert_eq!(ending["book"], Value::Array(Vec::new()));

    let over = answer("eval --json --fen W:W:BK5");
    assert_eq!(over["score"], Value::Null);
    assert!(!answer("eval --json --fen W:W28:B23")["quiet"].as_bool().unwrap());
}

#[test]
fn chances_are_those_of_results() {
    let chances = |fen: &str| {
        let chances = answer(&format!("eval --json --fen {fen}"))["chances"].clone();
        ["white", "draw", "black"].map(|result| chances[result].as_f64().unwrap())
    };
    let ahead = |black: &str| {
        let white = "31,32,33,34,35,36,37,38,39,40,41,42,43,44,45";
        chances(&format!("W:W{white}:B1,2,3,4,5,6,7,8,9,10,11,12{black}"))
    };
    let [two_men_up, ..] = ahead(",13");
    let [white, draw, black] = ahead(",13,14");
    assert!(white > draw && draw > black, "{white} {draw} {black}");
    assert!(two_men_up > 0.5 && two_men_up > white, "{two_men_up} {white}");
    assert!((white + draw + black - 1.0).abs() < 0.0021, "{white} {draw} {black}");
    // Three kings hardly win against one, so near the main road not at all.
    let [white, draw, black] = chances("B:WK28,K33,K49:BK5");
    assert!(draw > 0.6 && white > black, "{white} {draw} {black}");
    let [_, draw, _] = chances("W:WK6:BK45");
    assert!(draw > 0.9, "{draw}");
    for unknown in ["--weights hand", "--variant brazilian --weights hand", "--fen W:W:BK5"] {
        assert_eq!(answer(&format!("eval --json {unknown}"))["chances"], Value::Null, "{unknown}");
    }
    for variant in Variant::ALL {
        let chances = &answer(&format!("eval --json --variant {variant}"))["chances"];
        let [white, black] = ["white", "black"].map(|side| chances[side].as_f64().unwrap());
        assert!((white - black).abs() < 0.2, "{variant}: {chances}");
    }
}

#[test]
fn report_and_rows_agree() {
    let page = print("eval --fen W:W27,32:B13,24", "");
    let score = answer("eval --json --fen W:W27,32:B13,24")["score"].as_f64().unwrap();
    assert!(page.starts_with(&format!("score     {score:+.2}, by the network\n")), "{page}");
    assert!(page.ends_with("bitbases  draw\nbook      no moves\n"), "{page}");
    assert_eq!(print("eval --fen -", "W:W27,32:B13,24\n"), format!("{score:+.2}\n"));
    assert!(print("eval --weights hand", "").contains("by the hand-crafted weights"));
}

#[test]
fn reports_faults() {
    for (arguments, code, message) in [
        ("eval --bitbases nowhere", 3, "nowhere"),
        ("eval --book nowhere", 3, "nowhere"),
        ("eval --weights nowhere", 3, "nowhere"),
        ("eval --pos W", 2, "--pos"),
    ] {
        let output = run(arguments, "");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments}: {errors}");
        assert!(errors.contains(message), "{arguments}: {errors}");
    }
}

#[test]
fn hand_weights_value_a_man_at_one() {
    let position = fen::parse(Variant::International, "W:W28,32,38,42:B13,18,19,24").unwrap();
    let view = StaticView::new(&position, &Evaluation::hand_crafted());
    for piece in view.pieces {
        assert_eq!(piece.piece.kind, Kind::Man);
        assert!(piece.worth.is_some_and(|worth| (90..130).contains(&worth)), "{piece:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The board turned round and the colours swapped, everything is worth the same to the other
    /// side.
    #[test]
    fn evaluation_is_the_same_for_the_opponent(position in positions()) {
        prop_assume!(position.has_move());
        let variant = position.variant();
        let evaluation = weights::embedded(variant);
        let grid = position.grid();
        let mut setup = position.setup();
        if position.side() == Side::White {
            // `with_white_to_move` turns a position with Black to move.
            setup.side = Side::Black;
        }
        let black = Position::from_setup(variant, &setup).unwrap();
        let white = Position::from_setup(variant, &setup.with_white_to_move(grid)).unwrap();
        prop_assume!(black.has_move());
        let [of_black, of_white] = [black, white].map(|it| StaticView::new(&it, &evaluation));
        prop_assert_eq!(of_black.score, -of_white.score);
        prop_assert_eq!(of_black.groups.len(), of_white.groups.len());
        for piece in of_black.pieces {
            let rotated = grid.rotated(piece.square);
            let twin = of_white.pieces.iter().find(|twin| twin.square == rotated).unwrap();
            prop_assert_eq!((twin.piece.side, twin.worth), (!piece.piece.side, piece.worth));
        }
    }
}

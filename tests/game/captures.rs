//! Checks every row of `captures.tsv`: the complete list of legal moves of a position. Each of the
//! moves must also have an unambiguous PDN spelling.

use manoury::notation::{fen, hub, pdn};
use manoury::rules::Variant;

use crate::game::table;

/// The legal moves of a position, sorted by their squares, and their count.
fn legal_moves(variant: Variant, fen: &str) -> (String, u64) {
    let position = fen::parse(variant, fen).unwrap();
    let moves = position.sorted_moves();
    for &mv in &moves {
        let text = pdn::format_move(&position, mv);
        assert_eq!(pdn::parse_move(&position, &text), Ok(mv), "{fen}");
    }
    let moves: Vec<_> = moves.into_iter().map(hub::format_move).collect();
    (moves.join(" "), position.perft(1))
}

#[test]
fn every_row() {
    let mut wrong = Vec::new();
    let rows = table::rows("captures.tsv");
    assert!(rows.len() > 200);
    for row in rows {
        let variant = row.variant();
        let (moves, count) = legal_moves(variant, row.get("fen"));
        let expected = (row.get("moves").trim_matches('-'), row.get("n").parse().unwrap());
        if (moves.as_str(), count) != expected {
            let (id, fen, bugs) = (row.get("id"), row.get("fen"), row.get("wrong_rules"));
            wrong.push(format!(
                "{id}: {variant} {fen}\n  found    {moves}\n  expected {}\n  typical bugs {bugs}",
                expected.0
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! Every row of `captures.tsv`: the complete list of legal moves of a position. All of them can be
//! told apart in PDN, too.

use manoury::movegen;
use manoury::notation::{fen, hub, pdn};
use manoury::rules::{Rules, Variant, VariantVisitor};

use crate::table;

/// The legal moves of a position in the order of their squares, and their count.
struct LegalMoves<'a>(&'a str);

impl VariantVisitor for LegalMoves<'_> {
    type Output = (String, u64);

    fn visit<R: Rules>(self) -> Self::Output {
        let position = fen::parse::<R>(self.0).unwrap();
        let mut moves = movegen::legal_moves(&position);
        moves.sort_by_cached_key(|mv| mv.numbers());
        for &mv in &moves {
            let text = pdn::format_move(&position, mv);
            assert_eq!(pdn::parse_move(&position, &text), Ok(mv), "{}", self.0);
        }
        let moves: Vec<_> = moves.into_iter().map(hub::format_move).collect();
        (moves.join(" "), movegen::count(&position))
    }
}

#[test]
fn every_row() {
    let mut wrong = Vec::new();
    let rows = table::rows("captures.tsv");
    assert!(rows.len() > 200);
    for row in rows {
        if row.get("variant") == "turkish" {
            continue; // not among our games
        }
        let variant: Variant = row.get("variant").parse().unwrap();
        let (moves, count) = variant.visit(LegalMoves(row.get("fen")));
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

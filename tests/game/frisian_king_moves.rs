//! Checks every row of `frisian_king_moves.tsv`: the legal moves where the three-king-moves rule
//! forbids some.

use manoury::erased::Position;
use manoury::notation::{fen, hub};

use crate::game::table::{self, Row};

/// The legal moves after the moves of a row, sorted.
fn moves_after(row: &Row) -> String {
    let mut position = fen::parse(row.variant(), row.get("fen")).unwrap();
    for text in row.get("moves").split(' ') {
        position = position.after(hub::parse_move(&position, text).unwrap());
    }
    assert_counters_round_trip(&position);
    let moves = position.sorted_moves().into_iter().map(hub::format_move);
    moves.collect::<Vec<_>>().join(" ")
}

/// Both FEN and Hub text carry the counters.
fn assert_counters_round_trip(position: &Position) {
    let variant = position.variant();
    assert_eq!(fen::parse(variant, &fen::format(position)), Ok(*position));
    let plain = hub::parse_position(variant, &hub::format_position(position)).unwrap();
    assert_ne!(plain, *position);
    let wolf = hub::format_wolf(position);
    assert_eq!(hub::parse_wolf(plain, &wolf), Ok(*position));
}

#[test]
fn every_row() {
    let rows = table::rows("frisian_king_moves.tsv");
    assert!(rows.len() > 10);
    for row in rows {
        let moves = moves_after(&row);
        assert_eq!(moves, row.get("legal_after").trim_matches('-'), "{}", row.get("id"));
        assert_eq!(moves.split_whitespace().count().to_string(), row.get("n"));
    }
}

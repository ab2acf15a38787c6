//! Every row of `frisian_king_moves.tsv`: legal moves where the three-king-moves rule forbids some.

use crate::table::{self, Row};
use manoury::movegen;
use manoury::notation::{fen, hub};
use manoury::position::Position;
use manoury::rules::{Rules, Variant, VariantVisitor};

/// The legal moves after the moves of a row, sorted.
struct After<'a>(&'a Row);

impl VariantVisitor for After<'_> {
    type Output = String;

    fn visit<R: Rules>(self) -> Self::Output {
        let mut position = fen::parse::<R>(self.0.get("fen")).unwrap();
        for text in self.0.get("moves").split(' ') {
            position = position.after(hub::parse_move(&position, text).unwrap());
        }
        survives_text(&position);
        let mut moves = movegen::legal_moves(&position);
        moves.sort_by_cached_key(|mv| mv.numbers());
        let moves: Vec<_> = moves.into_iter().map(hub::format_move).collect();
        moves.join(" ")
    }
}

/// The counters are part of a position as text, in both forms.
fn survives_text<R: Rules>(position: &Position<R>) {
    assert_eq!(fen::parse(&fen::format(position)), Ok(*position));
    let plain = hub::parse_position::<R>(&hub::format_position(position)).unwrap();
    assert_ne!(plain, *position);
    let wolf = hub::format_wolf(position);
    assert_eq!(hub::parse_wolf(plain, &wolf), Ok(*position));
}

#[test]
fn every_row() {
    let rows = table::rows("frisian_king_moves.tsv");
    assert!(rows.len() > 10);
    for row in rows {
        let variant: Variant = row.get("variant").parse().unwrap();
        let moves = variant.visit(After(&row));
        assert_eq!(moves, row.get("legal_after").trim_matches('-'), "{}", row.get("id"));
        assert_eq!(moves.split_whitespace().count().to_string(), row.get("n"));
    }
}

//! Checks every row of `draws.tsv`: the ply at which a game is drawn, and by which article.

use manoury::erased::Game;
use manoury::game::{Outcome, Reason};
use manoury::notation::{fen, hub};

use crate::game::table::{self, Row};

/// Plays the game of a row; returns the first ply after which it has ended, and how it ended.
fn play(row: &Row) -> Option<(usize, Outcome)> {
    let mut game = Game::from_position(fen::parse(row.variant(), row.get("fen")).unwrap());
    assert_eq!(game.outcome(), None);
    for (text, ply) in row.get("moves").split(' ').zip(1..) {
        game.play(hub::parse_move(game.position(), text).unwrap());
        if let Some(outcome) = game.outcome() {
            return Some((ply, outcome));
        }
    }
    None
}

fn article(reason: Reason) -> String {
    match reason {
        Reason::Repetition => "6.1".to_owned(),
        Reason::KingMoves => "6.2".to_owned(),
        Reason::Ending(article) => article.to_owned(),
        reason => panic!("no draw: {reason}"),
    }
}

#[test]
fn every_row() {
    let rows = table::rows("draws.tsv");
    assert!(rows.len() > 10);
    for row in rows {
        let ended = play(&row);
        assert!(ended.is_none_or(|(_, outcome)| outcome.winner.is_none()));
        let (ply, found) = match ended {
            Some((ply, outcome)) => (ply, article(outcome.reason)),
            None => (0, "-".to_owned()),
        };
        assert_eq!(ply.to_string(), row.get("draw_ply"), "{}", row.get("id"));
        assert_eq!(found, row.get("article"), "{}", row.get("id"));
    }
}

//! Rules of Turkish draughts alone: men that step sideways, and pieces taken off at once. The lists of
//! moves in `captures.tsv` have two sources; those here agree with kish 1.1.7 (PyPI).

use manoury::erased::{Game, Position};
use manoury::game::Reason;
use manoury::notation::{fen, hub, pdn};
use manoury::rules::Variant::Turkish;

fn position(text: &str) -> Position {
    fen::parse(Turkish, text).unwrap()
}

fn moves(text: &str) -> String {
    let moves = position(text).sorted_moves();
    moves.into_iter().map(hub::format_move).collect::<Vec<_>>().join(" ")
}

/// Plays moves; the reason why the game has ended, if it has.
fn play(text: &str, moves: &str) -> Option<Reason> {
    let mut game = Game::from_position(position(text));
    for mv in moves.split(' ') {
        assert_eq!(game.outcome(), None, "before {mv}");
        game.play(hub::parse_move(game.position(), mv).unwrap());
    }
    game.outcome().map(|outcome| outcome.reason)
}

#[test]
fn men_step_forward_and_sideways() {
    assert_eq!(moves("W:W36:B1"), "36-28 36-35 36-37");
    assert_eq!(moves("B:W64:B36"), "36-35 36-37 36-44");
    // At the edge they do not go round it.
    assert_eq!(moves("W:W33,40:B1"), "33-25 33-34 40-32 40-39");
}

#[test]
fn a_man_is_promoted_only_at_the_end_of_a_capture() {
    // A king on d8 could take d5 as well.
    let before = "W:W18:B10,3,28";
    assert_eq!(moves(before), "18x4x3x10");
    let mut game = Game::from_position(position(before));
    game.play(game.position().legal_moves()[0]);
    assert_eq!(fen::format(game.position()), "B:WK4:B28");
}

#[test]
fn captured_pieces_open_lines() {
    // Over d3, f5 and g4, then along the third row past d3, now empty, to take b3.
    let before = "W:WK60:B30,39,42,44";
    assert_eq!(moves(before), "60x41x30x39x42x44");
    let before = position(before);
    let mv = before.legal_moves()[0];
    assert_eq!(pdn::format_move(&before, mv), "d1xa3");
    for text in ["d1xa3", "d1xd5xg5xg3xa3", "d1xd6xa3"] {
        assert_eq!(pdn::parse_move(&before, text).is_ok(), text != "d1xd6xa3", "{text}");
    }
}

#[test]
fn a_king_never_turns_back() {
    assert_eq!(moves("W:WK36:B34,38"), "36x33x34 36x39x38 36x40x38");
}

#[test]
fn steps_sideways_repeat_positions() {
    let moves = "41-42 8-7 42-41 7-8 41-42 8-7 42-41 7-8";
    assert_eq!(play("W:W41,44:BK8,13", moves), Some(Reason::Repetition));
    let forward = "41-33 8-7 33-34 7-8 34-33 8-7 33-34 7-8";
    assert_eq!(play("W:W41,44:BK8,13", forward), None);
}

#[test]
fn one_piece_each_is_drawn_after_two_moves_each() {
    let draw = Some(Reason::Ending("1 piece v 1"));
    assert_eq!(play("W:WK57:BK8", "57-58 8-7 58-57 7-15"), draw);
    // A promotion does not restart the count.
    assert_eq!(play("W:W9:BK64", "9-1 64-63 1-9 63-64"), draw);
    // A capture in time wins.
    assert_eq!(play("W:WK58:BK9", "58-57 9-17 57x9x17"), Some(Reason::NoPieces));
}

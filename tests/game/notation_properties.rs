//! Notation on random input: no input makes a reader panic, and all output can be read back.

use manoury::erased::{Game, Position};
use manoury::notation::{PositionLetters, fen, hub, pdn};
use manoury::position::KingRun;
use manoury::rules::Variant;
use proptest::prelude::*;
use proptest::sample::select;

use crate::game::playout;

fn variants() -> impl Strategy<Value = Variant> {
    select(Variant::ALL)
}

fn choices() -> impl Strategy<Value = Vec<u16>> {
    proptest::collection::vec(any::<u16>(), 0..150)
}

/// Text made of fragments of notation, which gets further into a reader than arbitrary text.
fn likely_text() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "W",
        "B",
        "w",
        "b",
        "K",
        "e",
        "Z",
        ":",
        ",",
        "-",
        "x",
        "28",
        "32",
        "1",
        "19",
        "50",
        "31-50",
        "1-20",
        "32-28",
        "19-23",
        "28x19",
        "c3",
        "d4",
        "c3-d4",
        "22-18",
        "+",
        "+2",
        "H0",
        "=",
        " ",
        "\n",
        ".",
        "1.",
        "1...",
        "(",
        ")",
        "{",
        "}",
        ";",
        "%",
        "$",
        "$1",
        "*",
        "!",
        "?",
        "(?)",
        "[",
        "]",
        "\"",
        "[White \"x\"]",
        "[FEN \"W:WK28:B3\"]",
        "[GameType \"25\"]",
        "[",
        "\\",
        "2-0",
        "1-1",
        "4-6",
        "0",
        "99999999999999999999",
        "é",
        "８",
        "\0",
        "\u{feff}",
        "½",
        "×",
    ];
    proptest::collection::vec(select(PIECES).prop_map(str::to_owned), 0..40)
        .prop_map(|pieces| pieces.concat())
}

/// Gives a text to every reader, with the position at the end of a game.
fn read_anything(variant: Variant, text: &str, choices: &[u16]) {
    let game = playout::play(Game::new(variant), choices);
    let position = game.position();
    if let Ok(position) = fen::parse(variant, text) {
        position_round_trips(&position);
    }
    let _ = hub::parse_position(variant, text);
    let _ = PositionLetters::DXP.parse(variant, text);
    let _ = hub::parse_wolf(*position, text);
    for mv in [
        hub::parse_move(position, text),
        hub::parse_move_leniently(position, text),
        pdn::parse_move(position, text),
    ]
    .into_iter()
    .flatten()
    {
        assert!(position.legal_moves().contains(&mv));
    }
    for record in pdn::read(variant, text.as_bytes()).into_iter().flatten() {
        record_round_trips(&record);
    }
}

/// Writes a position and its moves in every notation and reads them back.
fn position_round_trips(position: &Position) {
    let variant = position.variant();
    assert_eq!(fen::parse(variant, &fen::format(position)), Ok(*position));
    let plain = position.with_king_runs([KingRun::default(); 2]);
    let hub = hub::parse_position(variant, &hub::format_position(position)).unwrap();
    assert_eq!(hub, plain);
    assert_eq!(hub::parse_wolf(hub, &hub::format_wolf(position)), Ok(*position));
    assert_eq!(
        PositionLetters::DXP.parse(variant, &PositionLetters::DXP.format(position)),
        Ok(plain)
    );
    for mv in position.legal_moves() {
        let text = hub::format_move(mv);
        assert_eq!(hub::parse_move(position, &text), Ok(mv));
        assert_eq!(hub::parse_move_leniently(position, &text), Ok(mv));
        let text = pdn::format_move(position, mv);
        assert_eq!(pdn::parse_move(position, &text), Ok(mv));
    }
}

fn record_round_trips(record: &pdn::GameRecord) {
    let text = pdn::write_game(record);
    let again = pdn::read(record.start.variant(), text.as_bytes());
    assert_eq!(again.len(), 1, "{text}");
    assert_eq!(again[0].as_ref(), Ok(record), "{text}");
}

/// The record of a game, with a tag, comments, a strength and a side line.
fn annotated(game: &Game, comment: &str) -> pdn::GameRecord {
    let mut record = pdn::GameRecord::from_game(game);
    record.tags.set("Event", comment);
    let comment = comment.replace('}', ")");
    let comment = comment.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = record.line.clone();
    if let [.., last] = &mut record.line.moves[..] {
        last.strength = "?!".to_owned();
        last.nags = vec![1, 139];
        let mut variation = line;
        variation.moves.drain(..variation.moves.len() - 1);
        last.variations.push(variation);
    }
    if !comment.is_empty() {
        record.line.comments.push(comment.clone());
        for annotated in record.line.moves.iter_mut().step_by(3) {
            annotated.comments.push(comment.clone());
        }
    }
    record
}

proptest! {
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200), variant in variants()) {
        let text = pdn::decode(&bytes);
        read_anything(variant, &text, &[]);
        for game in pdn::games(&text) {
            let _ = game.variant(variant);
        }
    }

    #[test]
    fn any_text(text in "\\PC*", variant in variants(), choices in choices()) {
        read_anything(variant, &text, &choices);
    }

    #[test]
    fn any_likely_text(text in likely_text(), variant in variants(), choices in choices()) {
        read_anything(variant, &text, &choices);
    }

    #[test]
    fn positions_round_trip(choices in choices(), variant in variants()) {
        position_round_trips(playout::play(Game::new(variant), &choices).position());
    }

    #[test]
    fn records_round_trip(
        choices in choices(),
        skipped in 0usize..100,
        comment in "\\PC{0,60}",
        variant in variants(),
    ) {
        let (before, rest) = choices.split_at(skipped.min(choices.len()));
        let before = playout::play(Game::new(variant), before);
        // The record starts after the skipped plies.
        let game = playout::play(Game::from_position(*before.position()), rest);
        let record = annotated(&game, &comment);
        record_round_trips(&record);
        assert_eq!(record.game().moves(), game.moves());
    }
}

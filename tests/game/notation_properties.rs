//! Notation on random input: whatever comes in, nothing panics; whatever goes out, comes back.

use manoury::game::Game;
use manoury::movegen::legal_moves;
use manoury::notation::{dxp, fen, hub, pdn};
use manoury::position::Position;
use manoury::rules::{Rules, Variant, VariantVisitor};
use proptest::prelude::*;
use proptest::sample::select;

/// A game of random moves, chosen by numbers.
fn play<R: Rules>(choices: &[u16]) -> Game<R> {
    let mut game = Game::default();
    for &choice in choices {
        let moves = legal_moves(game.position());
        if moves.is_empty() {
            break;
        }
        game.play(moves[usize::from(choice) % moves.len()]);
    }
    game
}

fn variants() -> impl Strategy<Value = Variant> {
    select(Variant::ALL)
}

fn choices() -> impl Strategy<Value = Vec<u16>> {
    proptest::collection::vec(any::<u16>(), 0..150)
}

/// Text made of what a notation is made of: more of it gets deep into a reader.
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

/// Gives a text to every reader, in a position in the middle of a game.
struct ReadAnything<'a> {
    text: &'a str,
    choices: &'a [u16],
}

impl VariantVisitor for ReadAnything<'_> {
    type Output = ();

    fn visit<R: Rules>(self) {
        let text = self.text;
        let game = play::<R>(self.choices);
        let position = game.position();
        if let Ok(position) = fen::parse::<R>(text) {
            every_form_comes_back(&position);
        }
        let _ = hub::parse_position::<R>(text);
        let _ = dxp::parse_position::<R>(text);
        let _ = hub::parse_wolf(*position, text);
        for mv in [
            hub::parse_move(position, text),
            hub::parse_move_leniently(position, text),
            pdn::parse_move(position, text),
        ]
        .into_iter()
        .flatten()
        {
            assert!(legal_moves(position).contains(&mv));
        }
        for record in pdn::read::<R>(text.as_bytes()).into_iter().flatten() {
            record_comes_back(&record);
        }
    }
}

fn every_form_comes_back<R: Rules>(position: &Position<R>) {
    assert_eq!(fen::parse(&fen::format(position)), Ok(*position));
    let plain = position.with_king_runs([manoury::position::KingRun::NONE; 2]);
    let hub = hub::parse_position::<R>(&hub::format_position(position)).unwrap();
    assert_eq!(hub, plain);
    assert_eq!(hub::parse_wolf(hub, &hub::format_wolf(position)), Ok(*position));
    assert_eq!(dxp::parse_position(&dxp::format_position(position)), Ok(plain));
    for mv in legal_moves(position) {
        let text = hub::format_move(mv);
        assert_eq!(hub::parse_move(position, &text), Ok(mv));
        assert_eq!(hub::parse_move_leniently(position, &text), Ok(mv));
        let text = pdn::format_move(position, mv);
        assert_eq!(pdn::parse_move(position, &text), Ok(mv));
    }
}

fn record_comes_back<R: Rules>(record: &pdn::GameRecord<R>) {
    let text = pdn::write_game(record);
    let again = pdn::read::<R>(text.as_bytes());
    assert_eq!(again.len(), 1, "{text}");
    assert_eq!(again[0].as_ref(), Ok(record), "{text}");
}

struct PositionsComeBack<'a>(&'a [u16]);

impl VariantVisitor for PositionsComeBack<'_> {
    type Output = ();

    fn visit<R: Rules>(self) {
        every_form_comes_back(play::<R>(self.0).position());
    }
}

/// Writes a random game with comments, a strength and a side line.
struct RecordsComeBack<'a> {
    choices: &'a [u16],
    /// The plies before the record starts.
    skipped: usize,
    comment: &'a str,
}

impl VariantVisitor for RecordsComeBack<'_> {
    type Output = ();

    fn visit<R: Rules>(self) {
        let (before, rest) = self.choices.split_at(self.skipped.min(self.choices.len()));
        let mut game = Game::new(*play::<R>(before).position());
        for &choice in rest {
            let moves = legal_moves(game.position());
            if moves.is_empty() {
                break;
            }
            game.play(moves[usize::from(choice) % moves.len()]);
        }
        let mut record = pdn::GameRecord::from_game(&game);
        record.tags.set("Event", self.comment);
        let comment = self.comment.replace('}', ")");
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
        record_comes_back(&record);
        assert_eq!(record.game().moves(), game.moves());
    }
}

proptest! {
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200), variant in variants()) {
        let text = pdn::decode(&bytes);
        variant.visit(ReadAnything { text: &text, choices: &[] });
        for game in pdn::games(&text) {
            let _ = game.variant(variant);
        }
    }

    #[test]
    fn any_text(text in "\\PC*", variant in variants(), choices in choices()) {
        variant.visit(ReadAnything { text: &text, choices: &choices });
    }

    #[test]
    fn any_likely_text(text in likely_text(), variant in variants(), choices in choices()) {
        variant.visit(ReadAnything { text: &text, choices: &choices });
    }

    #[test]
    fn positions_come_back(choices in choices(), variant in variants()) {
        variant.visit(PositionsComeBack(&choices));
    }

    #[test]
    fn records_come_back(
        choices in choices(),
        skipped in 0usize..100,
        comment in "\\PC{0,60}",
        variant in variants(),
    ) {
        variant.visit(RecordsComeBack { choices: &choices, skipped, comment: &comment });
    }
}

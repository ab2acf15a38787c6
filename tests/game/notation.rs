//! Checks every row of `notation.tsv`: what must be read, what may be, what must be rejected.

use manoury::board::Move;
use manoury::erased::{Game, Position};
use manoury::game::Reason;
use manoury::notation::{MoveError, PositionLetters, fen, hub, pdn, squares};
use manoury::rules::Variant;

use crate::game::table::{self, Row};

fn rows(kind: &str) -> Vec<Row> {
    let mut rows = table::rows("notation.tsv");
    rows.retain(|row| row.get("kind") == kind);
    assert!(!rows.is_empty());
    rows
}

/// Reads a text in the form that `kind` names and writes it as the tables do: positions in the
/// other form, moves as Hub moves.
fn read(variant: Variant, kind: &str, text: &str) -> Result<String, String> {
    let parse_move = |parse: fn(&Position, &str) -> Result<Move, MoveError>| {
        let (fen, text) = text.split_once(" | ").unwrap();
        let position = fen::parse(variant, fen).unwrap();
        readable(parse(&position, text)).map(hub::format_move)
    };
    match kind {
        "fen" => readable(fen::parse(variant, text)).map(|p| hub::format_position(&p)),
        "hub-position" => readable(hub::parse_position(variant, text)).map(|p| fen::format(&p)),
        "dxp-position" => {
            readable(PositionLetters::DXP.parse(variant, text)).map(|p| fen::format(&p))
        }
        "hub-move" => parse_move(hub::parse_move),
        "hub-move, leniently" => parse_move(hub::parse_move_leniently),
        "pdn-move" => parse_move(pdn::parse_move),
        kind => panic!("{kind}"),
    }
}

fn readable<T, E: std::error::Error>(result: Result<T, E>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

/// Checks a row: the `readable` classes must give what the row expects, all others an error.
fn check(row: &Row, kind: &str, readable: &[&str]) {
    let text = row.get("input").replace("\\n", "\n").replace("\\0", "\0");
    let found = read(row.variant(), kind, &text);
    if readable.contains(&row.get("class")) {
        assert_eq!(found.as_deref(), Ok(row.get("expected")), "{text:?}");
    } else {
        assert!(found.is_err(), "{text:?} read as {found:?}");
    }
}

#[test]
fn fen_rows() {
    for row in rows("fen") {
        check(&row, "fen", &["ok", "lenient"]);
    }
}

#[test]
fn hub_and_dxp_positions() {
    for row in rows("hub-position") {
        check(&row, "hub-position", &["ok"]);
    }
    for row in rows("dxp-position") {
        check(&row, "dxp-position", &["ok"]);
    }
}

#[test]
fn hub_moves() {
    for row in rows("hub-move") {
        check(&row, "hub-move", &["ok"]);
        // Missing captured squares are forgiven where they are unambiguous.
        if row.get("input") != "W:W28,32:B23 | 28x19" {
            check(&row, "hub-move, leniently", &["ok", "lenient"]);
        }
    }
}

#[test]
fn hub_moves_of_clients() {
    let read = |text| read(Variant::International, "hub-move, leniently", text);
    assert_eq!(read("W:W28,32:B23 | 28x19").as_deref(), Ok("28x19x23"));
    assert_eq!(read("B:W28,32:B7 | 07-12").as_deref(), Ok("7-12"));
    assert_eq!(
        read("W:WK47:B14,19,29,31,42 | 47x36"),
        Err("47x36: the captured squares are missing: 47x36x14x29x31x42 or 47x36x19x29x31x42"
            .into())
    );
}

#[test]
fn pdn_moves() {
    for row in rows("pdn-move") {
        check(&row, "pdn-move", &["ok", "lenient"]);
    }
}

#[test]
fn pdn_errors_name_the_candidates() {
    let text = "W:WK47:B14,19,29,31,42 | 47x36";
    assert_eq!(
        read(Variant::International, "pdn-move", text),
        Err("47x36: ambiguous: 47x38x20x9x36 or 47x38x24x13x36".into())
    );
}

#[test]
fn errors_quote_the_move_once() {
    let error = |text: &str| {
        let start = Position::start(Variant::International);
        pdn::parse_move(&start, text).unwrap_err().to_string()
    };
    assert_eq!(error("32 28"), "32 28: a move needs a separator between its squares");
    assert_eq!(error("hello"), "hello: not a move");
    assert_eq!(error("zz9"), "zz9: not a move");
    assert_eq!(error("(32-28)"), "(32-28): not a move");
}

#[test]
fn errors_have_a_cause_and_a_location() {
    let fen = |text| fen::parse(Variant::International, text).unwrap_err().to_string();
    assert_eq!(fen("W:W28,51:B3"), "column 7: square 51 is not on the board (1 to 50)");
    assert_eq!(fen("W:W28:B3,28"), "column 10: square 28 is listed twice");
    assert_eq!(fen("W:W28:B3,48"), "column 10: a black man on its promotion square 48");
    assert_eq!(fen("W:W28:B"), "column 8: black, which is not to move, has no piece");
    let hub = |text| {
        let start = Position::start(Variant::International);
        hub::parse_move(&start, text).unwrap_err().to_string()
    };
    assert_eq!(hub("32-51"), "32-51: square 51 is not on the board (1 to 50)");
    assert_eq!(hub("20-24"), "20-24: not legal here: the side to move has no piece on 20");
}

/// The count of lidraughts goes on towards the move limits: ten plies with a king and a man
/// against a king.
#[test]
fn counted_plies() {
    let fen = "W:WK26,47:BK4:H8";
    let position = fen::parse(Variant::International, &format!("{fen}:F60")).unwrap();
    assert_eq!(fen::format(&position), fen);
    assert_eq!(position, fen::parse(Variant::International, "W:WK26,47:BK4").unwrap());
    let mut game = Game::from_position(position);
    assert_eq!(game.move_counts(), [Some(8), None, Some(8)]);
    for text in ["26-3", "4-10"] {
        assert_eq!(game.outcome(), None);
        game.play(hub::parse_move(game.position(), text).unwrap());
    }
    assert_eq!(game.outcome().map(|end| end.reason), Some(Reason::Ending("6.4")));
    assert_eq!(game.draw_lookback(), 2);
    // A new count begins after a conversion.
    let position = fen::parse(Variant::International, "W:WK26,47,50:BK4,5:H49").unwrap();
    let mut game = Game::from_position(position);
    game.play(hub::parse_move(game.position(), "47-42").unwrap());
    assert_eq!(game.move_counts()[0], Some(0));
}

#[test]
fn frisian_counters() {
    let parse = |text| fen::parse(Variant::Frisian, text);
    let fen = "W:WK46,33:BK5,K6,12:H0:F1:+25+1";
    let position = parse(fen).unwrap();
    assert_eq!(hub::format_wolf(&position), "W46=1 B5=2");
    assert_eq!(fen::format(&position), "W:W33,K46:BK5,K6,12:+25+146");
    let plain = parse("W:WK46,33:BK5,K6,12").unwrap();
    assert_ne!(plain, position);
    assert_eq!(hub::parse_wolf(plain, "W46=1 B5=2"), Ok(position));
    // Black has two kings: it is unknown which of them has moved.
    let fen = "W:WK46,33:BK5,K6,12:+2+1";
    let position = parse(fen).unwrap();
    assert_eq!(hub::format_wolf(&position), "W46=1");
    assert!(parse("W:WK46,33:BK5,K6,12:+27+1").is_err());
    assert!(hub::parse_wolf(plain, "W45=1").is_err());
    assert!(hub::parse_wolf(plain, "B5=1 B6=1").is_err());
    assert!(hub::parse_wolf(plain, "B5").is_err());
}

/// The names of a square in PDN files and by file and rank.
fn names(variant: Variant, square: u8) -> (String, String) {
    let grid = variant.grid();
    let name = squares::pdn_name(variant, square);
    assert_eq!(squares::from_pdn_name(variant, &name), Ok(square));
    let algebraic = squares::algebraic_name(grid, square);
    assert_eq!(squares::from_algebraic(grid, &algebraic), Ok(square));
    (name, algebraic)
}

#[test]
fn square_names() {
    let text = |name: &str, algebraic: &str| (name.to_owned(), algebraic.to_owned());
    for row in rows("squares") {
        match row.get("variant") {
            "russian,brazilian,czech,pool(unified)" => {
                for variant in [Variant::Russian, Variant::Brazilian, Variant::Czech] {
                    for pair in row.get("input").split(' ') {
                        let (number, name) = pair.split_once('=').unwrap();
                        let found = names(variant, number.parse().unwrap());
                        assert_eq!(found, text(name, name));
                    }
                }
            }
            "english,pool(american)" => {
                assert_eq!(names(Variant::English, 1), text("1", "b8"));
                assert_eq!(names(Variant::English, 32), text("32", "g1"));
            }
            "italian" => {
                assert_eq!(names(Variant::Italian, 1), text("1", "a8"));
                assert_eq!(names(Variant::Italian, 32), text("32", "h1"));
            }
            "spanish" => {
                for number in 1..=32 {
                    assert_eq!(names(Variant::Spanish, number).0, (33 - number).to_string());
                }
            }
            "canadian" => {
                assert_eq!(names(Variant::Canadian, 1), text("1", "b12"));
                assert_eq!(names(Variant::Canadian, 72), text("72", "k1"));
            }
            "turkish" => {
                for (number, name) in [(1, "a8"), (8, "h8"), (57, "a1"), (64, "h1")] {
                    assert_eq!(names(Variant::Turkish, number), text(name, name));
                }
            }
            variant => panic!("{variant}"),
        }
    }
}

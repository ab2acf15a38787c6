//! Every row of `notation.tsv`: what must be read, what may be, what must be rejected.

use crate::table::{self, Row};
use manoury::board::Geometry;
use manoury::notation::{dxp, fen, hub, pdn, squares};
use manoury::position::Position;
use manoury::rules::{Canadian, English, Italian, Rules, Spanish, Variant, VariantVisitor};

fn rows(kind: &str) -> Vec<Row> {
    let mut rows = table::rows("notation.tsv");
    rows.retain(|row| row.get("kind") == kind);
    assert!(!rows.is_empty());
    rows
}

/// Reads the input of a row as text in a given form; the result is what the row expects.
struct Read<'a> {
    kind: &'a str,
    text: &'a str,
}

impl VariantVisitor for Read<'_> {
    type Output = Result<String, String>;

    fn visit<R: Rules>(self) -> Self::Output {
        match self.kind {
            "fen" => readable(fen::parse::<R>(self.text)).map(|p| hub::format_position(&p)),
            "hub-position" => {
                readable(hub::parse_position::<R>(self.text)).map(|p| fen::format(&p))
            }
            "dxp-position" => {
                readable(dxp::parse_position::<R>(self.text)).map(|p| fen::format(&p))
            }
            "hub-move" => {
                let (position, text) = self.position_and_text::<R>();
                readable(hub::parse_move(&position, text)).map(hub::format_move)
            }
            "hub-move, leniently" => {
                let (position, text) = self.position_and_text::<R>();
                readable(hub::parse_move_leniently(&position, text)).map(hub::format_move)
            }
            "pdn-move" => {
                let (position, text) = self.position_and_text::<R>();
                readable(pdn::parse_move(&position, text)).map(hub::format_move)
            }
            kind => panic!("{kind}"),
        }
    }
}

impl<'a> Read<'a> {
    fn position_and_text<R: Rules>(&self) -> (Position<R>, &'a str) {
        let (fen, text) = self.text.split_once(" | ").unwrap();
        (fen::parse(fen).unwrap(), text)
    }
}

fn readable<T, E: std::error::Error>(result: Result<T, E>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

/// Checks a row: classes in `read` must give what the row expects, all others an error.
fn check(row: &Row, kind: &str, read: &[&str]) {
    let text = row.get("input").replace("\\n", "\n").replace("\\0", "\0");
    let variant: Variant = row.get("variant").parse().unwrap();
    let found = variant.visit(Read { kind, text: &text });
    if read.contains(&row.get("class")) {
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
        // What is missing but unambiguous is forgiven.
        if row.get("input") != "W:W28,32:B23 | 28x19" {
            check(&row, "hub-move, leniently", &["ok", "lenient"]);
        }
    }
}

#[test]
fn hub_moves_of_clients() {
    let read = |text| Variant::International.visit(Read { kind: "hub-move, leniently", text });
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
    let kind = "pdn-move";
    assert_eq!(
        Variant::International.visit(Read { kind, text }),
        Err("47x36: ambiguous: 47x38x20x9x36 or 47x38x24x13x36".into())
    );
}

#[test]
fn errors_say_what_and_where() {
    let fen = |text| fen::parse::<manoury::rules::International>(text).unwrap_err().to_string();
    assert_eq!(fen("W:W28,51:B3"), "column 7: square 51 is not on the board (1 to 50)");
    assert_eq!(fen("W:W28:B3,28"), "column 10: square 28 is listed twice");
    assert_eq!(fen("W:W28:B3,48"), "column 10: a black man on its promotion square 48");
    assert_eq!(fen("W:W28:B"), "column 8: black, which is not to move, has no piece");
    let hub = |text| {
        let start = Position::<manoury::rules::International>::start();
        hub::parse_move(&start, text).unwrap_err().to_string()
    };
    assert_eq!(hub("32-51"), "32-51: square 51 is not on the board (1 to 50)");
    assert_eq!(hub("20-24"), "20-24: not legal here: the side to move has no piece on 20");
}

#[test]
fn frisian_counters() {
    type Frisian = manoury::rules::Frisian;
    let fen = "W:WK46,33:BK5,K6,12:H0:F1:+25+1";
    let position = fen::parse::<Frisian>(fen).unwrap();
    assert_eq!(hub::format_wolf(&position), "W46=1 B5=2");
    assert_eq!(fen::format(&position), "W:W33,K46:BK5,K6,12:+25+146");
    let plain = fen::parse::<Frisian>("W:WK46,33:BK5,K6,12").unwrap();
    assert_ne!(plain, position);
    assert_eq!(hub::parse_wolf(plain, "W46=1 B5=2"), Ok(position));
    // Black has two kings: nobody knows which one has moved.
    let fen = "W:WK46,33:BK5,K6,12:+2+1";
    let position = fen::parse::<Frisian>(fen).unwrap();
    assert_eq!(hub::format_wolf(&position), "W46=1");
    assert!(fen::parse::<Frisian>("W:WK46,33:BK5,K6,12:+27+1").is_err());
    assert!(hub::parse_wolf(plain, "W45=1").is_err());
    assert!(hub::parse_wolf(plain, "B5=1 B6=1").is_err());
    assert!(hub::parse_wolf(plain, "B5").is_err());
}

/// The names of a square in PDN files and by file and rank.
fn names<R: Rules>(number: usize) -> (String, String) {
    let square = R::Geometry::square(number).unwrap();
    let name = squares::pdn_name::<R>(square);
    assert_eq!(squares::from_pdn_name::<R>(&name), Ok(square));
    let algebraic = squares::algebraic_name::<R::Geometry>(square);
    assert_eq!(squares::from_algebraic::<R::Geometry>(&algebraic), Ok(square));
    (name, algebraic)
}

struct Names(usize);

impl VariantVisitor for Names {
    type Output = (String, String);

    fn visit<R: Rules>(self) -> Self::Output {
        names::<R>(self.0)
    }
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
                        let found = variant.visit(Names(number.parse().unwrap()));
                        assert_eq!(found, text(name, name));
                    }
                }
            }
            "english,pool(american)" => {
                assert_eq!(names::<English>(1), text("1", "b8"));
                assert_eq!(names::<English>(32), text("32", "g1"));
            }
            "italian" => {
                assert_eq!(names::<Italian>(1), text("1", "a8"));
                assert_eq!(names::<Italian>(32), text("32", "h1"));
            }
            "spanish" => {
                for number in 1..=32 {
                    assert_eq!(names::<Spanish>(number).0, (33 - number).to_string());
                }
            }
            "canadian" => {
                assert_eq!(names::<Canadian>(1), text("1", "b12"));
                assert_eq!(names::<Canadian>(72), text("72", "k1"));
            }
            "turkish" => {} // not one of our games
            variant => panic!("{variant}"),
        }
    }
}

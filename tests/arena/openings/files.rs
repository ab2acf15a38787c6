//! Openings in files written by people and by programs.

use std::path::Path;

use manoury::arena::openings::{Opening, OpeningError, OpeningSource, draw};
use manoury::erased::Position;
use manoury::notation::{fen, hub};
use manoury::rules::Variant::{self, Canadian, Frisian, International, Russian};
use proptest::prelude::*;
use proptest::sample::select;

use super::{fault, file, moves, names, positions, read};

const HUB_START: &str = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

#[test]
fn positions_as_fen_and_hub() {
    let text = format!(
        "# two positions\r\n\r\n  {HUB_START}  \r\nB:W28,31,33-50:B1-20\r\n\t# the start again\n\
         W:W31-50:B1-20\nW:WK5:BK45.\n"
    );
    let openings = read(International, &file("positions", "mixed.txt", text)).unwrap();
    assert_eq!(names(&openings), ["mixed.txt:3", "mixed.txt:4", "mixed.txt:7"]);
    let expected = ["W:W31-50:B1-20", "B:W28,31,33-50:B1-20", "W:WK5:BK45"];
    assert_eq!(positions(&openings).iter().map(fen::format).collect::<Vec<_>>(), expected);
    assert!(openings.iter().all(|opening| opening.game.plies() == 0));
}

#[test]
fn positions_of_other_boards() {
    let hub = hub::format_position(&Position::start(Canadian));
    let openings = read(Canadian, &file("boards", "canadian.pos", hub)).unwrap();
    assert_eq!(positions(&openings), [Position::start(Canadian)]);
    let openings = read(Russian, &file("boards", "russian.fen", "W:Wc3,21:Bd4")).unwrap();
    assert!(openings[0].game.position().has_capture(), "pending captures are allowed");
    let frisian = "W:W6,K39:B1,K3:+23+139";
    let openings = read(Frisian, &file("boards", "frisian.fen", frisian)).unwrap();
    assert_eq!(fen::format(openings[0].game.position()), frisian, "with the counters");
}

#[test]
fn a_list_of_fen_tags() {
    let text = "[FEN \"W:WK5:B12\"]\n[FEN \"W:WK5:B13\"]\n";
    for name in ["tags.fen", "tags.txt"] {
        let openings = read(International, &file("tags", name, text)).unwrap();
        assert_eq!(openings.len(), 2, "{name}");
    }
}

const GAMES: &str = "[Event \"a\"]\n[Result \"2-0\"]\n\n1. 32-28 (1. 31-26 {or} 16-21) 19-23 \
                     2. 28x19 14x23 2-0\n\n[Event \"b\"]\n[FEN \"W:WK5:B12\"]\n\n*\n\n\
                     [Event \"c\"]\n*\n\n[Event \"d\"]\n1. 31-27 *\n";

#[test]
fn games_of_a_pdn_file() {
    for name in ["games.pdn", "games.PDN", "games.txt", "games"] {
        let openings = read(International, &file("games", name, GAMES)).unwrap();
        let lines = [1, 6, 11, 14].map(|line| format!("{name}:{line}"));
        assert_eq!(names(&openings), lines);
        let expected = ["32-28 19-23 28x19x23 14x23x19", "", "", "31-27"];
        assert_eq!(openings.iter().map(moves).collect::<Vec<_>>(), expected);
        assert_eq!(fen::format(openings[1].game.start()), "W:WK5:B12");
        assert_eq!(*openings[2].game.position(), Position::start(International));
    }
}

#[test]
fn games_that_lead_to_the_same_position_are_one_opening() {
    let text = "1. 32-28 18-23 2. 31-27 *\n1. 31-27 18-23 2. 32-28 *\n1. 31-27 *\n";
    let openings = read(International, &file("same", "same.pdn", text)).unwrap();
    assert_eq!(names(&openings), ["same.pdn:1", "same.pdn:3"]);
}

#[test]
fn old_encodings_are_read() {
    let openings = read(International, &file("latin", "a.fen", b"# \xe9t\xe9\nW:WK5:B12")).unwrap();
    assert_eq!(openings.len(), 1);
    let marked = b"\xef\xbb\xbfW:WK5:B12";
    assert_eq!(read(International, &file("latin", "b.txt", marked)).unwrap().len(), 1);
}

/// Checks that an invalid file is refused with a message that contains all of `says`.
fn check(variant: Variant, name: &str, text: &str, says: &[&str]) {
    let path = file("faults", name, text);
    let message = fault(read(variant, &path));
    assert!(message.starts_with(&path.display().to_string()), "{message}");
    for part in says {
        assert!(message.contains(part), "{part:?} not in {message:?}");
    }
}

#[test]
fn faults_have_a_location() {
    check(
        International,
        "a.fen",
        "W:WK5:B12\n\n W:WK5:B12x\n",
        &["line 3, column 11: ", "international is W:W31-50:B1-20"],
    );
    let short = format!("{HUB_START}\n  {}\n", &HUB_START[..50]);
    check(International, "b.txt", &short, &["line 2, column 52: expected 51 characters"]);
    let letter = format!("{HUB_START}\n  {}\n", HUB_START.replacen('e', "f", 1));
    check(International, "c.txt", &letter, &["line 2, column 24: 'f' is not one of"]);
    check(
        Russian,
        "d.txt",
        HUB_START,
        &["line 1, column 33: expected 33 characters", "start position of russian"],
    );
    check(International, "e.fen", "W:WK5:B12\nhello\n", &["line 2, column 1: expected W or B"]);
    check(
        International,
        "f.pdn",
        "1. 32-28 19-23\n2. 33-29 *",
        &["line 2, column 4: ", "compulsory"],
    );
    check(International, "g.pdn", "[GameType \"25\"]\n1. c3-d4 *", &["line 1, ", "russian"]);
    check(International, "h.pdn", "[FEN \"W:WK5\"]\n*", &["line 1, column 1: "]);
    check(International, "i.bin", "\0\u{1}\u{2}", &["line 1"]);
}

#[test]
fn rejects_a_finished_game() {
    let over = "the game is over";
    check(International, "a-over.fen", "W:WK5:B12\nW:W:B12\n", &["line 2", over, "no pieces left"]);
    check(International, "b-over.fen", "W:W46:B41,37\n", &["line 1", over, "no legal moves"]);
    let won = "1. 32-28 *\n[FEN \"W:W26:B21\"]\n1. 26x17 2-0";
    check(International, "c-over.pdn", won, &["line 2", over]);
    let drawn =
        "[FEN \"W:WK5:BK45,K44\"]\n1. 5-10 45-50 2. 10-5 50-45 3. 5-10 45-50 4. 10-5 50-45 *";
    check(International, "d-over.pdn", drawn, &["line 1", over, "repetition"]);
}

#[test]
fn an_empty_file_has_no_openings() {
    for (name, text) in [("empty.fen", "# nothing\n\n"), ("empty.pdn", ""), ("empty.txt", " \n")] {
        check(International, name, text, &["no openings found"]);
    }
}

#[test]
fn a_file_that_cannot_be_read_is_another_kind_of_error() {
    let open = |text: &str| text.parse::<OpeningSource>().unwrap().openings(International);
    let Err(error @ OpeningError::File(..)) = open("5-ply") else {
        panic!("there is no such file")
    };
    let message = error.to_string();
    assert!(message.starts_with("5-ply: ") && message.contains("2-ply, 3-ply, 4-ply"), "{message}");
    let folder = env!("CARGO_TARGET_TMPDIR");
    assert!(matches!(open(folder), Err(OpeningError::File(path, _)) if path == Path::new(folder)));
}

/// Reads a file with any content; all openings read must be playable.
fn read_anything(variant: Variant, path: &Path) {
    let source = OpeningSource::File { path: path.to_owned(), plies: None };
    let Ok(openings) = source.openings(variant) else { return };
    let all = openings.len();
    let is_over = |opening: &Opening| opening.game.outcome().is_some();
    assert!(!openings.iter().any(is_over));
    assert_eq!(draw(variant, &source, 0, 1, 2 * all).unwrap().distinct, all);
    let _ = draw(variant, &source, 3, 1, 5);
}

fn likely_text() -> impl Strategy<Value = String> {
    let pieces = vec![
        "W:WK5:B12",
        "W:W31-50:B1-20",
        "B:W31:B20",
        "W:W:B1",
        HUB_START,
        "W",
        "B",
        ":",
        "e",
        "x",
        "\n",
        "\n",
        "\n",
        "#",
        " ",
        "[FEN \"",
        "\"]",
        "[Event \"a\"]",
        "1. ",
        "32-28 ",
        "18-23 ",
        "31-27 ",
        "(",
        ")",
        "{",
        "}",
        "*",
        "2-0",
        "\0",
        "é",
    ];
    proptest::collection::vec(select(pieces), 0..30).prop_map(|pieces| pieces.concat())
}

fn file_names() -> impl Strategy<Value = &'static str> {
    select(vec!["x.pdn", "x.fen", "x.txt", "x"])
}

proptest! {
    #[test]
    fn any_bytes(
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        name in file_names(),
        variant in select(Variant::ALL),
    ) {
        read_anything(variant, &file("any_bytes", name, bytes));
    }

    #[test]
    fn any_likely_text(text in likely_text(), name in file_names(), variant in select(Variant::ALL)) {
        read_anything(variant, &file("any_likely_text", name, text));
    }
}

#[test]
fn the_first_plies_of_finished_games() {
    let won = "[FEN \"W:W28:B23\"]\n1. 28x19 *\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n1. 33-28 *\n";
    let path = file("beginnings", "played.pdn", won);
    let source = OpeningSource::File { path, plies: None };
    assert!(fault(source.openings(International)).contains("--opening-plies"));
    let list = source.shortened(2).unwrap().list(International).unwrap();
    assert_eq!(list.skipped, 2, "one is over, one too short");
    assert_eq!(list.openings.len(), 1);
    assert_eq!(moves(&list.openings[0]), "32-28 19-23");
    assert!(fault(OpeningSource::Edge.shortened(2)).contains("edge"));
    let path = file("beginnings", "positions.fen", "W:W31-50:B1-20\n");
    let positions = OpeningSource::File { path, plies: Some(2) };
    assert!(fault(positions.openings(International)).contains("needs games"));
}

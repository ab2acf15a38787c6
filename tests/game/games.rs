//! Checks every row of `games/index.tsv`: real games in many styles, and broken ones.

use manoury::board::Side;
use manoury::notation::{fen, pdn};
use manoury::rules::Variant;

use crate::game::table::{self, Row};

/// Reads one game and compares it with its row.
fn check(game: &pdn::GameText, row: &Row) {
    let (variant, name) = (row.variant(), name(row));
    let is_broken = row.get("status") == "error";
    let record = match pdn::read_game(variant, game) {
        Ok(record) => {
            assert!(!is_broken, "{name} has been read");
            assert_eq!(record.result().as_str(), row.get("result"), "{name}");
            record_round_trips(&record);
            record
        }
        Err(broken) => {
            assert!(is_broken, "{name}: {broken}");
            assert!(broken.error.place.line > 0 && broken.error.place.column > 0);
            match broken.before {
                Some(record) => *record,
                None => {
                    assert_eq!(row.get("final_fen"), "-", "{name}: {}", broken.error);
                    return;
                }
            }
        }
    };
    let game = record.game();
    assert_eq!(game.plies().to_string(), row.get("plies"), "{name}");
    let last = fen::parse(variant, row.get("final_fen")).unwrap();
    let last = last.with_king_runs(Side::ALL.map(|side| game.position().king_run(side)));
    assert_eq!(*game.position(), last, "{name}");
}

fn record_round_trips(record: &pdn::GameRecord) {
    let text = pdn::write_game(record);
    let again = pdn::read(record.start.variant(), text.as_bytes());
    assert_eq!(again.len(), 1, "{text}");
    assert_eq!(again[0].as_ref(), Ok(record), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80 || line.starts_with('[')));
}

fn name(row: &Row) -> String {
    format!("{} {}", row.get("file"), row.get("game"))
}

fn text(file: &str) -> String {
    pdn::decode(&std::fs::read(table::data("games").join(file)).unwrap())
}

/// Reads the first game of a file.
fn read(file: &str) -> Result<pdn::GameRecord, pdn::BrokenGame> {
    let text = text(file);
    pdn::read_game(Variant::International, &pdn::games(&text).next().unwrap())
}

#[test]
fn every_row() {
    let rows = table::rows("games/index.tsv");
    assert!(rows.len() > 40);
    for row in &rows {
        let text = text(row.get("file"));
        let games: Vec<_> = pdn::games(&text).collect();
        let count = rows.iter().filter(|other| other.get("file") == row.get("file")).count();
        let number: usize = row.get("game").parse().unwrap();
        if number == 0 {
            assert!(games.is_empty());
            continue;
        }
        assert_eq!(games.len(), count, "{}", row.get("file"));
        let game = &games[number - 1];
        assert_eq!(game.variant(row.variant()), Ok(row.variant()), "{}", name(row));
        check(game, row);
    }
}

#[test]
fn comments_are_kept() {
    let read = |file| read(file).unwrap();
    let record = read("comments_variations.pdn");
    assert_eq!(record.line.comments, ["comment before the first move"]);
    let moves = &record.line.moves;
    assert_eq!([&moves[5].strength[..], &moves[6].strength], ["!", "?!"]);
    assert_eq!(record.tags.get("White"), Some("Bas Messemaker"));
    let record = read("clocks.pdn");
    let clocks = record.line.moves[1].clocks().unwrap();
    assert_eq!(clocks.times.map(|time| time.unwrap().as_secs()), [37, 30]);
    assert_eq!(record.tags.get("TimeControl"), Some("4800+60"));
    let record = read("latin1.pdn");
    assert_eq!(record.tags.get("Annotator"), Some("André François"));
    assert_eq!(record.line.comments, ["café"]);
    let record = read("utf8_bom.pdn");
    assert_eq!(record.tags.get("Annotator"), Some("Ünïcödé Тест 高"));
}

#[test]
fn errors_have_a_location() {
    let error = |file| read(file).unwrap_err().to_string();
    for (file, expected) in [
        ("broken/garbage.pdn", "line 3, column 49: not a move: \"hello\""),
        ("broken/bad_tag.pdn", "line 1, column 1: the value of the Result tag is not quoted"),
        ("broken/truncated_move.pdn", "line 3, column 78: 32-: a square is missing"),
        (
            "broken/bad_fen_tag.pdn",
            "line 2, column 1: FEN tag: column 13: square 60 is not on the board (1 to 50)",
        ),
        ("broken/stray_bracket.pdn", "line 3, column 75: unmatched closing bracket"),
        ("broken/unclosed_variation.pdn", "line 3, column 75: unclosed variation"),
        ("broken/unclosed_comment.pdn", "line 3, column 75: unclosed comment"),
        ("broken/nested_comment.pdn", "line 3, column 93: not a move: \"outer\""),
        (
            "broken/capture_as_quiet.pdn",
            "line 3, column 69: 20-29: captures are written with x: 20x29",
        ),
        (
            "broken/illegal_move.pdn",
            "line 5, column 1: 48-1: not legal here: a capture is compulsory",
        ),
        (
            "broken/ambiguous_short.pdn",
            "line 14, column 52: 36x16: ambiguous: 36x13x2x16 or 36x18x7x16",
        ),
    ] {
        assert_eq!(error(file), expected, "{file}");
    }
}

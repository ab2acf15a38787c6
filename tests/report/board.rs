//! `manoury board`: sessions, faults, and the pictures of every game.
//!
//! A file of `tests/data/report` is a session: a command behind `$`, and the output below it.

use std::fs;
use std::path::Path;

use manoury::board::{Side, SquareSet};
use manoury::erased::{Game, Position};
use manoury::report::board::{Diagram, svg};
use manoury::report::board_text::{Glyphs, TextStyle, text};
use manoury::rules::Variant;
use proptest::prelude::*;

use crate::engine::cli::{print, run};

const ASCII: TextStyle = TextStyle { glyphs: Glyphs::Ascii, is_coloured: false };

#[test]
fn sessions_are_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/report");
    let mut count = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let session = fs::read_to_string(&path).unwrap();
        let (command, output) = session.split_once('\n').unwrap();
        let arguments = command.strip_prefix("$ manoury ").unwrap();
        assert_eq!(print(arguments, ""), output, "{}", path.display());
        count += 1;
    }
    assert!(count >= 6);
}

#[test]
fn many_positions_are_shown_one_after_another() {
    let fens = "W:W31:BK46\nB:WK5:B20\n";
    let boards = print("board --ascii --fen -", fens);
    let one = |fen: &str| print(&format!("board --ascii --fen {fen}"), "");
    assert_eq!(boards, one("W:W31:BK46") + &one("B:WK5:B20"));
}

#[test]
fn a_picture_replaces_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.svg");
    let arguments = format!("board --flip --legal --arrow 32-28 --svg {}", path.display());
    assert_eq!(print(&arguments, ""), "");
    let picture = fs::read_to_string(&path).unwrap();
    assert_eq!(picture, print("board --flip --legal --arrow 32-28 --svg -", ""));
    // Twenty discs with a ring and a shadow a side, nine squares to move to.
    assert_eq!(picture.matches("<circle").count(), 3 * 40 + 9 - 4);
}

#[cfg(unix)]
#[test]
fn a_picture_goes_into_pipes_and_through_links() {
    let folder = tempfile::tempdir().unwrap();
    let [pipe, link, file] = ["pipe", "link", "file"].map(|name| folder.path().join(name));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink("file", &link).unwrap();
    let write = |path: &Path| print(&format!("board --svg {}", path.display()), "");
    let read = std::thread::scope(|scope| {
        let read = scope.spawn(|| fs::read_to_string(&pipe).unwrap());
        write(&pipe);
        read.join().unwrap()
    });
    write(&link);
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(&file).unwrap(), read);
    let picture = print("board --svg -", "");
    assert_eq!(read, picture);
    assert_eq!(print("board --svg /dev/stdout", ""), picture);
}

#[test]
fn reports_faults() {
    let pdn = "tests/data/games/fen_start.pdn";
    for (arguments, code, message) in [
        ("board --fen W:W1".to_owned(), 2, "--fen"),
        ("board nowhere.pdn".to_owned(), 3, "nowhere.pdn: "),
        (format!("board {pdn} --game 1000"), 2, "no game 1000"),
        (format!("board {pdn} --ply 1000"), 2, "plies, not 1000"),
        (format!("board {pdn} --game 0"), 2, "expected a whole number of at least 1"),
        ("board --last-move 32".to_owned(), 2, "expected two squares"),
        ("board --svg - --arrow 32-51".to_owned(), 2, "square 51 is not on the board (1 to 50)"),
        ("board --fen - --svg a.svg".to_owned(), 2, "--svg accepts one position"),
        ("board --svg nowhere/a.svg".to_owned(), 3, "nowhere/a.svg"),
    ] {
        let output = run(&arguments, "");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments}: {errors}");
        assert!(errors.contains(message), "{arguments}: {errors}");
        assert!(!errors.contains("tmp"), "{arguments}: {errors}");
    }
}

#[test]
fn colours_change_nothing_else() {
    let coloured = print("board --color always", "");
    let plain = print("board --color never", "");
    let without_codes = |text: &str| {
        let mut parts = text.split("\u{1b}[");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + part.split_once('m').unwrap().1)
    };
    let without_frame = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with(['┌', '└']));
        lines.map(|line| line.trim_matches('│').to_owned() + "\n").collect::<String>()
    };
    assert!(coloured.contains("\u{1b}["));
    assert_eq!(without_codes(&coloured), without_frame(&plain));
}

/// A position of a game after some moves.
pub(super) fn positions() -> impl Strategy<Value = Position> {
    (prop::sample::select(Variant::ALL), prop::collection::vec(any::<prop::sample::Index>(), 0..60))
        .prop_map(|(variant, choices)| {
            let mut game = Game::from_position(Position::start(variant));
            for choice in choices {
                let moves = game.position().legal_moves();
                if moves.is_empty() {
                    break;
                }
                game.play(moves[choice.index(moves.len())]);
            }
            *game.position()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The letters of the board, read backwards, are those of the board turned round.
    #[test]
    fn a_flipped_board_is_reversed(position in positions()) {
        let letters = |bottom| {
            let board = text(&Diagram::new(position, bottom), ASCII);
            board.chars().filter(|letter| letter.is_ascii_alphabetic()).collect::<Vec<_>>()
        };
        let pieces: Vec<_> = letters(Side::White).into_iter().rev().collect();
        // Names of squares have letters in some games, so only those of pieces are compared.
        let only = |letters: Vec<char>| {
            letters.into_iter().filter(|letter| "wWB".contains(*letter)).collect::<Vec<_>>()
        };
        prop_assert_eq!(only(pieces), only(letters(Side::Black)));
    }

    #[test]
    fn pictures_show_every_piece(position in positions(), bits: u128) {
        let mut diagram = Diagram::new(position, Side::White);
        diagram.marked = SquareSet::from_bits(bits) & position.grid().playable();
        let picture = svg(&diagram);
        let kings = position.all_kings().len();
        // A man is a disc with a ring and a shadow, a king two discs with a shadow.
        prop_assert_eq!(picture.matches("<circle").count(), 3 * position.occupied().len());
        // A king has a crown instead of the head of an arrow.
        prop_assert_eq!(picture.matches("<path").count(), kings);
        prop_assert_eq!(picture.matches("<rect").count(), 1 + usize::from(position.grid().squares()));
        prop_assert_eq!(picture.matches('"').count() % 2, 0);
    }
}

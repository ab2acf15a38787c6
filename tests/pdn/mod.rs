//! `manoury pdn`: filter, convert, clean and count.

use std::fs;

use manoury::notation::pdn;
use manoury::rules::Variant;
use serde_json::Value;

use crate::engine::cli::{print, run};

const GAMES: &str = "tests/data/games/plain_pdn3.pdn";
const COMMENTS: &str = "tests/data/games/comments_variations.pdn";

/// The files of good games, and what is in them: games and plies.
fn index() -> Vec<(String, Variant, usize, usize)> {
    let index = fs::read_to_string("tests/data/games/index.tsv").unwrap();
    let mut files: Vec<(String, Variant, usize, usize)> = Vec::new();
    for line in index.lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let (name, variant, status, plies) = (fields[0], fields[2], fields[3], fields[4]);
        if status == "error" {
            continue;
        }
        let plies: usize = plies.parse().unwrap();
        match files.iter_mut().find(|file| file.0 == name) {
            Some(file) => {
                file.2 += 1;
                file.3 += plies;
            }
            None => files.push((name.to_owned(), variant.parse().unwrap(), 1, plies)),
        }
    }
    files
}

#[test]
fn games_of_all_kinds_are_counted() {
    for (name, variant, games, plies) in index() {
        let output = print(&format!("pdn count tests/data/games/{name} -v {variant} --json"), "");
        let counts: Value = serde_json::from_str(&output).unwrap();
        assert_eq!((&counts["games"], &counts["plies"]), (&games.into(), &plies.into()), "{name}");
    }
}

#[test]
fn a_clean_game_stays_as_it_is() {
    for (name, variant, ..) in index() {
        let clean = print(&format!("pdn clean tests/data/games/{name} -v {variant}"), "");
        assert_eq!(print(&format!("pdn clean -v {variant}"), &clean), clean, "{name}");
    }
}

#[test]
fn conversions_read_back_the_same() {
    let text = fs::read_to_string(GAMES).unwrap();
    let moves = |text: &str| {
        let games = pdn::read(Variant::International, text.as_bytes());
        games.into_iter().map(|game| game.unwrap().game().moves()).collect::<Vec<_>>()
    };
    for habit in ["--notation numeric", "--notation algebraic", "--results one"] {
        let converted = print(&format!("pdn convert {GAMES} {habit}"), "");
        assert_eq!(moves(&converted), moves(&text), "{habit}");
    }
    let algebraic = print(&format!("pdn convert {GAMES} --notation algebraic --results one"), "");
    assert!(algebraic.contains("1. d4-e5 "), "{algebraic}");
    assert!(algebraic.contains("[Result \"1-0\"]"), "{algebraic}");
    let book = print(&format!("pdn convert {COMMENTS} --notation book"), "");
    assert!(book.contains("1. 32-28 (20-25) 2. 37-32 (15-20)") && !book.contains('{'), "{book}");
}

#[test]
fn encodings() {
    let game = "[White \"Ünïcödé高\"]\n\n1. 32-28 *\n";
    let output = run("pdn convert --encoding latin1", game);
    let line = output.stdout.split(|&byte| byte == b'\n').next().unwrap();
    assert_eq!(line, b"[White \"\xdcn\xefc\xf6d\xe9?\"]");
    // Latin-1 is read, and UTF-8 written.
    let text = print("pdn clean tests/data/games/latin1.pdn", "");
    assert!(text.contains("André François"), "{text}");
}

#[test]
fn filters() {
    let count = |conditions: &str| {
        let text = print(&format!("pdn filter {GAMES} {conditions}"), "");
        pdn::games(&text).count()
    };
    assert_eq!(count(""), 3);
    assert_eq!(count("--player CLERC"), 1);
    assert_eq!(count("--black clerc"), 0);
    assert_eq!(count("--result white"), 1);
    assert_eq!(count("--result draw --not"), 1);
    assert_eq!(count("--plies 81..200"), 2);
    assert_eq!(count("--since 2003.05 --until 2003"), 3);
    assert_eq!(count("--since 2004"), 0);
    assert_eq!(count("--pieces 8"), 2);
    assert_eq!(count("--position B:W26-28,31,33-50:B1-20"), 0);
    assert_eq!(count("--position B:W28,31,33-50:B1-20"), 1);
    // The text is that of the file.
    let text = fs::read_to_string(GAMES).unwrap();
    let chosen = print(&format!("pdn filter {GAMES} --player clerc"), "");
    assert!(text.contains(chosen.trim_end()), "{chosen}");
    let refused = run(&format!("pdn filter {GAMES} --position nowhere"), "");
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn clean_removes_duplicates_comments_and_variations() {
    let twice = fs::read_to_string(GAMES).unwrap().repeat(2);
    assert_eq!(pdn::games(&print("pdn clean", &twice)).count(), 6);
    assert_eq!(pdn::games(&print("pdn clean --unique", &twice)).count(), 3);
    let bare = print(&format!("pdn clean {COMMENTS} --no-comments --no-variations"), "");
    let (_, moves) = bare.split_once("\n\n").unwrap();
    assert!(!moves.contains('{') && !moves.contains(" ( "), "{bare}");
}

#[test]
fn reports_faults_by_file_line_and_column() {
    let games = "[White \"A\"]\n\n1. 32-28 19-23 2. 1-2 *\n\n[White \"B\"]\n\n1. 33-28 *\n";
    let output = run("pdn clean", games);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("-, line 3, column 19: 1-2: not legal here"), "{error}");
    assert_eq!(pdn::games(&String::from_utf8(output.stdout).unwrap()).count(), 1);
    let kept = run("pdn clean --keep-faulty", games);
    assert_eq!(pdn::games(&String::from_utf8(kept.stdout).unwrap()).count(), 2);
    assert_eq!(run("pdn count nowhere.pdn", "").status.code(), Some(3));
}

#[test]
fn the_variant_is_inferred_from_the_moves() {
    let games = "1. 11-15 23-19 2. 8-11 22-17 *\n\n1. c3-d4 b6-a5 2. d4-c5 *\n";
    let output = run("pdn count --json", games);
    let counts: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(counts["variants"]["english"], 1, "{counts}");
    assert_eq!(counts["faults"], 0, "{counts}");
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("-, line 1, column 4: read as a game of english"), "{notes}");
}

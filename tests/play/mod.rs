//! `manoury play`: recorded sessions through a pipe, and a game in a real terminal.
//!
//! A file of `tests/data/play` is a session: a command behind `$`, the lines typed behind `>`, and
//! below them the output. Dates are not compared.

#[cfg(unix)]
mod terminal;

use std::fs;
use std::path::Path;

use manoury::notation::pdn;
use manoury::rules::Variant;

use crate::engine::cli::{print, run};

/// The output with `*` for dates.
fn without_dates(text: &str) -> String {
    let line = |line: &str| match line.starts_with("[Date \"") {
        true => "[Date \"*\"]\n".to_owned(),
        false => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn sessions_are_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/play");
    let mut count = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let session = fs::read_to_string(&path).unwrap();
        let (command, rest) = session.split_once('\n').unwrap();
        let arguments = command.strip_prefix("$ manoury ").unwrap();
        let is_typed = |line: &&str| line.starts_with("> ");
        let typed: String =
            rest.lines().take_while(is_typed).map(|line| line[2..].to_owned() + "\n").collect();
        let output: String =
            rest.lines().skip_while(is_typed).map(|line| line.to_owned() + "\n").collect();
        assert_eq!(without_dates(&print(arguments, &typed)), output, "{}", path.display());
        count += 1;
    }
    assert!(count >= 4);
}

#[test]
fn a_game_is_appended_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    let arguments =
        format!("play --level 1 --seed 7 --tt-size 16 --name Ann --pdn {}", path.display());
    print(&arguments, "32-28\nresign\n");
    print(&(arguments + " --side black"), "quit\n");
    let games = pdn::read(Variant::International, &fs::read(&path).unwrap());
    let [Ok(lost), Ok(stopped)] = &games[..] else { panic!("{games:?}") };
    assert_eq!((lost.tags.get("White"), lost.result().as_str()), (Some("Ann"), "0-2"));
    assert_eq!((stopped.tags.get("Black"), stopped.result().as_str()), (Some("Ann"), "*"));
    assert_eq!(stopped.tags.get("White"), Some("Manoury level 1"));
}

#[test]
fn does_not_overwrite_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["old.pdn", "new.pdn"].map(|name| folder.path().join(name));
    fs::write(&old, "mine").unwrap();
    let typed = format!("save {}\n32-28\nsave {}\n", old.display(), new.display());
    let output =
        print("play --level 1 --seed 7 --tt-size 16", &(typed.clone() + &typed + "quit\n"));
    assert_eq!(output.matches("already exists").count(), 2, "{output}");
    assert_eq!(output.matches("saved to").count(), 2, "{output}");
    assert_eq!(fs::read_to_string(&old).unwrap(), "mine");
    assert!(fs::read_to_string(&new).unwrap().contains("1. 32-28"));
}

#[test]
fn the_engine_accepts_a_draw_in_a_drawn_ending() {
    for (fen, is_accepted) in [
        ("W:WK2:BK50", true),
        ("W:WK2,K6:BK50", true),
        // The engine is winning.
        ("W:W45:BK2,K3", false),
        ("W:W31-50:B1-20", false),
    ] {
        let output = print(&format!("play --level 1 --tt-size 16 --fen {fen}"), "draw?\nquit\n");
        assert_eq!(output.contains("Draw: agreed"), is_accepted, "{fen}: {output}");
        assert_eq!(output.contains("declines the draw"), !is_accepted, "{fen}: {output}");
    }
}

#[test]
fn a_save_without_a_name_says_what_it_needs() {
    let output = print("play --level 1 --tt-size 16", "save\nquit\n");
    assert!(output.contains("save needs the name of a new file"), "{output}");
}

#[test]
fn every_game_is_played() {
    for &variant in Variant::ALL {
        let first = pdn::format_move(
            &manoury::erased::Position::start(variant),
            manoury::erased::Position::start(variant).sorted_moves()[0],
        );
        let arguments =
            format!("play --variant {variant} --level 2 --tt-size 16 --side white --ascii");
        let output = print(&arguments, &format!("{first}\nquit\n"));
        assert!(output.contains("Manoury level 2: "), "{variant}: {output}");
    }
}

#[test]
fn the_engine_answers_on_a_clock() {
    let output = print("play --time 20 --inc 1 --tt-size 16", "32-28\nquit\n");
    assert!(output.contains("White 0:2") && output.contains("Manoury: "), "{output}");
    let late = run("play --time 0.000001 --tt-size 16", "32-28\n");
    assert!(String::from_utf8_lossy(&late.stdout).contains("runs out of time"), "{late:?}");
}

#[test]
fn rejects_wrong_arguments() {
    for (arguments, word) in [
        ("play --level 0", "a level from 1 to 14"),
        ("play --level eleven", "a level from 1 to 14"),
        ("play --elo 99", "an Elo from 500 to 2860"),
        ("play --elo 900 --level 3", "--level"),
        ("play --fen -", "--fen, column 1"),
        ("play --inc 1", "--time"),
        ("play --time 0", "more than 0 seconds"),
    ] {
        let output = run(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(word), "{arguments}: {error}");
    }
}

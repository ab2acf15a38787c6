//! Turkish draughts from the user's point of view: the commands on its board of 64 squares.

use std::fs;

use manoury::notation::pdn;
use manoury::rules::Variant;

use super::cli::{print, run};

#[test]
fn a_match_is_played_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    let file = path.to_str().unwrap();
    let engine = format!("{},param.tt-size=16", env!("CARGO_BIN_EXE_manoury"));
    let engines = format!("--engine {engine},name=A --engine {engine},name=B");
    let limits = "--games 2 --nodes 200 --concurrency 1";
    let output = run(&format!("match --variant turkish {limits} --pdn {file} {engines}"), "");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = fs::read(&path).unwrap();
    let games = pdn::read(Variant::Turkish, &text);
    assert_eq!(games.len(), 2);
    assert!(games.iter().flatten().all(|game| game.line.moves.len() > 20), "{games:?}");
    assert!(pdn::read(Variant::International, &text).iter().all(|game| game.is_err()));
    let counted = print(&format!("pdn count {file}"), "");
    assert!(counted.contains("turkish"), "{counted}");
    let review = print(&format!("analyze {file} --nodes 20 --tt-size 16 --json"), "");
    assert_eq!(review.lines().count(), 2, "{review}");
}

#[test]
fn networks_are_learned() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [games, sets, weights] = ["games", "sets", "new.weights"].map(path);
    let selfplay = format!("selfplay --variant turkish --out {games} --games 6 --nodes 50");
    for arguments in [
        selfplay,
        format!("data {games} --variant turkish --out {sets}"),
        format!("train --variant turkish --data {sets} --out {weights} --epochs 1"),
        format!("eval --variant turkish --weights {weights}"),
    ] {
        let output = run(&arguments, "");
        assert_eq!(output.status.code(), Some(0), "{arguments}: {output:?}");
    }
}

#[test]
fn bitbases_are_made_checked_and_probed() {
    let folder = tempfile::tempdir().unwrap();
    let bases = folder.path().to_str().unwrap();
    for command in ["generate --pieces 2", "verify"] {
        let output = run(&format!("bitbase {command} --variant turkish --bitbases {bases}"), "");
        assert_eq!(output.status.code(), Some(0), "{command}: {output:?}");
    }
    let probe = format!("bitbase probe --variant turkish --bitbases {bases} --fen W:WK58:BK9");
    assert!(print(&probe, "").starts_with("draw"), "one king each");
}

//! `manoury openings` and `manoury match --openings edge`, with the real program.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use manoury::arena::openings::OpeningSource;
use manoury::notation::pdn;
use manoury::rules::Variant::{International, Russian};
use serde_json::Value;

const MANOURY: &str = env!("CARGO_BIN_EXE_manoury");

fn run(folder: &Path, arguments: &str) -> Output {
    let arguments = arguments.split_whitespace();
    Command::new(MANOURY).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn play(folder: &Path, arguments: &str) -> Output {
    let engine = |name: &str| format!("{MANOURY},name={name},param.tt-size=16,param.book=false");
    let (one, two) = (engine("One"), engine("Two"));
    let arguments = arguments.split_whitespace();
    Command::new(MANOURY)
        .args(["match", "--engine", &one, "--engine", &two, "--nodes", "50", "--max-moves", "12"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn a_match_from_edge_openings() {
    let folder = tempfile::tempdir().unwrap();
    let output = play(folder.path(), "--openings edge --games 2 --json --pdn games.pdn");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let lines = text(&output.stdout);
    let games: Vec<Value> =
        lines.lines().take(2).map(|line| serde_json::from_str(line).unwrap()).collect();
    let name = games[0]["opening"].as_str().unwrap();
    let number: usize = name.strip_prefix("edge ").unwrap().parse().unwrap();
    let opening = &OpeningSource::Edge.openings(International).unwrap()[number - 1];
    assert_eq!(opening.name, name);
    for game in &games {
        assert_eq!(game["opening"], name);
        assert_eq!(game["opening_plies"], opening.game.plies());
    }
    assert_ne!(games[0]["white"], games[1]["white"]);
    let records = pdn::read(International, &fs::read(folder.path().join("games.pdn")).unwrap());
    for record in records {
        let record = record.unwrap();
        assert_eq!(record.tags.get("Opening"), Some(name));
        let moves: Vec<_> = record.line.moves.iter().map(|annotated| annotated.mv).collect();
        assert!(moves.starts_with(&opening.game.moves()));
    }
}

#[test]
fn a_game_without_edge_openings_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let output = play(folder.path(), "--openings edge --games 2 --variant frisian");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = text(&output.stderr);
    assert!(message.contains("`manoury openings --variant frisian --out FILE`"), "{message}");
}

#[test]
fn openings_are_made_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let make = |rest: &str| {
        let fixed = "openings --variant russian --count 5 --lead 0.5..2 --nodes 200 --seed 3";
        let output = run(folder.path(), &format!("{fixed} {rest}"));
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        text(&output.stdout)
    };
    let line = make("--out one.pdn --threads 1");
    assert!(line.starts_with("openings=5 games="), "{line}");
    make("--out two.pdn --threads 3");
    let file = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(file("one.pdn"), file("two.pdn"));

    for game in pdn::read(Russian, &file("one.pdn")) {
        let record = game.unwrap();
        assert!(record.tags.get("Round").unwrap().parse::<u64>().is_ok());
        let lead: f64 = record.line.moves.last().unwrap().comments[0].parse().unwrap();
        assert!((0.5..=2.0).contains(&lead.abs()), "{lead}");
    }
    let source = OpeningSource::File { path: folder.path().join("one.pdn"), plies: None };
    assert_eq!(source.openings(Russian).unwrap().len(), 5);
    let output = play(folder.path(), "--variant russian --openings one.pdn --games 2");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn rejects_wrong_arguments() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, code, part) in [
        ("", 2, "--out <FILE>"),
        ("--out x.pdn --count 0", 2, "--count"),
        ("--out x.pdn --nodes 0", 2, "--nodes"),
        ("--out x.pdn --lead 1", 2, "expected two numbers, such as 0.4..0.8"),
        ("--out x.pdn --lead 0.8..0.4", 2, "must not be less than the first"),
        ("--out x.pdn --lead 0..99", 2, "expected a lead from 0 to 50 men"),
        ("--out x.pdn --lead NaN..1", 2, "must not be less"),
        ("--out x.pdn --variant chess", 2, "chess"),
        ("--out x.pdn --count 1 --nodes 1 --lead 49..50", 2, "only 0 openings found in"),
        ("--out nowhere/x.pdn --count 1 --nodes 1 --lead 0..9", 3, "nowhere/x.pdn: "),
    ] {
        let output = run(folder.path(), &format!("openings {arguments}"));
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments}: {message}");
        assert!(message.contains(part), "{arguments}: {message}");
        assert!(!folder.path().join("x.pdn").exists(), "{arguments}");
    }
}

/// The help names the games that have a set.
#[test]
fn the_help_names_the_sets() {
    use manoury::arena::openings::edge::has_set;
    use manoury::rules::Variant;
    let help = text(&run(Path::new("."), "openings --help").stdout);
    let (_, rest) = help.split_once("which exist for").unwrap();
    let named = rest.split_once('.').unwrap().0;
    for &variant in Variant::ALL {
        assert_eq!(named.contains(variant.name()), has_set(variant), "{variant}: {named}");
    }
}

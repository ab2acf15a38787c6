//! The scripts in `scripts/cluster` with the real HyperQueue: a server and two workers of one core.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::external::python_with_hyperqueue;

const MANOURY: &str = env!("CARGO_BIN_EXE_manoury");

/// The sizes of a round of learning.
const LEARNING: [(&str, &str); 5] = [
    ("GAMES", "60"),
    ("NODES", "20"),
    ("EPOCHS", "1"),
    ("MATCH_GAMES", "8"),
    ("MATCH_NODES", "100"),
];

/// Runs a script on two workers.
fn script(name: &str, arguments: &str) -> Output {
    // The script starts it.
    python_with_hyperqueue();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/cluster").join(name);
    let mut command = Command::new("bash");
    command.arg(script).args(arguments.split_whitespace()).args(["--", "--local", "2"]);
    let output = command.env("MANOURY", MANOURY).envs(LEARNING).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

/// Runs the program; returns what it prints.
fn manoury(arguments: &str) -> String {
    let output = Command::new(MANOURY).args(arguments.split_whitespace()).output().unwrap();
    assert!(output.status.success(), "{arguments}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The games of a match written as JSON, without names and times, which differ each time.
fn games(json: &str) -> Vec<(Value, Vec<Value>)> {
    let lines = json.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let games = lines.filter(|line| line["type"] == "game").map(|game| {
        let moves = game["moves"].as_array().unwrap().iter().map(|mv| mv["move"].clone());
        (game["pair"].clone(), moves.collect())
    });
    games.collect()
}

#[test]
#[ignore = "needs HyperQueue"]
fn a_round_of_learning_is_a_job() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("work");
    let path = |name: &str| dir.join(name).display().to_string();
    let arguments = format!("russian {} --parts 3", dir.display());
    let output = script("learn.sh", &arguments);
    let row = String::from_utf8(output.stdout).unwrap();
    assert!(row.starts_with("| 1 | 60 | ") && row.trim().matches(" | ").count() == 5, "{row}");

    // The parts are what one process makes.
    let alone = path("alone");
    let part = format!("--out {alone} --games 20 --nodes 20 --seed 1002 --weights hand");
    manoury(&format!("selfplay --variant russian {part}"));
    let bytes = |folder: &str| fs::read(Path::new(folder).join("000000000.games")).unwrap();
    assert!(bytes(&alone) == bytes(&path("games-1-2")));
    let engine = |settings: &str| {
        format!("--engine {MANOURY},param.tt-size=16,param.book=false,param.weights={settings}")
    };
    let (new, old) = (engine(&path("1.weights")), engine("hand"));
    let whole =
        manoury(&format!("match --variant russian --games 8 --nodes 100 --json {new} {old}"));
    let joined = fs::read_to_string(path("match-1.json")).unwrap();
    assert_eq!((games(&whole).len(), games(&whole)), (8, games(&joined)));

    // The next round learns from these games too.
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/cluster/learn.sh");
    let dry_run = |arguments: &str, fine_tune: &str| {
        let mut command = Command::new("bash");
        command.arg(&script).args(arguments.split_whitespace()).arg("--dry-run");
        let output = command.envs(LEARNING).env("FINE_TUNE", fine_tune).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let job = dry_run(&arguments, "");
    assert!(
        job.contains("games-1-3") && job.contains("games-2-3") && job.contains("\"2003\""),
        "{job}"
    );

    // The first round of another folder plays with given weights, and may be trained from them.
    let weights = path("1.weights");
    let arguments = format!("russian {} --from {weights}", path("other"));
    let [scratch, tuned] = ["", "1"].map(|fine_tune| dry_run(&arguments, fine_tune));
    assert_eq!(scratch.matches(&format!("\"--weights\", {weights:?}")).count(), 10, "{scratch}");
    assert!(!scratch.contains("\"--from\""), "{scratch}");
    assert!(tuned.contains(&format!("\"--from\", {weights:?}")), "{tuned}");
}

#[test]
#[ignore = "needs HyperQueue"]
fn a_test_ends_its_job() {
    let folder = tempfile::tempdir().unwrap();
    let engine = |name: &str, nodes: u32| {
        format!("--engine {MANOURY},name={name},param.tt-size=16,param.book=false,tc.nodes={nodes}")
    };
    let (strong, weak) = (engine("Strong", 1000), engine("Weak", 10));
    let test = format!("{strong} {weak} --sprt -50,50 --rounds 400 --openings 4-ply --json");
    let arguments = format!("{} 40 {test}", folder.path().display());
    let output = script("match.sh", &arguments);
    let joined = String::from_utf8(output.stdout).unwrap();
    let whole = manoury(&format!("match {test}"));
    assert_eq!(games(&joined), games(&whole));
    assert!(joined.lines().last().unwrap().contains("\"verdict\":\"H1\""), "{joined}");
    assert!(!folder.path().join("40.log").exists(), "parts that have not begun are left out");
}

#[test]
#[ignore = "needs HyperQueue"]
fn a_book_is_a_job() {
    let folder = tempfile::tempdir().unwrap();
    let [shared, alone] = ["shared", "alone"].map(|name| folder.path().join(name));
    let effort = "--variant russian --nodes-per-position 50";
    let arguments = format!("{} 70 30 2 {effort}", shared.display());
    let output = script("book.sh", &arguments);
    let summary = String::from_utf8(output.stdout).unwrap();
    assert!(summary.starts_with("expanded=70 "), "{summary}");
    let build = format!("book build {effort} --batch 30 --positions 70 --out");
    manoury(&format!("{build} {}", alone.display()));
    assert!(fs::read(shared).unwrap() == fs::read(alone).unwrap());
}

#[test]
#[ignore = "needs HyperQueue"]
fn a_tuning_is_a_job() {
    let folder = tempfile::tempdir().unwrap();
    let tuning = format!(
        "--engine {MANOURY},param.book=false --param tt-size=18,16,20,1,0.5 --steps 4 --pairs 2 \
         --ahead 2 --openings 4-ply --nodes 60 --json"
    );
    let output = script("tune.sh", &format!("{} 2 {tuning}", folder.path().display()));
    let shared = String::from_utf8(output.stdout).unwrap();
    let alone = manoury(&format!("tune {tuning}"));
    // The last line is a summary, with times.
    let steps = |json: &str| json.lines().take(4).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(steps(&shared), steps(&alone));
    assert!(shared.lines().nth(4).unwrap().contains("\"finished\":true"), "{shared}");
}

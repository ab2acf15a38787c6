//! The openings of `manoury match` and `manoury tune` without `--openings`, with the real program.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::arena::engine::faulty_engine;

/// Manoury with a small table.
const MANOURY: &str = concat!(env!("CARGO_BIN_EXE_manoury"), ",param.tt-size=16");

fn play(opponent: &str, arguments: &str) -> Output {
    let limits = ["--nodes", "20", "--max-moves", "2", "--games", "2"];
    Command::new(env!("CARGO_BIN_EXE_manoury"))
        .args(["match", "--json", "--engine", MANOURY, "--engine", opponent])
        .args(limits)
        .args(arguments.split_whitespace())
        .output()
        .unwrap()
}

/// The source of the openings of a match: the first word of the name of the first one.
fn source(opponent: &str, arguments: &str) -> String {
    let output = play(opponent, arguments);
    let lines = String::from_utf8_lossy(&output.stdout);
    let game = lines.lines().next().unwrap_or_else(|| panic!("{arguments}: {output:?}"));
    let game: Value = serde_json::from_str(game).unwrap();
    game["opening"].as_str().unwrap().split(' ').next().unwrap().to_owned()
}

fn faulty(arguments: &str) -> String {
    format!("'{}' {arguments}", faulty_engine().display())
}

#[test]
fn a_test_of_a_program_against_itself_starts_at_the_edge() {
    assert_eq!(source(MANOURY, "--sprt 0,5"), "edge");
    assert_eq!(source(MANOURY, "--sprt 0,5 --variant czech"), "edge");
    assert_eq!(source(MANOURY, "--sprt 0,5 --variant frisian"), "4-ply", "there is no set");
}

#[cfg(unix)]
#[test]
fn another_version_is_the_same_program() {
    let program = env!("CARGO_BIN_EXE_manoury");
    let old = format!(r#"sh -c "'{program}' hub | sed -u s/version=[^\ ]*/version=old/",name=Old"#);
    assert_eq!(source(&old, "--sprt 0,5"), "edge");
    let output = play(&old, "--sprt 0,5");
    assert!(String::from_utf8_lossy(&output.stdout).contains(r#""identity":"Manoury old""#));
}

#[test]
fn other_matches_start_level() {
    assert_eq!(source(MANOURY, ""), "4-ply", "no test");
    assert_eq!(source(&faulty("fine"), "--sprt 0,5"), "4-ply", "another program");
    let dxp = faulty("dxp-server none {port},proto=dxp,tc.time=60");
    assert_eq!(source(&dxp, "--sprt 0,5"), "4-ply", "its name comes too late");
}

#[test]
fn openings_that_are_given_are_played() {
    assert_eq!(source(MANOURY, "--sprt 0,5 --openings 3-ply"), "3-ply");
    assert_eq!(source(MANOURY, "--sprt 0,5 --random-plies 1"), "4-ply");
    assert_eq!(source(MANOURY, "--sprt 0,5 --random-plies 0"), "4-ply");
}

#[test]
fn a_resumed_match_keeps_its_openings() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("match.log");
    let arguments = format!("--log {}", log.display());
    assert_eq!(source(MANOURY, &arguments), "4-ply");
    let more = |test: &str| format!("{arguments} {test}");
    // As if no game had been finished.
    let cut = || {
        let text = fs::read_to_string(&log).unwrap();
        let settings = text.lines().next().unwrap();
        fs::write(&log, format!("{settings}\n")).unwrap();
    };
    cut();
    assert_eq!(source(MANOURY, &more("--sprt 0,5")), "4-ply", "the log says so");

    fs::remove_file(&log).unwrap();
    assert_eq!(source(MANOURY, &more("--sprt 0,5")), "edge");
    cut();
    assert_eq!(source(MANOURY, &arguments), "edge", "without the test as well");
    let refused = play(MANOURY, &more("--openings 4-ply"));
    assert_eq!(refused.status.code(), Some(2));
    let message = String::from_utf8_lossy(&refused.stderr);
    assert!(message.contains("--openings edge, not --openings 4-ply"), "{message}");
}

#[test]
fn reports_an_engine_that_does_not_answer() {
    let output = play(&faulty("exit-at-start,name=Absent"), "--sprt 0,5");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("the engine Absent cannot play"), "{message}");
}

/// The openings in the log of a tuning.
fn tuned_from(log: &Path, arguments: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_manoury"))
        .args(["tune", "--param", "futility_base", "--steps", "1", "--nodes", "20"])
        .args(["--max-moves", "2", "--log", log.to_str().unwrap(), "--engine"])
        .arg(MANOURY.replacen(',', " hub --tune,", 1))
        .args(arguments.split_whitespace())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = fs::read_to_string(log).unwrap();
    let settings: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    settings["openings"].clone()
}

#[test]
fn a_tuning_starts_at_the_edge() {
    for (arguments, source) in [
        ("", "edge"),
        ("--variant english", "edge"),
        ("--variant frisian", "4-ply"),
        ("--random-plies 2", "4-ply"),
        ("--openings 2-ply", "2-ply"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("tune.log");
        assert_eq!(tuned_from(&log, arguments), source, "{arguments}");
        // As started by a version with another default.
        let text = fs::read_to_string(&log).unwrap();
        let named = |source: &str| format!(r#""openings":"{source}""#);
        fs::write(&log, text.replace(&named(source), &named("3-ply"))).unwrap();
        if !arguments.starts_with("--openings") {
            assert_eq!(tuned_from(&log, arguments), "3-ply", "{arguments}");
        }
    }
}

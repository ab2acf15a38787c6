//! `manoury engines`, and engines by name in a match.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::engine::{Witness, faulty_engine};

const MANOURY: &str = env!("CARGO_BIN_EXE_manoury");

/// Runs the program with a file of engines.
fn run(arguments: &[&str], file: &Path) -> Output {
    Command::new(MANOURY).args(arguments).arg("--engines").arg(file).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn an_engine_is_added_listed_checked_and_played_with() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new folder").join("engines.toml");
    let added = run(&["engines", "add", MANOURY], &file);
    assert_eq!(added.status.code(), Some(0), "{added:?}");
    assert!(text(&added.stdout).starts_with("added Manoury to "), "{added:?}");
    let again = run(&["engines", "add", MANOURY], &file);
    assert!(text(&again.stderr).contains("already has an engine \"Manoury\""), "{again:?}");
    let named = run(&["engines", "add", MANOURY, "--name", "Small quick"], &file);
    assert_eq!(named.status.code(), Some(0), "{named:?}");
    let settings = "param.tt-size = 16\nparam.book = false\ntc.nodes = 100\n";
    let entries = fs::read_to_string(&file).unwrap() + settings;
    fs::write(&file, entries).unwrap();

    let listed = text(&run(&["engines", "list"], &file).stdout);
    let lines: Vec<&str> = listed.lines().collect();
    assert!(lines[0].starts_with("Manoury: ") && lines[0].contains(" hub,dir="), "{listed}");
    assert!(lines[1].starts_with("Small quick: ") && lines[1].contains("tc.nodes=100"), "{listed}");

    let checked = run(&["engines", "check", "Manoury,tc.nodes=50"], &file);
    let output = text(&checked.stdout);
    assert_eq!(checked.status.code(), Some(0), "{checked:?}");
    for part in [
        "ready after",
        "tt-size: 24 (16 to",
        "book: true or false",
        "book-file: text",
        "20 plies, move limit",
    ] {
        assert!(output.contains(part), "{part}: {output}");
    }

    let engines = ["--engine", "Manoury,tc.nodes=50", "--engine", "Manoury,tc.nodes=60,name=Other"];
    let arguments = [&["match", "--rounds", "1", "--max-moves", "5"], &engines[..]].concat();
    let output = run(&arguments, &file);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text(&output.stdout).contains("Manoury - Other"), "{output:?}");
}

#[test]
fn says_what_does_not_work() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("engines.toml");
    fs::write(&file, "").unwrap();
    let witness = Witness::new();
    let engine = format!("'{}' exit {}", faulty_engine().display(), witness.port());
    for (engine, complaint) in
        [(&engine[..], "a fault: crash"), ("/nowhere/engine", "does not work: the program")]
    {
        let checked = run(&["engines", "check", engine], &file);
        let output = text(&checked.stdout);
        assert_eq!(checked.status.code(), Some(1), "{checked:?}");
        assert!(output.contains(complaint), "{output}");
    }
    let none = run(&["engines", "check"], &file);
    assert_eq!(none.status.code(), Some(2), "{none:?}");
    let no_engine = run(&["engines", "add", "/bin/cat"], &file);
    assert!(text(&no_engine.stderr).contains("not a Hub engine"), "{no_engine:?}");
}

#[cfg(unix)]
#[test]
fn an_engine_is_added_with_the_version_of_hub_that_it_speaks() {
    let folder = tempfile::tempdir().unwrap();
    let (file, script) = (folder.path().join("engines.toml"), folder.path().join("it's Hub 1"));
    let script_text = format!("#!/bin/sh\nexec '{}' hub1\n", faulty_engine().display());
    fs::write(&script, script_text).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&script, mode).unwrap();
    let added = run(&["engines", "add", script.to_str().unwrap()], &file);
    assert_eq!(added.status.code(), Some(0), "{added:?}");
    let entry = fs::read_to_string(&file).unwrap();
    assert!(entry.contains("[\"Faulty 1\"]") && entry.contains("proto = \"hub1\""), "{entry}");
    let checked = run(&["engines", "check"], &file);
    assert!(text(&checked.stdout).contains("ready after"), "{checked:?}");
}

#[test]
fn an_entry_that_could_not_be_used_is_not_added() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("engines.toml");
    for name in ["Joe's \"best\"", "", "a,b"] {
        let added = run(&["engines", "add", MANOURY, "--name", name], &file);
        assert_eq!(added.status.code(), Some(2), "{added:?}");
        assert!(text(&added.stderr).contains("use --name"), "{added:?}");
        assert!(!file.exists());
    }
    let ini = folder.path().join("hub.ini");
    fs::write(&ini, "engine-command = ./scan hub\n").unwrap();
    let added = run(&["engines", "add", MANOURY], &ini);
    assert_eq!(added.status.code(), Some(2), "{added:?}");
}

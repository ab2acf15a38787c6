//! Matches of which several processes play a part each.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use serde_json::Value;

use super::matches::{command, json, manoury, refusal, run};

/// The arguments of all processes of the match.
const MATCH: &str = "--nodes 100 --games 6 --max-moves 30 --json";

fn engines() -> [String; 2] {
    [manoury("One"), manoury("Two") + ",tc.nodes=50"]
}

fn log(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

/// Plays a part, such as `1/3`, and returns its log.
fn play(folder: &Path, arguments: &str, part: &str) -> String {
    let log = log(folder, &part.replace('/', "-"));
    let output = run(&engines(), &format!("{arguments} --part {part} --log {log}"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    log
}

fn join(arguments: &str, logs: &[String]) -> Output {
    run(&engines(), &format!("{arguments} --join {}", logs.join(" ")))
}

/// A value without the fields that differ each time: dates and times.
fn lasting(mut value: Value) -> Value {
    let passing =
        ["date", "seconds", "time", "nps", "longest", "late_moves", "latest", "over", "run"];
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|name, _| !passing.contains(&&name[..]));
            fields.values_mut().for_each(|field| *field = lasting(field.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = lasting(item.take())),
        _ => {}
    }
    value
}

fn lasting_json(output: &Output) -> (Vec<Value>, Value) {
    let (games, summary) = json(output);
    (games.into_iter().map(lasting).collect(), lasting(summary))
}

#[test]
fn parts_make_the_same_match() {
    let folder = tempfile::tempdir().unwrap();
    let whole = lasting_json(&run(&engines(), MATCH));
    let logs = ["3/3", "1/3", "2/3"].map(|part| play(folder.path(), MATCH, part));
    let output = join(MATCH, &logs);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(lasting_json(&output), whole);
    // A part that two have played counts once.
    let again = folder.path().join("again");
    fs::copy(&logs[1], &again).unwrap();
    let logs = [&logs[..], &[again.display().to_string()]].concat();
    assert_eq!(lasting_json(&join(MATCH, &logs)), whole);
}

#[test]
fn joined_games_are_written_as_those_of_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let files = |name: &str| {
        let [pdn, page] = ["pdn", "html"].map(|kind| log(folder.path(), &format!("{name}.{kind}")));
        (format!("{MATCH} --pdn {pdn} --report {page}"), PathBuf::from(pdn), page)
    };
    let logs = ["1/2", "2/2"].map(|part| play(folder.path(), MATCH, part));
    let (arguments, pdn, page) = files("joined");
    assert_eq!(join(&arguments, &logs).status.code(), Some(0));
    let (arguments, whole_pdn, _) = files("whole");
    run(&engines(), &arguments);
    let of = |path| {
        let text = fs::read_to_string(path).unwrap();
        let is_lasting = |line: &&str| !line.contains("Date ") && !line.contains("Time ");
        text.lines().filter(is_lasting).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(of(pdn), of(whole_pdn));
    assert!(fs::read_to_string(page).unwrap().contains("6 of 6 games, international"));
}

#[test]
fn an_interrupted_part_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let logs = ["1/2", "2/2"].map(|part| play(folder.path(), MATCH, part));
    let whole = fs::read_to_string(&logs[0]).unwrap();
    let begun: Vec<_> = whole.lines().take(2).collect();
    fs::write(&logs[0], begun.join("\n") + "\n{\"pair\":").unwrap();
    let output = join(MATCH, &logs);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 of 6 games is missing"));
    assert_eq!(json(&output).1["games"], 5);
    play(folder.path(), MATCH, "1/2");
    assert_eq!(lasting_json(&join(MATCH, &logs)), lasting_json(&run(&engines(), MATCH)));
}

#[test]
fn the_test_decides_as_in_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let engines = [manoury("Strong") + ",tc.nodes=300", manoury("Weak") + ",tc.nodes=10"];
    // Games of breakthrough are short and have a winner.
    let arguments = "--variant breakthrough --sprt -50,50 --rounds 40 --json";
    let (_, alone) = json(&run(&engines, arguments));
    assert_eq!(alone["sprt"]["verdict"], "H1", "{alone}");
    let logs = ["1/2", "2/2"].map(|part| {
        let log = log(folder.path(), &part.replace('/', "-"));
        let output = run(&engines, &format!("{arguments} --part {part} --log {log}"));
        let (games, summary) = json(&output);
        assert_eq!((games.len(), &summary["sprt"]), (40, &Value::Null), "{part}");
        log
    });
    let (games, joined) = json(&run(&engines, &format!("{arguments} --join {}", logs.join(" "))));
    assert_eq!(joined["sprt"], alone["sprt"]);
    assert_eq!(
        (joined["finished"].as_bool(), games.len() as u64),
        (Some(true), alone["games"].as_u64().unwrap())
    );
}

#[test]
fn waits_for_missing_games() {
    let folder = tempfile::tempdir().unwrap();
    let logs = ["1-2", "2-2"].map(|name| log(folder.path(), name));
    let missing = join(MATCH, &logs);
    assert_eq!(missing.status.code(), Some(3), "{missing:?}");
    let arguments = format!("{MATCH} --follow --join {}", logs.join(" "));
    let follower = command(&engines(), &arguments).stdout(Stdio::piped()).spawn().unwrap();
    for part in ["2/2", "1/2"] {
        play(folder.path(), MATCH, part);
    }
    let output = follower.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(lasting_json(&output), lasting_json(&run(&engines(), MATCH)));
}

#[test]
fn rejects_logs_that_do_not_match() {
    let folder = tempfile::tempdir().unwrap();
    let log = play(folder.path(), MATCH, "1/3");
    let other = play(folder.path(), &format!("{MATCH} --seed 2"), "2/3");
    for (arguments, word) in [
        (
            format!("--join {log} {other}"),
            "2-3, line 1: this match was started with --seed 2, not --seed 1",
        ),
        (
            format!("--part 2/3 --log {log}"),
            "1-3, line 2: not a game of this match: pair 1 is in another part",
        ),
        (format!("--join {log} --log new.log"), "cannot be used with"),
        (format!("--join {log} --part 1/3"), "cannot be used with"),
        (format!("--part 1/4 --log {log}.2"), "fewer pairs of games than parts"),
        (format!("--part 4/3 --log {log}.2"), "numbered from 1"),
        (format!("--part -1/3 --log {log}.2"), "as 3/10"),
        (format!("--part 3 --log {log}.2"), "as 3/10"),
        ("--part 1/3".to_owned(), "--log"),
        ("--follow".to_owned(), "--join"),
    ] {
        let message = refusal(&engines(), &format!("{MATCH} {arguments}"));
        assert!(message.contains(word), "{arguments}: {message}");
    }
}

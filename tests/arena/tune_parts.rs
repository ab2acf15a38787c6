//! Tunings of which several processes play a part each.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::engine::Witness;
use super::tune::{ENGINE, faulty, json, run};

/// The arguments of all processes: two batches of two steps, each of three pairs, of short games.
const TUNING: &str = "--param reduction_slope=70,,,,0.1 --param futility_base=60,0,200,20,0.1 \
                      --steps 4 --pairs 3 --ahead 2 --variant english --openings 4-ply --nodes 60 --json";

fn logs(folder: &Path, parts: usize) -> Vec<PathBuf> {
    (1..=parts).map(|part| folder.join(format!("{part}.log"))).collect()
}

/// The argument `--join` with all logs, also of parts that have not begun.
fn join(folder: &Path, parts: usize) -> String {
    let logs = logs(folder, parts);
    format!(
        "--join {}",
        logs.iter().map(|log| log.display().to_string()).collect::<Vec<_>>().join(" ")
    )
}

/// Plays as much of a part as possible. Returns the number of steps known at the end.
fn play(folder: &Path, part: usize, parts: usize) -> u64 {
    let log = &logs(folder, parts)[part - 1];
    let join = join(folder, parts);
    let output =
        run(ENGINE, &format!("{TUNING} --part {part}/{parts} --log {} {join}", log.display()));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    match output.stdout.is_empty() {
        true => 0,
        false => json(&output).1["steps"].as_u64().unwrap(),
    }
}

/// The result of a tuning, without its times.
fn found(summary: &Value) -> Value {
    let names = ["finished", "steps", "games", "score", "faults", "params", "settings"];
    names.map(|name| summary[name].clone()).into_iter().collect()
}

#[test]
fn parts_find_the_same_values() {
    let (steps, alone) = json(&run(ENGINE, TUNING));
    for parts in [1, 3] {
        let folder = tempfile::tempdir().unwrap();
        // Alone, a part gets as far as the steps of the others allow.
        if parts > 1 {
            assert_eq!((play(folder.path(), 1, parts), play(folder.path(), 1, parts)), (0, 0));
        }
        let mut rounds = 0;
        while play(folder.path(), parts, parts) < 4 {
            for part in 1..parts {
                play(folder.path(), part, parts);
            }
            rounds += 1;
            assert!(rounds <= 2, "two batches");
        }
        let output = run(ENGINE, &format!("{TUNING} {}", join(folder.path(), parts)));
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let (joined, summary) = json(&output);
        assert_eq!((joined, found(&summary)), (steps.clone(), found(&alone)), "{parts} parts");
    }
}

#[test]
fn an_interrupted_part_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let logs = logs(folder.path(), 2);
    play(folder.path(), 1, 2);
    let text = fs::read_to_string(&logs[0]).unwrap();
    // As if it had been killed while it wrote its second pair. Then the second part plays.
    let two: Vec<_> = text.lines().take(2).collect();
    fs::write(&logs[0], two.join("\n") + "\n{\"type\":\"pair\",\"pa").unwrap();
    play(folder.path(), 2, 2);
    let output = run(ENGINE, &format!("{TUNING} {}", join(folder.path(), 2)));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("4 of 4 steps are missing"));
    play(folder.path(), 1, 2);
    assert!(fs::read_to_string(&logs[0]).unwrap().starts_with(&text));
}

/// No part has more than ten faulty pairs, but all together have.
#[test]
fn too_many_faults_end_a_tuning() {
    let (folder, witness) = (tempfile::tempdir().unwrap(), Witness::new());
    let (logs, join) = (logs(folder.path(), 2), join(folder.path(), 2));
    let engine = faulty("at-most-four", &witness);
    let tuning = "--param threads=5,1,9,4 --steps 12 --ahead 12 --nodes 1 --max-moves 10";
    let part = |part: usize| {
        let log = logs[part - 1].display();
        run(&engine, &format!("{tuning} --part {part}/2 --log {log} {join}"))
    };
    assert_eq!(part(1).status.code(), Some(0));
    for output in [part(2), run(&engine, &format!("{tuning} {join}"))] {
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("too many"), "{message}");
    }
}

#[test]
fn rejects_logs_that_do_not_match() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), 1, 2);
    let join = join(folder.path(), 2);
    let log = folder.path().join("1.log").display().to_string();
    for (arguments, word) in [
        (format!("{TUNING} --seed 2 {join}"), "was started with --seed 1, not --seed 2"),
        (format!("{TUNING} --log new.log {join}"), "only with --part"),
        (format!("{TUNING} --part 1/2 --log {log}"), "--join"),
        (format!("{TUNING} --part 3/2 --log {log} {join}"), "numbered from 1"),
        (format!("{TUNING} --log {log}"), "line 2"),
    ] {
        let output = run(ENGINE, &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(word), "{arguments}: {message}");
    }
}

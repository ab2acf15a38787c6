//! `manoury match --format`: knockouts and Swiss tournaments, and tests of several pairings.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::matches::{json, manoury, refusal, run};

/// Engines that search fewer nodes the later they are given.
fn engines(count: usize) -> Vec<String> {
    let engine = |number: usize| {
        let nodes = 400 >> number;
        format!("{},tc.nodes={nodes}", manoury(&format!("E{number}")))
    };
    (0..count).map(engine).collect()
}

/// Games of breakthrough are short and have a winner.
const GAMES: &str = "--variant breakthrough --json";

/// Plays a tournament with a log, then again from a log that was cut off in the middle. Both must have
/// the same rounds. Returns the games and the summary of the first.
fn play_and_resume(engines: &[String], arguments: &str, log: &Path) -> (Vec<Value>, Value) {
    let command = format!("{GAMES} {arguments} --log {}", log.display());
    let output = run(engines, &command);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let (games, whole) = json(&output);
    assert_eq!((&whole["finished"], &whole["faults"]), (&Value::from(true), &Value::from(0)));
    assert_eq!(whole["games"], whole["planned_games"]);

    let text = fs::read_to_string(log).unwrap();
    let lines: Vec<_> = text.lines().take(1 + games.len() / 2).collect();
    fs::write(log, lines.join("\n") + "\n{\"pair\":").unwrap();
    let (rest, resumed) = json(&run(engines, &command));
    assert_eq!(rest.len(), games.len() - games.len() / 2);
    assert_eq!(resumed["places"], whole["places"]);
    assert_eq!(resumed["rounds"], whole["rounds"]);
    (games, whole)
}

#[test]
fn winners_go_on_in_a_knockout() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let engines = engines(3);
    let arguments = "--format knockout --rounds 2";
    let (games, summary) = play_and_resume(&engines, arguments, &log);
    let [semifinals, last] = [0, 1].map(|round| &summary["rounds"][round]);
    assert_eq!((&semifinals["name"], &last["name"]), (&"semifinals".into(), &"final".into()));
    let boards = semifinals["boards"].as_array().unwrap();
    assert_eq!((&boards[0]["first"], &boards[0]["second"]), (&"E0".into(), &Value::Null));
    assert_eq!((&boards[1]["first"], &boards[1]["second"]), (&"E1".into(), &"E2".into()));
    let winner = &boards[1]["winner"];
    let of_final = &last["boards"][0];
    assert_eq!((&of_final["first"], &of_final["second"]), (&"E0".into(), winner));
    assert_eq!(summary["places"][0]["name"], of_final["winner"]);
    let points = |board: &Value| {
        let [one, two] = [0, 1].map(|index| board["points"][index].as_u64().unwrap());
        assert_eq!(one + two, 4 * board["pairs"].as_u64().unwrap(), "{board}");
        [one, two]
    };
    let [one, two] = points(&boards[1]);
    assert_eq!(winner, &Value::from(if one > two { "E1" } else { "E2" }));
    // The final is played after the semifinal.
    let rounds: Vec<_> = games.iter().map(|game| game["round"].as_str().unwrap()).collect();
    assert!(rounds.is_sorted_by_key(|round| round.chars().next()), "{rounds:?}");
    assert!(rounds.starts_with(&["1.2.1", "1.2.2"]) && rounds.contains(&"2.1.1"), "{rounds:?}");

    let other = "--variant breakthrough --format knockout --rounds 3";
    let message = refusal(&engines, &format!("{other} --log {}", log.display()));
    assert!(message.contains("--rounds 2, not --rounds 3"), "{message}");
    let message = refusal(&engines, &format!("--variant breakthrough --log {}", log.display()));
    assert!(message.contains("was started with"), "{message}");
}

#[test]
fn engines_with_the_same_points_meet_in_a_swiss_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let engines = engines(5);
    let arguments = "--format swiss --swiss-rounds 3 --rounds 1 --concurrency 2";
    let (games, summary) = play_and_resume(&engines, arguments, &log);
    assert_eq!(games.len(), 12);
    let rounds = summary["rounds"].as_array().unwrap();
    let mut meetings = HashSet::new();
    for round in rounds {
        let boards = round["boards"].as_array().unwrap();
        assert_eq!(boards.len(), 3, "two mini-matches and a bye");
        assert_eq!((&boards[2]["second"], &boards[2]["points"][0]), (&Value::Null, &4.into()));
        let [one, two] = [0, 1].map(|index| boards[0]["points"][index].as_u64());
        let winner = match one.cmp(&two) {
            Ordering::Greater => &boards[0]["first"],
            Ordering::Less => &boards[0]["second"],
            Ordering::Equal => &Value::Null,
        };
        assert_eq!(&boards[0]["winner"], winner);
        for board in boards {
            let mut names = [&board["first"], &board["second"]].map(ToString::to_string);
            names.sort();
            assert!(meetings.insert(names), "a rematch: {summary}");
        }
    }
    assert_eq!(rounds[0]["boards"][0]["second"], "E2");
    assert_eq!(rounds[0]["boards"][2]["winner"], "E4", "a bye is a win");
    let points: Vec<_> = summary["places"].as_array().unwrap().iter().collect();
    let points: Vec<_> = points.iter().map(|place| place["points"].as_u64().unwrap()).collect();
    assert!(points.is_sorted_by(|one, other| one >= other), "{points:?}");
    assert_eq!(points.iter().sum::<u64>(), 3 * (2 + 1) * 4);
    // Each mini-match is played with both colours.
    let pairs: HashSet<_> =
        games.iter().map(|game| (game["pair"].as_u64(), game["white"].as_u64())).collect();
    assert_eq!(pairs.len(), 12);

    // Tables and PDN have the rounds too.
    let pdn = folder.path().join("games.pdn");
    let command = format!("--variant breakthrough {arguments} --log {}", log.display());
    let output = run(&engines, &format!("{command} --pdn {}", pdn.display()));
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["Buchholz", "round 3  ", "bye", "12 of 12 games"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Columns of text are left-aligned.
    let line = text.lines().find(|line| line.contains("E0 - E2")).unwrap();
    assert!(line.trim_start().starts_with("round 1  E0 - E2  "), "{text}");
    let pdn = fs::read_to_string(&pdn).unwrap();
    assert!(pdn.contains("[Round \"3.2.2\"]") && !pdn.contains("[Round \"1.1\"]"), "{pdn}");
}

#[test]
fn each_pairing_of_a_gauntlet_has_a_test() {
    let engine = |name: &str, nodes: u32| format!("{},tc.nodes={nodes}", manoury(name));
    let engines = [engine("Strong", 600), engine("Weak", 20), engine("Weaker", 10)];
    let arguments = "--sprt -20,20 --format gauntlet --concurrency 2";
    let output = run(&engines, &format!("{GAMES} {arguments}"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let (games, summary) = json(&output);
    assert_eq!((&summary["finished"], &summary["sprt"]), (&Value::from(true), &Value::Null));
    let pairings = summary["pairings"].as_array().unwrap();
    assert_eq!(pairings.len(), 2);
    for pairing in pairings {
        assert_eq!(pairing["sprt"]["verdict"], "H1", "{pairing}");
    }
    assert!(games.len() < 400, "a pairing that is decided is not played on: {}", games.len());
}

#[test]
fn formats_of_fixed_pairs_have_the_logs_of_before() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let engines = engines(3);
    let log_argument = format!("--nodes 20 --games 2 --log {} {GAMES}", log.display());
    json(&run(&engines, &format!("--gauntlet {log_argument}")));
    let text = fs::read_to_string(&log).unwrap();
    let settings: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(settings["gauntlet"], true);
    assert!(settings.get("format").is_none() && settings.get("pairs").is_none(), "{settings}");
    assert!(!text.contains("\"round\""), "{text}");
    // Both ways of writing it are the same match.
    let (games, summary) = json(&run(&engines, &format!("--format gauntlet {log_argument}")));
    assert_eq!((games.len(), &summary["games"]), (0, &Value::from(4)));
    assert_eq!(
        (&summary["rounds"], &summary["places"]),
        (&Value::from([0; 0]), &Value::from([0; 0]))
    );
}

#[test]
fn rejects_formats_that_do_not_fit() {
    let three = engines(3);
    for (arguments, word) in [
        ("--format cup", "possible values"),
        ("--format swiss --gauntlet", "cannot be used with"),
        ("--swiss-rounds 2", "--format swiss"),
        ("--format swiss --swiss-rounds 4", "1 to 3 rounds, not 4"),
        ("--format swiss --swiss-rounds 0", "1 to 3 rounds, not 0"),
        ("--format knockout --sprt 0,5", "round robin or a gauntlet"),
        ("--format swiss --part 1/2 --log nowhere.log", "round robin or a gauntlet"),
        ("--format knockout --games 3", "even"),
    ] {
        let message = refusal(&three, arguments);
        assert!(message.contains(word), "{arguments}: {message}");
    }
}

//! `manoury match` from the user's point of view: whole matches with the real program.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use manoury::notation::pdn;
use manoury::rules::Variant;
use serde_json::Value;

use super::engine::{Witness, faulty_engine};

const MANOURY: &str = env!("CARGO_BIN_EXE_manoury");

/// Manoury with a small table, because it is started often.
pub(super) fn manoury(name: &str) -> String {
    format!("{MANOURY},name={name},param.tt-size=16,param.book=false")
}

/// The test engine in one of its modes, which further arguments may follow.
fn faulty(mode: &str, witness: &Witness) -> String {
    let (mode, more) = mode.split_once(' ').unwrap_or((mode, ""));
    let engine = faulty_engine();
    format!("'{}' {mode} {} {more},name={mode},start-limit=2", engine.display(), witness.port())
}

pub(super) fn command(engines: &[String], arguments: &str) -> Command {
    let mut command = Command::new(MANOURY);
    command.arg("match");
    for engine in engines {
        command.args(["--engine", engine]);
    }
    command.args(arguments.split_whitespace());
    command
}

pub(super) fn run(engines: &[String], arguments: &str) -> Output {
    command(engines, arguments).output().unwrap()
}

/// The lines of `--json`: games and the summary.
pub(super) fn json(output: &Output) -> (Vec<Value>, Value) {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().unwrap_or_else(|| panic!("no output: {output:?}"));
    assert_eq!(summary["type"], "summary");
    assert!(lines.iter().all(|line| line["type"] == "game"));
    (lines, summary)
}

pub(super) fn refusal(engines: &[String], arguments: &str) -> String {
    let output = run(engines, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_match_against_itself() {
    let engines = [manoury("One"), manoury("Two")];
    let output = run(&engines, "--nodes 300 --games 6 --concurrency 2 --max-moves 60 --json");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let (games, summary) = json(&output);
    assert_eq!(games.len(), 6);
    assert_eq!(summary["games"], 6);
    assert_eq!(summary["finished"], true);
    assert_eq!(summary["faults"], 0);
    let engine = &summary["engines"][0];
    assert_eq!(engine["name"], "One");
    assert!(engine["identity"].as_str().unwrap().starts_with("Manoury"));
    assert!(engine["depth"].as_f64().unwrap() >= 1.0);
    assert!(engine["nodes"].as_f64().unwrap() > 1.0);
    assert!(engine["time"].as_f64().unwrap() > 0.0);
    let pairing = &summary["pairings"][0];
    let counts: Vec<u64> = serde_json::from_value(pairing["pentanomial"].clone()).unwrap();
    assert_eq!(counts.iter().sum::<u64>(), 3);
    let points = pairing["wins"].as_u64().unwrap() * 2 + pairing["draws"].as_u64().unwrap();
    let of_pairs: u64 = counts.iter().zip(0..).map(|(count, points)| count * points).sum();
    assert_eq!(points, of_pairs);

    // Every opening is played twice with reversed colours, and no opening is repeated.
    let mut openings = HashSet::new();
    for pair in 0..3 {
        let of_pair: Vec<_> = games.iter().filter(|game| game["pair"] == pair).collect();
        let [one, two] = of_pair[..] else { panic!("a pair has two games") };
        assert_eq!(one["white_name"], two["black_name"]);
        for ply in 0..4 {
            assert_eq!(one["moves"][ply], two["moves"][ply]);
        }
        assert!(openings.insert(one["opening"].as_str().unwrap()));
    }
}

#[test]
fn prints_a_readable_summary() {
    let engines = [manoury("One"), manoury("Two"), manoury("Three")];
    let output = run(&engines, "--nodes 100 --rounds 1 --max-moves 10 --gauntlet");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["4 of 4 games", "One - Two", "One - Three", "move limit", "100 nodes", "LOS"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("Two - Three"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colours in a file");
}

#[test]
fn a_repeated_opening_repeats_the_games() {
    let engines = [manoury("One"), manoury("Two")];
    let warnings = |more: &str| {
        let arguments =
            format!("--nodes 20 --rounds 3 --max-moves 4 --openings start --json {more}");
        json(&run(&engines, &arguments)).1["warnings"].to_string()
    };
    let repeated = warnings("");
    assert!(repeated.contains("4 of 6 games repeat earlier games move for move"), "{repeated}");
    assert!(!warnings("--random-plies 2").contains("repeat"));
}

#[test]
fn games_are_written_as_pdn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pdn");
    let engines = [manoury("One"), manoury("Two")];
    let arguments = format!(
        "--nodes 100 --rounds 2 --openings ballots --max-moves 12 --comments --pdn {}",
        file.display()
    );
    assert_eq!(run(&engines, &arguments).status.code(), Some(0));
    assert!(refusal(&engines, &arguments).contains("games.pdn already exists"));
    #[cfg(unix)]
    {
        let piped = run(&engines, "--nodes 50 --rounds 1 --max-moves 6 --pdn /dev/stdout");
        assert_eq!(piped.status.code(), Some(0), "{piped:?}");
        assert!(String::from_utf8(piped.stdout).unwrap().starts_with("[Event "));
    }
    let records = pdn::read(Variant::International, &fs::read(file).unwrap());
    assert_eq!(records.len(), 4);
    for record in records {
        let record = record.unwrap();
        assert!(record.line.moves.len() >= 4);
        assert!(record.line.moves[1].comments.is_empty(), "the opening");
        assert!(record.line.moves[2].comments[0].contains('/'), "depth");
        assert!(record.tags.get("Termination").is_some());
        assert_eq!(record.tags.get("TimeControlWhite"), Some("100 nodes"));
    }
}

#[test]
fn an_interrupted_match_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let (log, file) = (folder.path().join("match.log"), folder.path().join("games.pdn"));
    let engines = [manoury("One"), manoury("Two")];
    let arguments =
        format!("--nodes 100 --max-moves 20 --log {} --pdn {}", log.display(), file.display());
    let first = run(&engines, &format!("{arguments} --rounds 2 --json"));
    assert_eq!(json(&first).1["games"], 4);

    // As if the last game had only been written in part.
    let text = fs::read_to_string(&log).unwrap();
    fs::write(&log, &text[..text.len() - 40]).unwrap();
    let second = run(&engines, &format!("{arguments} --rounds 3 --concurrency 2 --json"));
    let (games, summary) = json(&second);
    assert_eq!((games.len(), &summary["games"]), (3, &Value::from(6)));
    let slots: HashSet<_> = fs::read_to_string(&log)
        .unwrap()
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|game| (game["pair"].as_u64(), game["game"].as_u64()))
        .collect();
    assert_eq!(slots.len(), 6);
    let message = refusal(&engines, &format!("{arguments} --seed 2"));
    assert!(message.contains("--seed 1, not --seed 2"), "{message}");
    let games = pdn::read(Variant::International, &fs::read(file).unwrap());
    assert_eq!(games.len(), 6, "all runs, and the refused one has changed nothing");
}

#[test]
fn a_clear_difference_ends_the_test() {
    let engines = [manoury("Strong") + ",tc.nodes=600", manoury("Weak") + ",tc.nodes=20"];
    for model in ["logistic", "normalized"] {
        // Games of breakthrough are short and have a winner.
        let arguments = format!(
            "--variant breakthrough --sprt -20,20 --elo-model {model} --concurrency 2 --json"
        );
        let output = run(&engines, &arguments);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let (_, summary) = json(&output);
        assert_eq!(summary["sprt"]["verdict"], "H1", "{summary}");
        assert!(summary["games"].as_u64().unwrap() < 200);
        let llr = summary["sprt"]["llr"].as_f64().unwrap();
        assert!(llr >= summary["sprt"]["upper"].as_f64().unwrap());
        assert!(summary["pairings"][0]["elo"]["value"].as_f64().is_none_or(|elo| elo > 0.0));
    }
}

#[test]
fn a_test_that_is_decided_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("match.log");
    let engines = [manoury("Strong") + ",tc.nodes=1000", manoury("Weak") + ",tc.nodes=10"];
    let arguments = format!("--sprt -50,50 --log {} --json", log.display());
    let (games, first) = json(&run(&engines, &arguments));
    let (more, second) = json(&run(&engines, &arguments));
    assert!(!games.is_empty() && more.is_empty());
    assert_eq!(first["sprt"], second["sprt"]);
    assert_eq!(second["finished"], true);
}

#[test]
fn every_variant_is_refereed() {
    for variant in Variant::ALL {
        let engines = [manoury("One"), manoury("Two")];
        let arguments = format!(
            "--variant {variant} --nodes 50 --rounds 1 --openings 2-ply --max-moves 100 --json"
        );
        let output = run(&engines, &arguments);
        assert_eq!(output.status.code(), Some(0), "{variant}: {output:?}");
        assert_eq!(json(&output).1["variant"], variant.name());
    }
}

#[test]
fn clocks_are_kept() {
    let _clock = crate::clock();
    let engines = [manoury("Clock") + ",tc.time=2,tc.inc=0.01", manoury("Nodes") + ",tc.nodes=100"];
    let (games, summary) = json(&run(&engines, "--rounds 1 --margin 1 --json"));
    assert_eq!(summary["faults"], 0, "{summary}");
    for game in games {
        let white_is_first = game["white_name"] == "Clock";
        let moves = game["moves"].as_array().unwrap().iter().skip(usize::from(!white_is_first));
        let times: Vec<f64> = moves.step_by(2).filter_map(|mv| mv["time"].as_f64()).collect();
        let used: f64 = times.iter().sum();
        assert!(used <= 2.0 + 0.01 * times.len() as f64 + 1.0, "{used}");
    }
}

#[test]
fn survives_and_reports_faults() {
    for (mode, reason) in [
        ("exit", "crash"),
        ("abort", "crash"),
        ("hang", "hang"),
        ("illegal", "illegal-move"),
        ("empty", "no-move"),
        ("flood", "flood"),
        ("late", "time"),
    ] {
        let witness = Witness::new();
        // Only the late engine plays by the clock, since the machine may be busy.
        let own_limit = if mode == "late" { ",tc.move-time=0.1" } else { "" };
        let engines = [manoury("One"), faulty(mode, &witness) + own_limit];
        let output = run(&engines, "--nodes 50 --max-move-time 2 --rounds 1 --json");
        assert_eq!(output.status.code(), Some(1), "{mode}: {output:?}");
        let (games, summary) = json(&output);
        assert_eq!(games.len(), 2, "{mode}");
        assert!(games.iter().all(|game| game["reason"] == reason), "{mode}: {games:?}");
        assert_eq!(summary["engines"][1]["faults"][reason], 2, "{mode}: {summary}");
        assert_eq!(summary["engines"][0]["faults"], serde_json::json!({}));
        assert_eq!(summary["faults"], 2);
        witness.assert_all_gone();
    }
}

#[test]
fn an_engine_that_never_starts_ends_the_match_at_once() {
    for (mode, what) in [
        ("child-holds-output", "it said"),
        ("slow-start 30000", "in time"),
        ("flood-at-start", "too much output"),
        ("exit-at-start", "it said"),
    ] {
        let witness = Witness::new();
        let engines = [manoury("One"), faulty(mode, &witness)];
        let output = run(&engines, "--nodes 50 --rounds 1");
        assert_eq!(output.status.code(), Some(2), "{mode}: {output:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains("cannot play") && error.contains(what), "{mode}: {error}");
        witness.assert_all_gone();
    }
}

#[test]
fn prints_games_and_tables_during_the_match() {
    let engines = [manoury("One"), manoury("Two"), manoury("Three")];
    let output = run(&engines, "--nodes 50 --rounds 1 --verbose --report-every 3");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().filter(|line| line.contains(" plies, ")).count(), 6, "{text}");
    assert!(text.contains("6. ") && text.contains("(4-ply "), "{text}");
    // Two in between, one at the end, each with a cross table.
    assert_eq!(text.matches("\n    engine  ").count(), 3, "{text}");
}

/// A log names what differs in the words of the command line.
#[test]
fn a_match_with_other_options_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let engines = [manoury("One"), manoury("Two")];
    let arguments = format!("--nodes 9 --max-moves 5 --log {}", log.display());
    run(&engines, &format!("{arguments} --format knockout --rounds 1"));
    for (others, wanted) in [
        ("--rounds 1", "started with --format knockout; use the same"),
        ("--format knockout --rounds 2", "started with --rounds 1, not --rounds 2; use the same"),
        ("--format knockout --rounds 1 --draw-score 0", "other rules for ending games early"),
        ("--format knockout --rounds 1 --inc 1 --time 9", "other limits per move"),
        (
            "--format knockout --rounds 1 --random-plies 2",
            "started with --random-plies 0, not --random-plies 2",
        ),
    ] {
        let message = refusal(&engines, &format!("{arguments} {others}"));
        assert!(message.contains(wanted), "{others}: {message}");
    }
}

#[test]
fn an_engine_that_is_slow_to_start_plays() {
    let witness = Witness::new();
    let engines = [manoury("One"), faulty("slow-start 500", &witness)];
    let output = run(&engines, "--nodes 50 --rounds 1 --max-moves 5 --json");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    witness.assert_all_gone();
}

#[test]
fn kills_an_engine_that_does_not_quit() {
    let begun = Instant::now();
    let witness = Witness::new();
    let engines = [manoury("One"), faulty("ignores-quit", &witness)];
    let output = run(&engines, "--nodes 50 --rounds 1 --max-moves 5 --json");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(begun.elapsed() < Duration::from_secs(20));
    witness.assert_all_gone();
}

/// Interrupts the process as Ctrl-C does.
#[cfg(unix)]
fn interrupt(process: &std::process::Child) {
    let status = Command::new("kill").args(["-INT", &process.id().to_string()]).status();
    assert!(status.unwrap().success());
}

#[cfg(unix)]
#[test]
fn control_c_ends_a_match_cleanly() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("match.log");
    let witness = Witness::new();
    let engines = [manoury("One"), faulty("ignores-quit", &witness)];
    let arguments = format!("--move-time 0.01 --rounds 1000 --log {}", log.display());
    let process = command(&engines, &arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_lines(&log, 2);
    let begun = Instant::now();
    interrupt(&process);
    let output = process.wait_with_output().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("the same command resumes"), "{message}");
    assert!(!output.stdout.is_empty(), "the standing so far");
    witness.assert_all_gone();
}

#[cfg(unix)]
fn wait_for_lines(file: &Path, lines: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::read_to_string(file).map_or(0, |text| text.lines().count()) < lines {
        assert!(Instant::now() < deadline, "no game is finished");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_damaged_log_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let [log, pdn] = ["match.log", "match.pdn"].map(|name| folder.path().join(name));
    let engines = [manoury("one"), manoury("two")];
    let arguments = format!("--nodes 50 --games 2 --log {}", log.display());
    assert!(run(&engines, &arguments).status.success());
    let text = fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let replaced = |from: &str, to: &str| {
        assert!(lines[2].contains(from), "{text}");
        [lines[0], lines[1], &lines[2].replacen(from, to, 1)].join("\n") + "\n"
    };
    let game: Value = serde_json::from_str(lines[2]).unwrap();
    let mv = format!("\"move\":{}", game["moves"][0]["move"]);
    for (text, arguments, what) in [
        (replaced("\"white\":1", "\"white\":7"), &arguments, "not in the match"),
        (replaced("\"white\":1", "\"white\":0"), &arguments, "plays itself"),
        (
            replaced(&mv, "\"move\":\"99-98\""),
            &format!("{arguments} --pdn {}", pdn.display()),
            "99-98",
        ),
    ] {
        fs::write(&log, text).unwrap();
        let message = refusal(&engines, arguments);
        assert!(message.contains("line 3") && message.contains(what), "{message}");
    }
}

#[test]
fn a_resumed_match_reports_all_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let [log, page] = ["match.log", "match.html"].map(|name| folder.path().join(name));
    let engines = [manoury("one"), manoury("two")];
    let run = |games: u32| {
        let arguments = format!(
            "--nodes 100 --games {games} --log {} --report {} --event <b>",
            log.display(),
            page.display()
        );
        assert!(run(&engines, &arguments).status.success());
        let page = fs::read_to_string(&page).unwrap();
        assert!(!page.contains("<b>\""), "text of others is no markup");
        let (_, data) = page.split_once("id=\"data\">").unwrap();
        let (data, _) = data.split_once("</script>").unwrap();
        serde_json::from_str::<Value>(data).unwrap()
    };
    assert_eq!(run(2)["games"].as_array().unwrap().len(), 2);
    let data = run(4);
    let games = data["games"].as_array().unwrap();
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| game["players"].is_null() && game["about"][0] == "<b>"));
    assert_eq!(data["parts"][0]["lines"][0], "4 of 4 games, international");
    assert_eq!(data["parts"][1]["table"]["rows"].as_array().unwrap().len(), 2);
}

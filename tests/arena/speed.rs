//! `manoury bench` with engines.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

use super::engine::{Witness, faulty_engine};

const MANOURY: &str = env!("CARGO_BIN_EXE_manoury");

fn bench(arguments: &[&str]) -> Output {
    Command::new(MANOURY).arg("bench").args(arguments).output().unwrap()
}

/// This program with a small table, under a name.
fn engine(name: &str) -> String {
    format!("{MANOURY},name={name},param.tt-size=16,param.book=false,param.threads=1")
}

#[test]
fn engines_are_measured_in_turns() {
    let [one, two] = ["one", "two"].map(engine);
    let limits = ["--variant", "english", "--depth", "6", "--rounds", "3"];
    let engines = ["--engine", &one, "--engine", &two];
    let output = bench(&[&limits[..], &engines, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2);
    // A new game clears the table, so each round has the nodes of the others, and both engines the same.
    let nodes = rows[0]["nodes"].as_array().unwrap();
    assert!(nodes.len() == 3 && nodes.iter().all(|count| count == &nodes[0]), "{text}");
    assert_eq!(rows[0]["nodes"], rows[1]["nodes"]);
    assert_eq!(rows[0]["depth"], 6.0);
    assert_eq!(rows[0]["speed"]["value"], 1.0);
    let interval = rows[1]["speed"]["interval"].as_array().unwrap();
    let [low, high] = [0, 1].map(|end| interval[end].as_f64().unwrap());
    let value = rows[1]["speed"]["value"].as_f64().unwrap();
    assert!(low < value && value < high, "{text}");
    assert!(rows[1]["identity"].as_str().unwrap().starts_with("Manoury"), "{text}");
    let memory = rows[1]["memory"].as_u64();
    assert!(!cfg!(target_os = "linux") || memory > Some(1 << 20), "{text}");

    let table = bench(&[&limits[..4], &engines[..], &["--rounds", "1"]].concat());
    let table = String::from_utf8(table.stdout).unwrap();
    assert!(table.contains("nodes/s") && table.lines().count() == 3, "{table}");
    assert!(table.lines().next().unwrap().ends_with("MiB"), "{table}");
}

#[test]
fn several_numbers_make_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let chart = folder.path().join("scaling.svg");
    let chart = chart.display().to_string();
    let numbers =
        ["--variant", "english", "--depth", "6", "--threads", "1,2", "--tt-size", "16,20"];
    let output = bench(&[&numbers[..], &["--rounds", "2", "--json", "--svg", &chart]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let settings = rows.iter().map(|row| (row["threads"].as_u64(), row["tt_size"].as_u64()));
    let expected = [(1, 16), (2, 16), (1, 20), (2, 20)];
    assert!(settings.eq(expected.map(|(threads, size)| (Some(threads), Some(size)))), "{text}");
    assert_eq!(rows[0]["speed"]["value"], 1.0);
    for row in &rows {
        assert_eq!(row["times"].as_array().unwrap().len(), 2, "{text}");
        assert!(row["nps"].as_f64() > Some(0.0) && row["nps_ratio"]["interval"].is_array());
    }
    let picture = fs::read_to_string(&chart).unwrap();
    assert_eq!(picture.matches("<polyline").count(), 4, "{picture}");

    // One thread has the signature's nodes in each round; one number of each kind makes no table.
    let alone = bench(&["--variant", "english", "--depth", "6", "--tt-size", "20"]);
    let alone = String::from_utf8(alone.stdout).unwrap();
    let nodes = rows[2]["nodes"][0].as_f64().unwrap();
    assert!(alone.starts_with(&format!("nodes={nodes} time=")), "{alone}");
    assert_eq!(rows[2]["nodes"][1], nodes);
    let table = bench(&[&numbers[..6], &["--rounds", "1"]].concat());
    let table = String::from_utf8(table.stdout).unwrap();
    assert!(table.contains("speed") && table.lines().count() == 3, "{table}");

    for (extra, said) in [
        (&["--svg", &chart][..], "several values"),
        (&["--rounds", "7"], "--rounds needs --engine, --solve, or several values"),
        (&["--threads", "1,x"], "expected a whole number"),
        (&["--threads", "1,,2"], "expected a whole number"),
        (&["--tt-size", "16,99"], "expected a whole number from"),
        (&["--tt-size", "16", "--engine", "manoury"], "cannot be used with"),
    ] {
        let output = bench(&[&["--depth", "1"][..], extra].concat());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && error.contains(said), "{extra:?}: {error}");
    }
}

#[test]
fn positions_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions");
    let path = file.display().to_string();
    let one = engine("one");
    let arguments = ["--engine", &one, "--nodes", "500", "--rounds", "2", "--positions", &path];
    fs::write(&file, "# two\nW:W31,32:B1,2\n\nB:W31,32:B1,2\n").unwrap();
    let output = bench(&arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for (text, said) in [
        ("W:W31:B1\nW:W99:B1\n", "positions:2: "),
        ("W:W31:B\n", "positions:1: "),
        ("W:W31:B1;bm 31-25\n", "positions:1: 31-25"),
        ("W:W31:B1;bm 99-98\n", "positions:1: 99-98: square 99 "),
        ("W:W31:B1;id 5\n", "expected bm"),
        ("# none\n", "contains no positions"),
    ] {
        fs::write(&file, text).unwrap();
        let output = bench(&arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && error.contains(said), "{text}: {error}");
    }
}

#[test]
fn best_moves_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions");
    let one = engine("one");
    fs::write(&file, "W:W28:B22;bm 28x17\nW:W28:B23;bm 28x19;\nW:W31,32:B1,2\n").unwrap();
    let path = file.display().to_string();
    let arguments = ["--engine", &one, "--nodes", "50", "--rounds", "2", "--positions", &path];
    let output = bench(&[&arguments[..], &["--json"]].concat());
    let row: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(row["solved"], serde_json::json!([[2, 2], 2]));
    let table = String::from_utf8(bench(&arguments).stdout).unwrap();
    assert!(table.contains("solved") && table.contains("2.0 of 2"), "{table}");

    // Without an engine, this program solves them.
    fs::write(&file, "W:W28:B22;bm 28x17\nW:W28,40:B1;bm 40-34\nW:W31,32:B1,2\n").unwrap();
    let output = bench(&["--solve", &path, "--depth", "3", "--tt-size", "16", "--json"]);
    let row: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(row["times"].as_array().unwrap().len(), 1, "{row}");
    let times = row["solve_times"][0].as_array().unwrap();
    assert!(times.len() == 2 && times[0].as_f64().unwrap() < 5.0, "{row}");
    assert_eq!(row["solved"][0][0], times.iter().filter(|time| time.is_number()).count());
}

/// With a given time, the ratio of the times says nothing: that of the nodes per second does.
#[test]
fn the_speed_of_timed_searches_is_their_nodes_per_second() {
    let weak = engine("weak") + ",level=1";
    let strong = engine("strong");
    let engines = ["--engine", &strong, "--engine", &weak, "--time", "0.02", "--rounds", "2"];
    let output = bench(&[&engines[..], &["--json"]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // The weak one searches far less, in far less than its time.
    assert!(rows[1]["times"][0].as_f64() < rows[0]["times"][0].as_f64(), "{text}");
    let rates: Vec<f64> = rows.iter().map(|row| row["nps"].as_f64().unwrap()).collect();
    let speed = rows[1]["speed"]["value"].as_f64().unwrap();
    assert!((speed / (rates[1] / rates[0]) - 1.0).abs() < 0.5, "{text}");
}

#[test]
fn test_positions_may_be_problems_in_pdn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("problems.pdn").display().to_string();
    let problem = |fen: &str, moves: &str| format!("[FEN \"{fen}\"]\n\n{moves} *\n\n");
    let text = problem("W:W28:B22", "1. 28x17") + &problem("B:W28:B22,1", "1... 22x33");
    fs::write(&path, text).unwrap();
    let solve = ["--solve", &path, "--depth", "3", "--tt-size", "16", "--json"];
    let output = bench(&solve);
    let row: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(row["solved"], serde_json::json!([[2], 2]), "{row}");
    for (text, said) in [
        (problem("W:W28:B22", "1. 28x18"), "28x18"),
        (problem("W:W28:B22", ""), "no position has a best move"),
        (problem("W:W28:B", ""), "line 1"),
    ] {
        fs::write(&path, text).unwrap();
        let output = bench(&solve);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && error.contains(said), "{said}: {error}");
    }
}

/// The start position is in the book, but a test position is to be searched.
#[test]
fn this_program_solves_without_its_book() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("start").display().to_string();
    fs::write(&path, "W:W31-50:B1-20;bm 32-28\n").unwrap();
    let output = bench(&["--solve", &path, "--nodes", "500", "--tt-size", "16", "--json"]);
    let row: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(row["nodes"][0].as_f64() > Some(0.0), "{row}");
}

#[test]
fn the_built_in_test_positions_are_solved() {
    let output = bench(&["--solve", "suite", "--nodes", "100", "--tt-size", "16", "--json"]);
    let row: Value = serde_json::from_slice(&output.stdout).unwrap();
    let known = row["solved"][1].as_u64().unwrap();
    assert!(known >= 10, "{row}");
    // A search of 20,000 nodes finds none of them, so one of 100 nodes finds few.
    assert!(row["solved"][0][0].as_u64().unwrap() < known / 2, "{row}");
    for extra in [&["--time", "1"][..], &["--solve", "suite", "--variant", "english"]] {
        let output = bench(extra);
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{output:?}");
    }
}

#[test]
fn a_dxp_engine_solves_positions_in_games_of_one_move() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.txt");
    fs::write(&file, "W:W25,26,27,28,38,44:B16,17,18,19,29;bm 38-32\nW:W6:B45;bm 6-1\n").unwrap();
    let file = file.display().to_string();
    let far = format!("{MANOURY} dxp --listen 127.0.0.1:{{port}} --no-book --threads 1");
    let far = format!("{far},proto=dxp,name=Far");
    let solve = |limit: [&str; 2]| {
        bench(&[&["--solve", &file, "--engine", &far, "--json"], &limit[..]].concat())
    };
    let output = solve(["--time", "1.2"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let row: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(row["solved"], serde_json::json!([[2], 2]), "{row}");
    assert!(row["identity"].as_str().unwrap().starts_with("Manoury"), "{row}");
    assert!(row["times"][0].as_f64().unwrap() < 2.4, "{row}");
    // DXP cannot express a sixtieth of a minute, nor a number of nodes.
    for (limit, word) in [(["--time", "1"], "3 characters"), (["--nodes", "9"], "whole game")] {
        let output = solve(limit);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && error.contains(word), "{error}");
    }
}

#[test]
fn says_which_engine_cannot_be_measured() {
    let witness = Witness::new();
    let crashes = format!("'{}' exit {},name=Bad", faulty_engine().display(), witness.port());
    let one = engine("one");
    let output = bench(&["--depth", "3", "--engine", &one, "--engine", &crashes]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && error.contains("the engine Bad: "), "{error}");
    let output = bench(&["--engine", ",name=Far,proto=dxp,host=localhost,tc.time=5"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && error.contains("DXP"), "{error}");
    for extra in [["--threads", "2"], ["--weights", "hand"]] {
        let output = bench(&[&["--engine", &one][..], &extra].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}

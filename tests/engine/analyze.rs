//! `manoury analyze`: the lines as text and as JSON, the limits, interruption.

use std::process::Output;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::engine::cli;
use crate::engine::client::{Client, PATIENCE};

const FINISHED: &str = "W:W46:B37,41";
const ONE_MOVE: &str = "W:W28:B23";

/// The arguments of the command, with a small transposition table and one thread.
fn analyze(arguments: &str) -> String {
    format!("analyze --threads 1 --tt-size 16 {arguments}")
}

fn run(arguments: &str, input: &str) -> Output {
    cli::run(&analyze(arguments), input)
}

fn print(arguments: &str, input: &str) -> String {
    cli::print(&analyze(arguments), input)
}

/// The objects printed with `--json`.
fn objects(arguments: &str, input: &str) -> Vec<Value> {
    let output = print(&format!("--json {arguments}"), input);
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The only object printed with `--json`.
fn object(arguments: &str) -> Value {
    let objects = objects(arguments, "");
    assert_eq!(objects.len(), 1);
    objects[0].clone()
}

fn lines(object: &Value) -> &Vec<Value> {
    object["lines"].as_array().unwrap()
}

/// The words of each line of a text.
fn words(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split_whitespace().collect()).collect()
}

#[test]
fn a_position_is_a_table() {
    let output = print("--depth 6 --multipv 3", "");
    let rows = words(&output);
    assert_eq!(rows[0], ["rank", "depth", "score", "nodes", "time", "nodes/s", "line"]);
    assert_eq!(rows.len(), 4);
    for (rank, row) in (1..).zip(&rows[1..]) {
        assert_eq!(row[0], rank.to_string());
        assert_eq!(row[1], "6");
        assert!(row[2].parse::<f64>().is_ok() && row[3].parse::<u64>().is_ok(), "{output}");
        assert!(row[6].contains('-') && row.len() >= 8, "{output}");
    }
    assert!(!output.contains('\u{1b}'), "colours are for terminals");
    let columns: Vec<_> = output.lines().map(|line| line.rfind("  ")).collect();
    assert!(columns.windows(2).all(|pair| pair[0] == pair[1]), "not aligned:\n{output}");
}

#[test]
fn a_forced_end_is_shown() {
    let output = print(&format!("--fen {ONE_MOVE}"), "");
    let rows = words(&output);
    assert_eq!(rows[0][3], "end");
    assert_eq!(rows[1][2..6], ["99.99", "win", "in", "1"]);
    assert_eq!(rows[1].last(), Some(&"28x19"));
}

#[test]
fn json_has_everything_as_numbers() {
    let object = object("--depth 7 --multipv 2");
    assert_eq!(object["variant"], "international");
    assert_eq!(object["fen"], "W:W31-50:B1-20");
    assert_eq!(object["result"], Value::Null);
    assert_eq!(lines(&object).len(), 2);
    for (rank, line) in (1_u64..).zip(lines(&object)) {
        assert_eq!(line["rank"], rank);
        assert_eq!(line["depth"], 7);
        for name in ["nodes", "nps"] {
            assert!(line[name].is_u64(), "{name}: {line}");
        }
        for name in ["mean_depth", "score", "time"] {
            assert!(line[name].is_f64(), "{name}: {line}");
        }
        assert_eq!((&line["win_in"], &line["loss_in"]), (&Value::Null, &Value::Null));
        assert!(line["pv"].as_array().unwrap().len() > 1);
        assert!(line["pv"][0].as_str().unwrap().contains('-'));
    }
}

#[test]
fn ranks_are_different_moves_sorted_by_score() {
    for limit in ["--depth 8", "--nodes 20000", "--time 0.2"] {
        let object = object(&format!("{limit} --multipv 128"));
        let lines = lines(&object);
        assert_eq!(lines.len(), 9);
        let mut moves: Vec<_> = lines.iter().map(|line| line["pv"][0].as_str().unwrap()).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), 9);
        let scores = lines.iter().map(|line| line["score"].as_f64().unwrap());
        assert!(scores.is_sorted_by(|better, worse| better >= worse), "{lines:?}");
    }
}

#[test]
fn wins_and_losses_have_their_plies() {
    let won = object(&format!("--fen {ONE_MOVE}"));
    assert_eq!(lines(&won).len(), 1);
    let line = &lines(&won)[0];
    assert_eq!((&line["win_in"], &line["loss_in"]), (&json!(1), &Value::Null));
    assert_eq!((&line["score"], &line["pv"]), (&json!(99.99), &json!(["28x19x23"])));
    let lost = object("--fen W:W46:B32,K6 --depth 8");
    let line = &lines(&lost)[0];
    let plies = line["loss_in"].as_u64().unwrap();
    assert!(plies >= 6 && plies.is_multiple_of(2), "{line}");
    assert_eq!(line["win_in"], Value::Null);
    assert_eq!(line["score"], json!((plies as f64 - 10_000.0) / 100.0));
}

#[test]
fn reports_a_finished_game() {
    let object = object(&format!("--fen {FINISHED}"));
    assert_eq!(object["result"], json!({"winner": "black", "reason": "no legal moves"}));
    assert_eq!(object["lines"], json!([]));
    let output = print(&format!("--fen {FINISHED}"), "");
    assert_eq!(output, "the game is over: Black wins, no legal moves\n");
}

#[test]
fn many_positions_are_answered_in_order() {
    let start = "W:W31-50:B1-20";
    let input = format!("{ONE_MOVE}\n{FINISHED}\r\n{start}\n");
    let objects = objects("--depth 4 --fen -", &input);
    let fens: Vec<_> = objects.iter().map(|object| object["fen"].as_str().unwrap()).collect();
    assert_eq!(fens, [ONE_MOVE, FINISHED, start]);
    let output = print("--depth 4 --fen -", &input);
    let rows = words(&output);
    assert_eq!(rows.len(), 3);
    assert_eq!((rows[0][0], rows[0].last()), ("1", Some(&"28x19")));
    assert_eq!(rows[1][..4], ["the", "game", "is", "over:"]);
    assert_eq!(rows[2][..2], ["1", "4"]);
    assert_eq!(print("--fen -", ""), "");
    let spaced = format!("\n{}\n", input.replace('\n', "\n\n"));
    assert_eq!(words(&print("--depth 4 --fen -", &spaced)).len(), 3);
}

#[test]
fn positions_do_not_affect_each_other() {
    let alone = object("--depth 8");
    let after_others = objects("--depth 8 --fen -", &"W:W31-50:B1-20\n".repeat(3));
    for object in after_others {
        for name in ["nodes", "score", "pv"] {
            assert_eq!(lines(&object)[0][name], lines(&alone)[0][name], "{name}");
        }
    }
}

#[test]
fn answers_lines_before_a_faulty_one() {
    let output = run("--json --depth 3 --fen -", &format!("{ONE_MOVE}\nnonsense\n{ONE_MOVE}\n"));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("standard input, line 2"), "{message}");
}

#[test]
fn keeps_limits() {
    let deep = object("--depth 5");
    assert_eq!(lines(&deep)[0]["depth"], 5);
    let few = object("--nodes 3000");
    assert!(lines(&few)[0]["nodes"].as_u64().unwrap() <= 3000);
    let both = object("--nodes 100000000 --depth 3");
    assert_eq!(lines(&both)[0]["depth"], 3);
    for (arguments, seconds) in [("--time 0.3", 0.3), ("--time 0.3 --depth 99", 0.3), ("", 1.0)] {
        let began = Instant::now();
        let timed = object(arguments);
        assert!(began.elapsed() >= Duration::from_secs_f64(seconds * 0.9), "{arguments}");
        assert!(lines(&timed)[0]["time"].as_f64().unwrap() <= seconds + 0.5, "{arguments}");
    }
}

#[test]
fn every_variant_is_analyzed() {
    for variant in ["russian", "frisian", "canadian", "turkish"] {
        let object = object(&format!("--variant {variant} --depth 5"));
        assert_eq!(object["variant"], variant);
        assert!(lines(&object)[0]["pv"][0].as_str().unwrap().contains('-'));
    }
    let pos = "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";
    assert_eq!(lines(&object(&format!("--variant russian --depth 3 --pos {pos}"))).len(), 1);
}

#[test]
fn rejects_bad_usage() {
    for arguments in [
        "--depth 0",
        "--nodes 0",
        "--nodes many",
        "--time -1",
        "--time nan",
        "--time 1e300",
        "--multipv 0",
        "--tt-size 99",
        "--fen W:W31,99:B1",
        "--pdn games.pdn",
    ] {
        let output = run(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(output.stderr.starts_with(b"error: "), "{arguments}");
        assert_eq!(output.stdout, b"", "{arguments}");
    }
}

/// Sends the signal of Ctrl-C.
#[cfg(unix)]
fn interrupt(client: &Client) {
    let id = client.id().to_string();
    let status = std::process::Command::new("kill").args(["-INT", &id]).status();
    assert!(status.unwrap().success());
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_prints_its_result() {
    let mut client = Client::start(&["analyze", "--json", "--depth", "99", "--tt-size", "16"]);
    thread::sleep(Duration::from_millis(500));
    interrupt(&client);
    let line: Value = serde_json::from_str(&client.line(PATIENCE).unwrap()).unwrap();
    assert!(lines(&line)[0]["depth"].as_u64().unwrap() > 1);
    assert_eq!(client.end(PATIENCE), Some((0, String::new())));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_batch_waiting_for_input() {
    let mut client = Client::start(&["analyze", "--tt-size", "16", "--fen", "-"]);
    client.send(format!("{ONE_MOVE}\n").as_bytes());
    assert!(client.line(PATIENCE).unwrap().ends_with("28x19"));
    interrupt(&client);
    assert_eq!(client.end(PATIENCE), Some((0, String::new())));
}

#[test]
fn a_game_drawn_by_repetition_is_over() {
    let analysis = |ply: usize| {
        object(&format!("tests/data/wild/third_repetition.pdn --ply {ply} --nodes 1000"))
    };
    let drawn = analysis(8);
    assert_eq!(drawn["result"], json!({"winner": null, "reason": "repetition"}), "{drawn}");
    assert_eq!(drawn["lines"], json!([]));
    assert!(analysis(7)["result"].is_null());
}

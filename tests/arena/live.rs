//! The page on which a match is watched.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::external;

const MANOURY: &str = env!("CARGO_BIN_EXE_manoury");
/// How long something may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A match with a page; it ends with the test.
struct Watched {
    program: Child,
    address: String,
}

impl Watched {
    fn start(arguments: &[&str]) -> Watched {
        let mut command = Command::new(MANOURY);
        command.args(["match", "--live", "127.0.0.1:0"]).args(arguments);
        let mut program = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(program.stderr.take().unwrap()).lines();
        let said = lines.next().unwrap().unwrap();
        let (_, address) = said.split_once("http://").unwrap_or_else(|| panic!("{said}"));
        let address = address.trim_end_matches('/').to_owned();
        // The pipe must not fill up.
        thread::spawn(move || lines.for_each(drop));
        Watched { program, address }
    }

    /// A match of this program against itself.
    fn play(rounds: &str, nodes: &str, log: &Path) -> Watched {
        let engine = |name| format!("{MANOURY},name={name},param.tt-size=16,param.book=false");
        let [one, two] = ["one", "two"].map(engine);
        let log = log.display().to_string();
        let engines = ["--engine", &one, "--engine", &two, "--log", &log];
        let limits = ["--rounds", rounds, "--nodes", nodes, "--sprt", "0,5"];
        Watched::start(&[&engines[..], &limits].concat())
    }

    fn request(&self, head: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(format!("{head}\r\n\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// The answer to a request for a path, which must be JSON.
    fn json(&self, path: &str) -> Value {
        let answer = self.request(&format!("GET /{path} HTTP/1.1\r\nHost: localhost"));
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.contains("200 OK") && head.contains("application/json"), "{head}");
        serde_json::from_str(body).unwrap()
    }

    /// Waits for a state in which something holds.
    fn wait(&self, holds: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let answer = self.json("state/0");
            if holds(&answer) {
                return answer;
            }
            assert!(Instant::now() < deadline, "{answer}");
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

#[test]
fn viewers_see_the_games_of_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let watched = Watched::play("200", "3000", &log);
    let answer = watched.wait(|answer| {
        // A game whose opening is over, and in which both have moved.
        let (state, running) = (&answer["state"], &answer["state"]["running"][0]);
        let has_moved = |player: usize| running["players"][player]["line"].is_string();
        state["count"].as_u64() > Some(1) && has_moved(0) && has_moved(1)
    });
    let state = &answer["state"];
    let running = &state["running"][0];
    assert_eq!((&state["planned"], &state["is_over"]), (&Value::from(400), &Value::from(false)));
    assert_eq!(running["pieces"].as_str().unwrap().len(), 50);
    assert!(running["players"][0]["depth"].as_u64() > Some(0), "{running}");
    assert!(running["players"][1]["line"].as_str().is_some_and(|line| line.contains(['-', 'x'])));
    assert!(state["test"]["upper"].as_f64() > Some(2.0), "{state}");
    assert!(state["tables"].to_string().contains("\"one\""), "{state}");

    // Games in progress and finished ones are walked through in the same way.
    let row = &answer["rows"][0];
    let game = |row: &Value| watched.json(&format!("game/{}/{}", row["pair"], row["game"]));
    let finished = game(row);
    assert_eq!(finished["result"], row["result"]);
    assert_eq!(
        finished["plies"].as_array().map(Vec::len),
        row["plies"].as_u64().map(|n| n as usize)
    );
    let running = watched.wait(|answer| answer["state"]["running"][0]["plies"].as_u64() > Some(5));
    let game = game(&running["state"]["running"][0]);
    assert!(game["plies"].as_array().unwrap().len() > 5);

    // The page, its modules and texts; nothing else, and not for other sites.
    let get = |path| watched.request(&format!("GET {path} HTTP/1.1\r\nHost: localhost"));
    for path in ["/", "/live.js", "/live.css", "/page/board.js", "/language/nl.json"] {
        assert!(get(path).starts_with("HTTP/1.1 200 OK"), "{path}");
    }
    for path in ["/engine", "/game/x/y", "/game/999999/0", "/state/-1", "/page/../live.rs"] {
        assert!(get(path).starts_with("HTTP/1.1 404 "), "{path}");
    }
    assert_eq!(watched.json("state/99999")["rows"], Value::Array(Vec::new()));
    let refused = watched.request("GET / HTTP/1.1\r\nHost: evil.example");
    assert!(refused.starts_with("HTTP/1.1 403 "), "{refused}");
    let refused = watched.request("POST /state/0 HTTP/1.1\r\nHost: localhost");
    assert!(refused.starts_with("HTTP/1.1 405 "), "{refused}");
}

/// Plays a short match; its log.
fn played(folder: &Path) -> std::path::PathBuf {
    let log = folder.join("log");
    let mut watched = Watched::play("2", "200", &log);
    assert!(watched.program.wait().unwrap().success());
    log
}

#[test]
fn a_log_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let log = played(folder.path());
    let path = log.display().to_string();
    let watched = Watched::start(&["--show", &path]);
    let answer = watched.wait(|answer| answer["rows"].as_array().map(Vec::len) == Some(4));
    assert!(answer["state"]["tables"].to_string().contains("\"one\""), "{answer}");
    assert_eq!(answer["state"]["planned"], Value::Null, "the log does not say");
    assert!(answer["state"]["tables"].to_string().contains("more than 0.05 s"), "{answer}");
    let game = watched.json("game/1/1");
    assert_eq!(game["names"], serde_json::json!(["two", "one"]));

    let anchored = Watched::start(&["--show", &path, "--anchor", "two=1500", "--sprt", "0,10"]);
    let answer = anchored.wait(|answer| answer["rows"].as_array().map(Vec::len) == Some(4));
    assert!(answer["state"]["test"].is_object(), "{answer}");

    let refused = |arguments: &[&str]| {
        let output = Command::new(MANOURY).arg("match").args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, message) = refused(&["--show", &path, "--json"]);
    assert!(code == Some(2) && message.contains("--json"), "{message}");
    let missing = folder.path().join("missing").display().to_string();
    let (code, message) = refused(&["--show", &missing]);
    assert!(code == Some(3) && message.contains("No such file"), "{message}");
    std::fs::write(&log, "no log\n").unwrap();
    let (code, message) = refused(&["--show", &path]);
    assert!(code == Some(2) && message.contains("not the log of a match"), "{message}");
}

#[test]
#[ignore = "needs Chromium"]
fn the_page_of_a_match_works_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let watched = Watched::play("200", "2000", &folder.path().join("log"));
    let address = format!("http://{}/", watched.address);
    let pictures = std::env::var("MANOURY_PICTURES").unwrap_or_default();
    external::node("tests/browser/live.cjs", &[&external::chromium(), &address, &pictures]);
}

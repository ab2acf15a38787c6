//! Games that bitbases end.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::matches::{json, manoury, run};

const MANOURY: &str = env!("CARGO_BIN_EXE_manoury");

#[test]
fn bitbases_end_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    // Two kings against two: the built-in bitbases of killer draughts have three pieces.
    fs::write(path("fens"), "W:WK1,K2:BK49,K50\nW:WK28:BK5\n").unwrap();
    let generate = |what: &str| {
        let arguments =
            format!("bitbase generate --variant killer {what} --bitbases {}", path("bb"));
        let output = Command::new(MANOURY).args(arguments.split(' ')).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    generate("--pieces 3");
    generate("--slice 0022");
    let engines = [manoury("One"), manoury("Two")];
    let arguments = format!(
        "--variant killer --nodes 20 --rounds 2 --max-moves 1 --openings {} --json",
        path("fens")
    );
    let reasons = |more: &str| {
        let output = run(&engines, &format!("{arguments} {more}"));
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let mut reasons: Vec<_> = json(&output)
            .0
            .into_iter()
            .map(|game| {
                let known = (game["winner"].clone(), game["detail"].clone());
                (game["opening"].as_str().unwrap().ends_with(":1"), game["reason"].clone(), known)
            })
            .collect();
        reasons.sort_by_key(|(is_first, ..)| !is_first);
        reasons
    };
    let drawn = (true, Value::from("bitbase"), (Value::Null, Value::Null));
    let unknown = (true, Value::from("length"), (Value::Null, Value::Null));
    let won = (false, Value::from("bitbase"), (Value::from("white"), Value::from("in 3 plies")));
    let pdn = path("games.pdn");
    let folder = format!("--bitbases {} --pdn {pdn}", path("bb"));
    assert_eq!(reasons(&folder), [drawn.clone(), drawn, won.clone(), won.clone()]);
    assert_eq!(reasons("--bitbases"), [unknown.clone(), unknown, won.clone(), won]);
    let pdn = fs::read_to_string(pdn).unwrap();
    assert!(pdn.contains("[Termination \"bitbases: in 3 plies\"]"), "{pdn}");
    let output = run(&engines, &format!("{arguments} --bitbases {}", path("none")));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(3) && error.contains("no such folder"), "{error}");
}

//! Whole games through pydraughts, the library that most Hub clients are built on.
//!
//! Requires Python with the packages of `tests/python/requirements.txt`, and runs only if
//! `MANOURY_PYDRAUGHTS` is `1`. `MANOURY_PYTHON` is the interpreter, by default `python3`;
//! `MANOURY_ENGINE` is the program to test, by default that of this build.

use std::env;
use std::process::Command;

/// The output of a script that plays with the program, which must succeed.
pub(crate) fn play(python: &str, script: &str) -> String {
    let engine = env::var("MANOURY_ENGINE");
    let output = Command::new(python)
        .arg(script)
        .arg(engine.as_deref().unwrap_or(env!("CARGO_BIN_EXE_manoury")))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    println!("{text}");
    assert!(output.status.success(), "{text}{errors}");
    text
}

/// The interpreter that has pydraughts, if it is to be used.
pub(crate) fn python() -> Option<String> {
    if env::var("MANOURY_PYDRAUGHTS").as_deref() != Ok("1") {
        eprintln!("skipped: MANOURY_PYDRAUGHTS is not 1");
        return None;
    }
    Some(env::var("MANOURY_PYTHON").unwrap_or_else(|_| "python3".to_owned()))
}

#[test]
fn plays_whole_games() {
    let Some(python) = python() else { return };
    let text = play(&python, "tests/python/play.py");
    assert_eq!(text.matches("10 games").count(), 2, "{text}");
}

/// `MANOURY_PY_DRAUGHTS` is a Python interpreter with py-draughts, another library: both are called
/// `draughts`, so that one interpreter cannot have them both.
#[test]
fn plays_with_py_draughts() {
    let Ok(python) = env::var("MANOURY_PY_DRAUGHTS") else {
        eprintln!("skipped: MANOURY_PY_DRAUGHTS is not set");
        return;
    };
    let text = play(&python, "tests/python/play_py_draughts.py");
    assert!(text.contains("10 sessions"), "{text}");
}

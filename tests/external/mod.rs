//! Programs that some tests need: Node.js, Chromium and Python with some packages.
//!
//! `cargo test` leaves these tests out. `.ci/run` installs the programs, names them in environment
//! variables and runs the tests; there it is an error if a program is missing.

use std::env;
use std::process::{Command, Output};

/// The value of an environment variable that `.ci/run` sets.
fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} must be set, as .ci/run does"))
}

/// The path of Chromium. Node.js must find playwright-core and axe-core, by `NODE_PATH`.
pub(crate) fn chromium() -> String {
    variable("MANOURY_BROWSER")
}

/// The folder of the page with the engine as WebAssembly, made by `scripts/web.sh`.
pub(crate) fn web_folder() -> String {
    variable("MANOURY_WEB")
}

/// A Python interpreter with the packages of `tests/python/requirements-hyperqueue.txt`.
pub(crate) fn python_with_hyperqueue() -> String {
    variable("MANOURY_HYPERQUEUE")
}

/// A Python interpreter with the packages of `tests/python/requirements.txt`.
pub(crate) fn python_with_pydraughts() -> String {
    variable("MANOURY_PYDRAUGHTS")
}

/// A Python interpreter with the packages of `tests/python/requirements-py-draughts.txt`. Both
/// libraries are called `draughts`, so that one interpreter cannot have them both.
pub(crate) fn python_with_py_draughts() -> String {
    variable("MANOURY_PY_DRAUGHTS")
}

/// Runs a script in Node.js, which must succeed.
pub(crate) fn node(script: &str, arguments: &[&str]) {
    succeed(Command::new("node").arg(script).args(arguments));
}

/// Runs a script that plays against the program, which must succeed. Returns its output.
/// `MANOURY_ENGINE` may name another program.
pub(crate) fn play_with_python(python: &str, script: &str) -> String {
    let engine = env::var("MANOURY_ENGINE");
    let engine = engine.as_deref().unwrap_or(env!("CARGO_BIN_EXE_manoury"));
    let output = succeed(Command::new(python).arg(script).arg(engine));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The output of a command with exit code 0.
fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let [text, errors] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    println!("{text}");
    assert!(output.status.success(), "{command:?}: {text}{errors}");
    output
}

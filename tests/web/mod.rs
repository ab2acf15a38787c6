//! The engine as a WebAssembly module.
//!
//! These tests need the files that `scripts/web.sh` makes, and Node.js. They run only if
//! `MANOURY_WEB` is the folder of the files, as in `.ci/run`; the one in a browser also needs what
//! the pages of reports do (see `report::browser`).

use std::env;
use std::process::Command;

/// Runs a script in Node.js with the folder of the files and other arguments; it must end well.
fn run(script: &str, arguments: &[&str]) {
    let Ok(folder) = env::var("MANOURY_WEB") else {
        eprintln!("skipped: MANOURY_WEB is not set");
        return;
    };
    let mut node = Command::new("node");
    node.arg(format!("tests/web/{script}")).arg(folder).args(arguments);
    let output = node.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    println!("{said}");
    assert!(output.status.success(), "{script}: {said}{errors}");
}

#[test]
fn the_bench_visits_the_nodes_of_the_program() {
    run("bench.mjs", &["tests/data/bench_nodes.txt"]);
}

#[test]
fn a_client_is_answered_while_the_engine_searches() {
    run("session.mjs", &[]);
}

#[test]
fn a_worker_in_a_browser_answers_as_promptly() {
    let Ok(browser) = env::var("MANOURY_BROWSER") else {
        eprintln!("skipped: MANOURY_BROWSER is not set");
        return;
    };
    run("page.cjs", &[&browser]);
}

#[test]
fn no_line_stops_the_engine() {
    run("any_lines.mjs", &["fuzz/seeds/hub_session", "fuzz/seeds/hub_line"]);
}

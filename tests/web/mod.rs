//! The page, and the engine as a WebAssembly module.
//!
//! Most of these tests need the files that `scripts/web.sh` makes, and Node.js. They run only if
//! `MANOURY_WEB` is the folder of the files, as in `.ci/run`; those in a browser also need what the
//! pages of reports do (see `report::browser`), and the package axe-core.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
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

/// Runs a script that needs a browser.
fn run_in_browser(script: &str) {
    match env::var("MANOURY_BROWSER") {
        Ok(browser) => run(script, &[&browser]),
        Err(_) => eprintln!("skipped: MANOURY_BROWSER is not set"),
    }
}

#[test]
fn a_worker_in_a_browser_answers_as_promptly() {
    run_in_browser("worker.cjs");
}

#[test]
fn people_play_analyse_and_read_on_the_page() {
    run_in_browser("board.cjs");
}

/// The folder of the page.
const PAGE: &str = "src/page";

fn texts(language: &str) -> BTreeMap<String, String> {
    let text = fs::read_to_string(format!("{PAGE}/language/{language}.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn every_language_has_every_text() {
    let names = |language: &str| texts(language).into_keys().collect::<BTreeSet<_>>();
    for language in texts("index").into_keys() {
        assert_eq!(names(&language), names("en"), "{language}");
        assert!(texts(&language).values().all(|text| !text.is_empty()), "{language}");
    }
}

#[test]
fn the_page_names_no_text_that_is_missing() {
    let texts = texts("en");
    for entry in fs::read_dir(PAGE).unwrap() {
        let path = entry.unwrap().path();
        let Ok(code) = fs::read_to_string(&path) else { continue };
        for before in ["text(\"", "data-text=\"", "data-label=\""] {
            for named in code.split(before).skip(1) {
                let name = named.split('"').next().unwrap();
                assert!(texts.contains_key(name), "{}: no text {name:?}", path.display());
            }
        }
    }
}

#[test]
fn no_line_stops_the_engine() {
    run("any_lines.mjs", &["fuzz/seeds/hub_session", "fuzz/seeds/hub_line"]);
}

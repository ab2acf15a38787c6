//! The page, and the engine as a WebAssembly module.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::external;

/// Runs a script in Node.js with the folder of the WebAssembly build and other arguments.
fn run(script: &str, arguments: &[&str]) {
    let folder = external::web_folder();
    let arguments = [&[folder.as_str()], arguments].concat();
    external::node(&format!("tests/web/{script}"), &arguments);
}

#[test]
#[ignore = "needs Node.js and the WebAssembly build"]
fn the_bench_visits_the_same_nodes_as_the_program() {
    run("bench.mjs", &["tests/data/bench_nodes.txt"]);
}

#[test]
#[ignore = "needs Node.js and the WebAssembly build"]
fn answers_during_a_search() {
    run("session.mjs", &[]);
}

#[test]
#[ignore = "needs Node.js"]
fn the_logic_of_the_page_works_without_a_browser() {
    external::node("tests/web/logic.mjs", &[]);
}

#[test]
#[ignore = "needs Node.js"]
fn files_of_games_are_read_in_parts() {
    external::node("tests/web/files.mjs", &[]);
}

#[test]
#[ignore = "needs Chromium and the WebAssembly build"]
fn a_worker_in_a_browser_answers_during_a_search() {
    run("worker.cjs", &[&external::chromium()]);
}

#[test]
#[ignore = "needs Chromium and the WebAssembly build"]
fn people_play_analyse_and_read_on_the_page() {
    run("board.cjs", &[&external::chromium(), "board"]);
}

#[test]
#[ignore = "needs Chromium and the WebAssembly build"]
fn people_keep_their_games_and_open_files_on_the_page() {
    run("board.cjs", &[&external::chromium(), "everyday"]);
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
fn every_text_used_on_the_page_exists() {
    let texts = texts("en");
    for entry in fs::read_dir(PAGE).unwrap() {
        let path = entry.unwrap().path();
        let Ok(code) = fs::read_to_string(&path) else { continue };
        for before in ["text(\"", "data-text=\"", "data-label=\""] {
            // A letter before it means a longer name, such as that of `getContext`.
            let uses = code.match_indices(before);
            for (at, _) in uses.filter(|&(at, _)| !code[..at].ends_with(char::is_alphabetic)) {
                let name = code[at + before.len()..].split('"').next().unwrap();
                assert!(texts.contains_key(name), "{}: no text {name:?}", path.display());
            }
        }
    }
}

#[test]
#[ignore = "needs Node.js and the WebAssembly build"]
fn survives_any_line() {
    run("any_lines.mjs", &["fuzz/seeds/hub_session", "fuzz/seeds/hub_line"]);
}

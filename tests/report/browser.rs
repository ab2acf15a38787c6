//! Pages in a real browser.
//!
//! Requires Node.js with the package playwright-core, and Chromium; `.ci/run` installs both. It runs
//! only if `MANOURY_BROWSER` is the path of Chromium; `NODE_PATH` leads to the package, and
//! `MANOURY_PICTURES` is a folder for pictures of the pages.

use std::env;
use std::process::Command;

use crate::engine::cli::print;

/// Looks at the page that a command writes, in a browser if there is one.
fn look(test: &str, command: &str) {
    let Ok(browser) = env::var("MANOURY_BROWSER") else {
        eprintln!("skipped: MANOURY_BROWSER is not set");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("report.html");
    print(&format!("{command} --report {}", page.display()), "");
    let pictures = env::var("MANOURY_PICTURES").unwrap_or_default();
    let output = Command::new("node")
        .arg(format!("tests/browser/{test}.cjs"))
        .args([&browser, page.to_str().unwrap(), &pictures])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    println!("{text}");
    assert!(output.status.success(), "{text}{errors}");
}

#[test]
fn the_page_of_reviews_works_in_a_browser() {
    let games = "tests/data/games/plain_pdn3.pdn";
    look("review", &format!("analyze {games} --nodes 3000 --threads 2 --tt-size 16"));
}

#[test]
fn the_page_of_a_match_works_in_a_browser() {
    let engine = |name| {
        let program = env!("CARGO_BIN_EXE_manoury");
        format!("--engine {program},name={name},param.tt-size=16,param.book=false")
    };
    look("match", &format!("match {} {} --nodes 300 --games 4", engine("one"), engine("two")));
}

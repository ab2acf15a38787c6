//! Reports in a real browser. `MANOURY_PICTURES` may name a folder for pictures of the pages.

use std::env;

use crate::engine::cli::print;
use crate::external;

/// Opens the report that a command writes.
fn look(test: &str, command: &str) {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("report.html").display().to_string();
    print(&format!("{command} --report {page}"), "");
    let pictures = env::var("MANOURY_PICTURES").unwrap_or_default();
    let script = format!("tests/browser/{test}.cjs");
    external::node(&script, &[&external::chromium(), &page, &pictures]);
}

#[test]
#[ignore = "needs Chromium"]
fn the_report_of_a_review_works_in_a_browser() {
    let games = "tests/data/games/dense_padded.pdn";
    look("review", &format!("analyze {games} --nodes 3000 --threads 2 --tt-size 16"));
}

#[test]
#[ignore = "needs Chromium"]
fn the_report_of_a_match_works_in_a_browser() {
    let engine = |name| {
        let program = env!("CARGO_BIN_EXE_manoury");
        format!("--engine {program},name={name},param.tt-size=16,param.book=false")
    };
    look("match", &format!("match {} {} --nodes 300 --games 4", engine("one"), engine("two")));
}

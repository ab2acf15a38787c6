//! The page of reviews in a real browser.
//!
//! Requires Node.js with the package playwright-core, and Chromium; `.ci/run` installs both. It runs
//! only if `MANOURY_BROWSER` is the path of Chromium; `NODE_PATH` leads to the package, and
//! `MANOURY_PICTURES` is a folder for pictures of the page.

use std::env;
use std::process::Command;

use crate::engine::cli::print;

#[test]
fn the_page_of_reviews_works_in_a_browser() {
    let Ok(browser) = env::var("MANOURY_BROWSER") else {
        eprintln!("skipped: MANOURY_BROWSER is not set");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("report.html");
    let games = "tests/data/games/plain_pdn3.pdn";
    let arguments = format!(
        "analyze {games} --nodes 3000 --threads 2 --tt-size 16 --report {}",
        page.display()
    );
    print(&arguments, "");
    let pictures = env::var("MANOURY_PICTURES").unwrap_or_default();
    let output = Command::new("node")
        .arg("tests/browser/review.cjs")
        .args([&browser, page.to_str().unwrap(), &pictures])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    println!("{text}");
    assert!(output.status.success(), "{text}{errors}");
}

//! The page of the server in a real browser. It runs only if `MANOURY_BROWSER` names a Chromium, as in
//! `.ci/run`, where Node.js finds playwright-core.

use std::env;
use std::process::Command;

use super::program::{Server, until};

#[test]
fn people_play_and_analyse_on_the_page() {
    let Ok(browser) = env::var("MANOURY_BROWSER") else {
        eprintln!("skipped: MANOURY_BROWSER is not set");
        return;
    };
    let server = Server::start(&["--sessions", "1"]);
    let mut node = Command::new("node");
    let output = node.args(["tests/serve/board.cjs", &server.address, &browser]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}{errors}");
    // Its engine has ended with the page.
    until("the place is free", || server.try_connect().ok());
}

//! The page of the server in a real browser.

use super::program::{Server, until};
use crate::external;

#[test]
#[ignore = "needs Chromium"]
fn people_play_and_analyse_on_the_page() {
    let server = Server::start(&["--sessions", "2"]);
    let program = env!("CARGO_BIN_EXE_manoury");
    external::node("tests/serve/board.cjs", &[&server.address, &external::chromium(), program]);
    // Its engine has ended with the page.
    until("the place is free", || server.try_connect().ok());
}

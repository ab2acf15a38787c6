//! The first search finds its memory ready: the table is committed before `ready`, and no search
//! waits for the system to provide it page by page.

use std::fs;
use std::process::Command;

use crate::engine::client::Client;

/// The most page faults of a search: 30 are for code and stacks. In a table that was not committed,
/// 100,000 nodes cause 580 with huge pages, which its ends do not have, and up to 65,536 without.
const FEW: u64 = 200;

/// The page faults of the program so far that needed no disk.
fn page_faults(client: &Client) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", client.id())).unwrap();
    let (_, after_name) = stat.rsplit_once(") ").unwrap();
    after_name.split(' ').nth(7).unwrap().parse().unwrap()
}

/// Sends lines, waits until they are obeyed, and counts the page faults of a search after them.
fn page_faults_after(client: &mut Client, lines: &str) -> u64 {
    client.send(format!("{lines}\nping\n").as_bytes());
    client.line_of("pong");
    let before = page_faults(client);
    client.send(b"pos start\nlevel nodes=100000\ngo think\n");
    client.line_of("done");
    page_faults(client) - before
}

#[test]
fn searches_find_the_table_committed() {
    let mut client = Client::start(&["hub"]);
    client.send(b"set-param name=book value=false\ninit\n");
    client.line_of("ready");
    for lines in [
        "",
        "new-game",
        "set-param name=tt-size value=23",
        "set-param name=weights value=hand\nnew-game",
        "set-param name=variant value=killer\nnew-game",
    ] {
        let faults = page_faults_after(&mut client, lines);
        assert!(faults < FEW, "{faults} page faults after {lines:?}");
    }
}

/// Under a memory limit of the system, the table is smaller, and the client is informed.
#[test]
fn a_table_that_the_system_refuses_becomes_smaller() {
    let mut limited = Command::new("sh");
    // 512 MiB do not fit, 256 MiB do.
    limited.args(["-c", "ulimit -v 480000 && exec \"$0\" hub", env!("CARGO_BIN_EXE_manoury")]);
    let mut client = Client::of(limited);
    client.send(b"set-param name=book value=false\nset-param name=tt-size value=25\ninit\n");
    let error = client.line_of("error");
    let wanted = "error message=\"not enough memory for a table of 2^25 entries: it has ";
    assert!(error.starts_with(wanted), "{error}");
    client.line_of("ready");
    client.send(b"pos start\nlevel depth=5\ngo think\n");
    client.line_of("done");
}

/// A smaller table leaves the search the memory that it needs.
#[test]
#[cfg(target_os = "linux")]
fn searches_under_a_limit_on_memory() {
    for kibibytes in [160_000, 240_000, 300_000, 360_000, 420_000] {
        let mut limited = Command::new("sh");
        let run = format!("ulimit -v {kibibytes} && exec \"$0\" hub");
        limited.args(["-c", &run, env!("CARGO_BIN_EXE_manoury")]);
        let mut client = Client::of(limited);
        client.send(b"set-param name=threads value=2\nset-param name=tt-size value=25\ninit\n");
        assert!(client.line_of("error").contains("not enough memory for a table of 2^25"));
        client.line_of("ready");
        client.send(b"pos start\nlevel depth=5\ngo think\n");
        client.line_of("done");
    }
}

//! The `weights` parameter: the engine plays with the weights that the client chooses.

use crate::engine::client::{Client, PATIENCE};

const START: &str = "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";
const SMALL_TABLE: &str = "set-param name=tt-size value=18";
const BY_HAND: &str = "set-param name=weights value=hand";

/// Sends lines and searches the start position. Returns the nodes and the score.
fn searched(client: &mut Client, lines: &[&str]) -> [String; 2] {
    let lines =
        [lines, &["new-game", START, "level depth=9", "go analyze", ""]].concat().join("\n");
    client.send(lines.as_bytes());
    let mut last = String::new();
    loop {
        let line = client.line(PATIENCE).unwrap();
        match line.split(' ').next() {
            Some("info") => last = line,
            Some("done") => break,
            _ => {}
        }
    }
    let word = |name: &str| last.split(' ').find(|word| word.starts_with(name)).unwrap().to_owned();
    ["nodes=", "score="].map(word)
}

#[test]
fn a_client_chooses_the_weights() {
    let mut client = Client::start(&["hub"]);
    let embedded = searched(&mut client, &[SMALL_TABLE, "init"]);
    let mut other = Client::start(&["hub"]);
    let hand_crafted = searched(&mut other, &[SMALL_TABLE, BY_HAND, "init"]);
    assert_ne!(hand_crafted, embedded);
    // They also take effect later, and results found with other weights are forgotten.
    assert_eq!(searched(&mut client, &[BY_HAND]), hand_crafted);
    assert_eq!(searched(&mut client, &["set-param name=weights value=\"\""]), embedded);
}

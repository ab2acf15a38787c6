//! The limits on what a client can request; a request beyond them does not change the session.

use crate::engine::client::{Client, PATIENCE};

const TO_AND_FRO: [&str; 4] = ["6-1", "45-50", "1-6", "50-45"];

/// A `pos` command with a number of moves.
fn position(moves: usize) -> String {
    let words: Vec<_> = TO_AND_FRO.iter().cycle().take(moves).copied().collect();
    let kings = |square| match square {
        6 => 'W',
        45 => 'B',
        _ => 'e',
    };
    let squares: String = (1..=50).map(kings).collect();
    format!("pos pos=W{squares} moves=\"{}\"\n", words.join(" "))
}

/// The next line other than `info`.
fn answer(client: &mut Client) -> String {
    loop {
        let line = client.line(PATIENCE).unwrap();
        if !line.starts_with("info") {
            return line;
        }
    }
}

#[test]
fn the_table_fits_in_memory() {
    let mut client = Client::start(&["hub"]);
    client.send(b"set-param name=tt-size value=36\nset-param name=tt-size value=60\ninit\n");
    let error = answer(&mut client);
    assert!(
        error.starts_with("error message=\"a table of 2^36 entries takes 1024.0 GiB"),
        "{error}"
    );
    assert!(answer(&mut client).contains("2^60"));
    assert_eq!(answer(&mut client), "ready");
    client.send(b"hub\nlevel depth=3\ngo think\n");
    let lines: Vec<_> = std::iter::repeat_with(|| answer(&mut client)).take(19).collect();
    assert!(lines.iter().any(|line| line.starts_with("param name=tt-size value=24 ")), "{lines:?}");
    assert!(lines[18].starts_with("done move="), "{lines:?}");
}

#[test]
fn games_and_lines_have_a_maximum_length() {
    let mut client = Client::start(&["hub"]);
    client.send(position(10_000).as_bytes());
    client.send(b"level depth=1\ngo analyze\n");
    assert!(answer(&mut client).starts_with("done move="));
    client.send(position(10_001).as_bytes());
    assert_eq!(answer(&mut client), "error message=\"moves: more than 10000\"");
    // A line that is too long is ignored.
    client.send(position(300_000).as_bytes());
    client.send(b"level depth=1\ngo analyze\n");
    assert!(answer(&mut client).starts_with("done move="));
}

#[test]
fn threads_have_a_maximum() {
    let mut client = Client::start(&["hub"]);
    client.send(b"set-param name=threads value=1e9\nset-param name=tt-size value=16\n");
    client.send(b"pos start\nlevel depth=4\ngo think\n");
    assert!(answer(&mut client).starts_with("done move="));
}

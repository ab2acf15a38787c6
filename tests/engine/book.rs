//! Book moves, requested by a Hub client.

use std::fs;

use tempfile::TempDir;

use crate::engine::client::{Client, PATIENCE};

/// A folder with a small book.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let status = assert_cmd::Command::new(env!("CARGO_BIN_EXE_manoury"))
        .current_dir(folder.path())
        .args(
            "book build --out small.book --positions 40 --nodes-per-position 50 --threads 1"
                .split(' '),
        )
        .output()
        .unwrap();
    assert!(status.status.success());
    folder
}

/// A client that has set the small book and other parameters.
fn client(folder: &TempDir, params: &str) -> Client {
    let mut client = Client::start(&["hub"]);
    let file = folder.path().join("small.book");
    let lines = format!(
        "set-param name=tt-size value=16\nset-param name=book-file value=\"{}\"\n",
        file.display()
    );
    client.send(lines.as_bytes());
    for param in params.split_whitespace() {
        let (name, value) = param.split_once('=').unwrap();
        client.send(format!("set-param name={name} value={value}\n").as_bytes());
    }
    client.send(b"init\n");
    client
}

/// Sends lines and waits for the answer. Returns the line before it and the answer itself.
fn answer(client: &mut Client, lines: &str) -> (String, String) {
    client.send(lines.as_bytes());
    let info = client.line_of("info");
    let mut last = info.clone();
    loop {
        let line = client.line(PATIENCE).unwrap();
        if line.starts_with("done") {
            return (last, line);
        }
        last = line;
    }
}

#[test]
fn positions_of_the_book_are_not_searched() {
    let folder = folder();
    let mut client = client(&folder, "book-margin=0");
    let (info, done) = answer(&mut client, "pos start\nlevel move-time=30\ngo think\n");
    assert!(info.contains(" nodes=0 "), "{info}");
    assert!(done.contains(" ponder="), "{done}");
    // In analysis the position is searched.
    let (info, _) = answer(&mut client, "level nodes=5000\ngo analyze\n");
    assert!(!info.contains(" nodes=0 "), "{info}");
    // A position outside the book is searched.
    let off = "pos start moves=\"35-30 20-25 40-35 17-22 44-40 11-17 50-44\"\n";
    let (info, _) = answer(&mut client, &format!("{off}level nodes=5000\ngo think\n"));
    assert!(!info.contains(" nodes=0 "), "{info}");
    let (info, _) = answer(
        &mut client,
        "set-param name=book value=false\npos start\nlevel nodes=5000\ngo think\n",
    );
    assert!(!info.contains(" nodes=0 "), "{info}");
}

#[test]
fn moves_differ_within_the_margin_by_the_seed() {
    let folder = folder();
    let openings = |params: &str| -> Vec<String> {
        let mut client = client(&folder, params);
        let go = "new-game\npos start\nlevel nodes=1\ngo think\n";
        (0..20).map(|_| answer(&mut client, go).1).collect()
    };
    let count = |mut moves: Vec<String>| {
        moves.sort();
        moves.dedup();
        moves.len()
    };
    assert_eq!(openings("book-seed=5 book-margin=100"), openings("book-seed=5 book-margin=100"));
    assert_ne!(openings("book-seed=5 book-margin=100"), openings("book-seed=6 book-margin=100"));
    assert!(count(openings("book-margin=100")) > 3, "by chance");
    assert_eq!(count(openings("book-margin=100 book-ply=0")), 1, "only early moves are drawn");
}

#[test]
fn a_ponder_search_in_the_book_waits() {
    let folder = folder();
    let mut client = client(&folder, "book-margin=0");
    client.send(b"pos start\nlevel move-time=0.01\ngo ponder\n");
    client.line_of("info");
    assert_eq!(client.line(std::time::Duration::from_millis(300)), None);
    client.send(b"ponder-hit\n");
    assert!(client.line(PATIENCE).unwrap().starts_with("done move="));
    // A search without limits waits too.
    client.send(b"go think\n");
    client.line_of("info");
    assert_eq!(client.line(std::time::Duration::from_millis(300)), None);
    client.send(b"stop\n");
    assert!(client.line(PATIENCE).unwrap().starts_with("done move="));
}

#[test]
fn a_faulty_book_is_reported_and_ignored() {
    let folder = folder();
    let path = folder.path().join("small.book");
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, bytes).unwrap();
    let mut client = client(&folder, "");
    let error = client.line_of("error");
    assert!(error.contains("book not used: ") && error.contains("small.book: corrupt"), "{error}");
    let (info, done) = answer(&mut client, "pos start\nlevel nodes=5000\ngo think\n");
    assert!(!info.contains(" nodes=0 ") && done.starts_with("done move="), "{info} {done}");
}

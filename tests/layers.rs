//! The rooms of `src` are layers: an import may point down or sideways, never up.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the ground up; those of one layer may use each other.
const LAYERS: &[&[&str]] = &[
    &["board", "memory", "score", "storage"],
    &["rules"],
    &["position"],
    &["movegen"],
    &["game"],
    &["notation", "eval", "bitbase", "book", "tt"],
    &["search"],
    &["engine"],
    &["bench"],
    &["protocol", "arena", "learn"],
    &["cli"],
    &["main"],
];

/// What a room must not know although it lies below.
const STRANGERS: &[(&str, &str)] = &[
    ("search", "notation"),
    ("eval", "notation"),
    ("tt", "movegen"),
    ("tt", "rules"),
    ("eval", "tt"),
];

/// What a room must not do: text that none of its files may contain.
const FORBIDDEN: &[(&str, &str)] = &[
    ("protocol", "Bitboard"),
    ("tt", "Position"), // it knows their keys
    ("search", "std::io"),
    ("search", "println!"),
    ("engine", "println!"),
];

fn layer(room: &str) -> Option<usize> {
    LAYERS.iter().position(|rooms| rooms.contains(&room))
}

/// The module path of a file below `src`, the room first.
fn module(file: &Path) -> Vec<String> {
    let mut path: Vec<_> =
        file.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    path.pop_if(|last| last == "mod");
    path
}

/// Source text without line comments.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The rooms that a file names: behind `crate::`, `manoury::`, or enough `super::`.
fn named_rooms(module: &[String], text: &str) -> Vec<String> {
    let code = code(text);
    let root = "super::".repeat(module.len());
    ["crate::", "manoury::", &root]
        .iter()
        .flat_map(|prefix| {
            let parts = code.split(prefix).skip(1).map(first_names);
            parts.collect::<Vec<_>>()
        })
        .flatten()
        .collect()
}

/// The name at the start of a path, or those of a group: `a::b` or `{a::b, c::{d, e}}`.
fn first_names(path: &str) -> Vec<String> {
    let Some(group) = path.strip_prefix('{') else {
        return vec![name(path)];
    };
    let mut depth = 0;
    let mut names = vec![name(group.trim_start())];
    for (index, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(name(group[index + 1..].trim_start())),
            _ => {}
        }
    }
    names
}

fn name(text: &str) -> String {
    let is_name = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    text.chars().take_while(is_name).collect()
}

/// What is wrong with a file.
fn faults(file: &Path, text: &str) -> Vec<String> {
    let module = module(file);
    let room = module[0].as_str();
    let file = file.display();
    let Some(own) = layer(room) else {
        return vec![format!("{file}: the room {room} has no layer")];
    };
    let mut faults = Vec::new();
    for named in named_rooms(&module, text) {
        let is_up = layer(&named).is_some_and(|layer| layer > own);
        if is_up || STRANGERS.contains(&(room, named.as_str())) {
            faults.push(format!("{file}: {room} must not use {named}"));
        }
    }
    let code = code(text);
    for (_, text) in FORBIDDEN.iter().filter(|(of, _)| *of == room) {
        if code.contains(text) {
            faults.push(format!("{file}: {room} must not have {text}"));
        }
    }
    if room != "main" && code.contains("process::exit") {
        faults.push(format!("{file}: only main ends the process"));
    }
    faults
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn no_import_points_up() {
    let src = Path::new("src");
    let sources: Vec<_> = files(src)
        .into_iter()
        .filter(|file| file.extension().is_some_and(|ending| ending == "rs"))
        .filter(|file| !file.ends_with("lib.rs"))
        .collect();
    assert!(sources.len() > 30, "the sources are somewhere else");
    let faults: Vec<_> = sources
        .iter()
        .flat_map(|file| {
            let text = fs::read_to_string(file).unwrap();
            faults(file.strip_prefix(src).unwrap(), &text)
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn faults_are_found() {
    for (file, text) in [
        ("board/square.rs", "use crate::rules::Rules;"),
        ("score.rs", "use super::engine::Engine;"),
        ("position/mod.rs", "use super::search::Limits;"),
        ("position/mod.rs", "use crate::movegen;"),
        ("eval/a/b.rs", "use super::super::super::search;"),
        ("movegen/quiets.rs", "use crate::{\n    board::{Square, Side},\n    tt::Table,\n};"),
        ("search/node.rs", "let text = crate::notation::fen::format(&position);"),
        ("search/root.rs", "println!(\"info\");"),
        ("protocol/hub/session.rs", "use crate::board::Bitboard;"),
        ("tt/mod.rs", "use crate::position::Position;"),
        ("engine.rs", "std::process::exit(1);"),
        ("cellar/mod.rs", ""),
    ] {
        assert_eq!(faults(Path::new(file), text).len(), 1, "{file}: {text}");
    }
}

#[test]
fn good_imports_are_no_faults() {
    for (file, text) in [
        ("search/node.rs", "use crate::{board::Move, position::Position};"),
        ("protocol/hub/session.rs", "use super::super::hub; use crate::engine::Engine;"),
        ("game/mod.rs", "use crate::position::Position; use crate::movegen;"),
        ("rules/killer.rs", "//! See crate::search.\nuse super::Rules;"),
        ("main.rs", "use manoury::cli; std::process::exit(1);"),
    ] {
        assert_eq!(faults(Path::new(file), text), [""; 0], "{file}: {text}");
    }
}

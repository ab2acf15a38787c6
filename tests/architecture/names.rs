//! What the sources agree on beyond imports: names of limits, types of which there is one, and files
//! that are worth opening.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{code, files};

/// Prefixes of constants that are limits; they are called `MAX_` and `MIN_`.
const FORBIDDEN_PREFIXES: &[&str] = &["MOST_", "LEAST_", "FEWEST_", "LONGEST_", "LARGEST_"];

/// Types that must have one definition each.
const UNIQUE_TYPES: &[&str] = &["GameResult", "KingRun", "Progress", "Side"];

/// The minimum number of lines of a file, `mod.rs`, `lib.rs` and `main.rs` apart.
const MIN_LINES: usize = 40;

/// Shorter files, each a subject of its own. Take a name off this list when its file grows or goes.
const SHORT_FILES: &[&str] = &["src/core/progress.rs", "src/engine/playout.rs"];

/// All files of Rust below `src`, with their text.
fn sources() -> Vec<(String, String)> {
    let files = files(Path::new("src")).into_iter();
    let files = files.filter(|file| file.extension().is_some_and(|ending| ending == "rs"));
    files.map(|file| (file.display().to_string(), fs::read_to_string(file).unwrap())).collect()
}

/// The names of the constants and statics of a source text.
fn constants(text: &str) -> impl Iterator<Item = &str> {
    let declared = |line: &str| ["const ", "static "].iter().any(|word| line.contains(word));
    text.lines().filter(move |line| declared(line)).filter_map(|line| {
        let (_, name) = line.split_once("const ").or_else(|| line.split_once("static "))?;
        name.split([':', ' ', '<']).next()
    })
}

/// Whether a source text defines a type of some name.
fn defines(text: &str, name: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    code(text).lines().any(|line| {
        ["struct ", "enum ", "trait ", "type "].iter().any(|word| {
            // An associated type is no definition of its own.
            let line = line.strip_prefix("pub ").unwrap_or(line);
            let rest = line.strip_prefix(word).and_then(|rest| rest.strip_prefix(name));
            rest.is_some_and(|rest| !rest.starts_with(is_name))
        })
    })
}

#[test]
fn limits_are_called_max_and_min() {
    for (file, text) in sources() {
        for name in constants(&text) {
            let is_limit = FORBIDDEN_PREFIXES.iter().any(|prefix| name.starts_with(prefix));
            assert!(!is_limit, "{file}: {name} should be called MAX_ or MIN_");
        }
    }
}

#[test]
fn shared_types_are_defined_once() {
    let sources = sources();
    for name in UNIQUE_TYPES {
        let files: Vec<_> = sources.iter().filter(|(_, text)| defines(text, name)).collect();
        let files: Vec<_> = files.iter().map(|(file, _)| file).collect();
        assert_eq!(files.len(), 1, "{name}: {files:?}");
    }
}

#[test]
fn short_files_are_listed() {
    let is_listed = |file: &str| SHORT_FILES.contains(&file);
    let is_root =
        |file: &str| ["/mod.rs", "/lib.rs", "/main.rs"].iter().any(|name| file.ends_with(name));
    let short: BTreeSet<_> = sources()
        .into_iter()
        .filter(|(file, text)| !is_root(file) && text.lines().count() < MIN_LINES)
        .map(|(file, _)| file.replace('\\', "/"))
        .collect();
    let new: Vec<_> = short.iter().filter(|file| !is_listed(file)).collect();
    assert!(new.is_empty(), "files of fewer than {MIN_LINES} lines: {new:?}");
    let gone: Vec<_> = SHORT_FILES.iter().filter(|file| !short.contains(**file)).collect();
    assert!(gone.is_empty(), "no longer short, take them off the list: {gone:?}");
}

#[test]
fn finds_constants_and_types() {
    let text = "pub(crate) const MAX_A: u8 = 1;\n    static TABLE: [u8; 2] = [0; 2];\nlet x = 1;";
    assert_eq!(constants(text).collect::<Vec<_>>(), ["MAX_A", "TABLE"]);
    assert!(defines("pub enum GameResult {", "GameResult"));
    assert!(defines("type Side = u8;", "Side"));
    assert!(!defines("pub enum GameResults {", "GameResult"));
    assert!(!defines("    type Side = u8;", "Side"));
    assert!(!defines("// enum Side {", "Side"));
}

//! The rooms of `src` are layers: an import may point down or sideways, never up; files of a room
//! do not import each other in a circle; and nothing above the erased boundary names the rules of a
//! game as a type.

mod names;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the ground up; those of one layer may use each other. The rooms up to the boundary
/// are in `src/core`, the package of everything hot.
const LAYERS: &[&[&str]] = &[
    &["board", "instant", "memory", "parallel", "progress", "score", "storage"],
    &["rules"],
    &["position"],
    &["movegen"],
    &["game"],
    &["eval", "bitbase", "tt"],
    &["search"],
    &["erased"],
    &["runtime"],
    &["notation", "book", "weights"],
    &["engine"],
    &["protocol", "page_api", "arena", "analysis", "learn", "report"],
    &["serve"],
    &["cli"],
    &["main", "python", "web"],
];

/// The highest room that knows the rules of a game as a type.
const ERASED: &str = "erased";

/// Types that no room above the boundary may name: everything there is a value.
const TYPES: &[&str] =
    &["Rules", "Geometry", "Bitboard", "BitMove", "BitPosition", "BitGame", "movegen"];

/// Rooms that must not use a room below them.
const STRANGERS: &[(&str, &str)] =
    &[("tt", "movegen"), ("tt", "rules"), ("eval", "tt"), ("notation", "book"), ("learn", "arena")];

/// Text that no file of a room may contain.
const FORBIDDEN: &[(&str, &str)] = &[
    ("tt", "Position"), // it knows their keys
    ("search", "std::io"),
    ("search", "println!"),
    ("engine", "println!"),
];

fn layer(room: &str) -> Option<usize> {
    LAYERS.iter().position(|rooms| rooms.contains(&room))
}

/// The module path of a file below `src` or `src/core`, the room first.
fn module(file: &Path) -> Vec<String> {
    let file = file.strip_prefix("core").unwrap_or(file);
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
fn named_rooms(module: &[String], code: &str) -> Vec<String> {
    let root = "super::".repeat(module.len());
    ["crate::", "manoury::", "manoury_core::", &root]
        .iter()
        .flat_map(|prefix| code.split(prefix).skip(1).flat_map(first_names).collect::<Vec<_>>())
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

/// Whether code names a type: not as a value (`Reason::Rules`), nor where an enum declares one, on
/// a line of its own. A type that is imported and used is also named elsewhere, and found there.
fn names_type(code: &str, wanted: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    code.match_indices(wanted).any(|(start, _)| {
        let (before, after) = (&code[..start], &code[start + wanted.len()..]);
        let is_whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        let owner = before.strip_suffix("::").and_then(|path| path.rsplit(|c| !is_word(c)).next());
        let is_value = owner.is_some_and(|owner| owner.starts_with(|c: char| c.is_uppercase()));
        let is_declared = before.trim_end_matches(' ').ends_with('\n');
        is_whole && !is_value && !is_declared
    })
}

/// The faults of a file.
fn faults(file: &Path, text: &str) -> Vec<String> {
    let module = module(file);
    let room = module[0].as_str();
    let file = file.display();
    let Some(own) = layer(room) else {
        return vec![format!("{file}: the room {room} has no layer")];
    };
    let code = code(text);
    let mut faults = Vec::new();
    for named in named_rooms(&module, &code) {
        let is_up = layer(&named).is_some_and(|layer| layer > own);
        if is_up || STRANGERS.contains(&(room, named.as_str())) {
            faults.push(format!("{file}: {room} must not use {named}"));
        }
    }
    if Some(own) > layer(ERASED) {
        let named = TYPES.iter().filter(|name| names_type(&code, name));
        faults
            .extend(named.map(|name| format!("{file}: {name} belongs below the erased boundary")));
    }
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

/// For each file of a folder, without its `mod.rs`, the neighbours that it imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// A file that comes to itself by imports of neighbours, if there is one.
fn circle(imports: &Imports) -> Option<String> {
    let reached = |start: &String| {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![start]);
        while let Some(file) = waiting.pop() {
            let next = imports.get(file).into_iter().flatten();
            waiting.extend(next.filter(|next| seen.insert(*next)));
        }
        seen.contains(start)
    };
    imports.keys().find(|file| reached(file)).cloned()
}

/// The neighbours of a file that it imports: those named behind one `super::`.
fn neighbours(text: &str) -> BTreeSet<String> {
    let code = code(text);
    // Tests may use what they like.
    let code = code.split("#[cfg(test)]").next().unwrap_or_default();
    let alone = code.replace("super::super::", "crate::");
    alone.split("super::").skip(1).flat_map(first_names).collect()
}

/// The imports of neighbours in each folder but `erased`, whose values and the objects behind them
/// name each other.
fn imports_by_folder(files: &[PathBuf]) -> BTreeMap<PathBuf, Imports> {
    let mut folders: BTreeMap<PathBuf, Imports> = BTreeMap::new();
    let is_listed =
        |file: &&PathBuf| !file.ends_with("mod.rs") && !file.starts_with("src/core/erased");
    for file in files.iter().filter(is_listed) {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let imported = neighbours(&fs::read_to_string(file).unwrap());
        folders.entry(file.parent().unwrap().to_owned()).or_default().insert(name, imported);
    }
    folders
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The sources of both packages.
fn sources() -> Vec<PathBuf> {
    let sources: Vec<_> = files(Path::new("src"))
        .into_iter()
        .filter(|file| file.extension().is_some_and(|ending| ending == "rs"))
        .filter(|file| !file.ends_with("lib.rs"))
        .collect();
    assert!(sources.len() > 100, "the sources are somewhere else");
    sources
}

#[test]
fn no_import_points_up_or_through_the_boundary() {
    let faults: Vec<_> = sources()
        .iter()
        .flat_map(|file| {
            let text = fs::read_to_string(file).unwrap();
            faults(file.strip_prefix("src").unwrap(), &text)
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_files_import_each_other() {
    let circles: Vec<_> = imports_by_folder(&sources())
        .iter()
        .filter_map(|(folder, imports)| Some(folder.join(circle(imports)?)))
        .map(|file| format!("{}.rs imports itself by way of its neighbours", file.display()))
        .collect();
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

#[test]
fn finds_faults() {
    for (file, text) in [
        ("core/board/square.rs", "use crate::rules::Variant;"),
        ("core/score.rs", "use super::erased::Game;"),
        ("core/position/mod.rs", "use super::search::Limits;"),
        ("core/position/mod.rs", "use crate::movegen;"),
        ("core/eval/a/b.rs", "use super::super::super::search;"),
        ("core/movegen/quiets.rs", "use crate::{\n    board::{Square, Side},\n    tt::Table,\n};"),
        ("core/search/node.rs", "let text = crate::notation::fen::format(&position);"),
        ("core/search/root.rs", "println!(\"info\");"),
        ("core/tt/mod.rs", "use crate::position::Position;"),
        ("engine.rs", "std::process::exit(1);"),
        ("protocol/hub/session.rs", "let set: Bitboard = squares();"),
        ("arena/referee.rs", "fn play<R: Rules>(game: &Game) {}"),
        ("cli/perft.rs", "use crate::rules::{Rules, Variant};"),
        ("learn/selfplay.rs", "use manoury_core::movegen;"),
        ("cellar/mod.rs", ""),
    ] {
        assert_eq!(faults(Path::new(file), text).len(), 1, "{file}: {text}");
    }
}

#[test]
fn accepts_good_imports() {
    for (file, text) in [
        ("core/search/node.rs", "use crate::{board::Move, position::BitPosition};"),
        ("core/erased/typed.rs", "impl<R: Rules> Bitbases for BitbaseSet<R> {}"),
        ("protocol/hub/session.rs", "use super::super::hub; use crate::engine::Engine;"),
        ("core/game/mod.rs", "use crate::position::BitPosition; use crate::movegen;"),
        ("core/rules/killer.rs", "//! See crate::search.\nuse super::Rules;"),
        ("arena/played.rs", "enum End {\n    Rules,\n}\nlet end = End::Rules;"),
        ("main.rs", "use manoury::cli; std::process::exit(1);"),
    ] {
        assert_eq!(faults(Path::new(file), text), [""; 0], "{file}: {text}");
    }
}

#[test]
fn finds_circles() {
    let imports = |edges: &[(&str, &[&str])]| -> Imports {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        edges.iter().map(|(from, to)| ((*from).to_owned(), owned(to))).collect()
    };
    assert_eq!(circle(&imports(&[("a", &["b"]), ("b", &["c", "Type"]), ("c", &[])])), None);
    let round = imports(&[("x", &["a"]), ("a", &["b"]), ("b", &["c"]), ("c", &["a"])]);
    assert_eq!(circle(&round), Some("a".to_owned()));
    assert_eq!(
        neighbours("use super::node::bound;\nuse super::{root::Root, Job};\nuse super::super::tt;"),
        ["node", "root", "Job"].map(str::to_owned).into()
    );
}

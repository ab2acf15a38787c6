//! `manoury book`: books, output, exit codes, errors.

use std::fs;
use std::path::Path;

use crate::learn::cli::outcome;

/// Runs a command that should succeed, and returns what it prints.
fn output(folder: &Path, arguments: &str) -> String {
    let (code, output, errors) = outcome(folder, arguments);
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{arguments}");
    output
}

/// Builds a book in a file.
fn build(folder: &Path, file: &str, positions: usize, more: &str) -> String {
    let command =
        format!("book build --out {file} --positions {positions} --nodes-per-position 100 {more}");
    output(folder, &command)
}

fn json(line: &str) -> serde_json::Value {
    serde_json::from_str(line).unwrap()
}

#[test]
fn a_book_is_built_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let all = build(path, "all.book", 30, "--threads 1 --log log");
    assert!(all.starts_with("expanded=30 positions="), "{all}");
    let log = fs::read_to_string(path.join("log")).unwrap();
    assert!(log.contains(" expanded=30 ") && log.contains(" line=\""), "{log}");
    for positions in [10, 30, 30, 5] {
        build(path, "parts.book", positions, "--threads 1");
    }
    let read = |name: &str| fs::read(path.join(name)).unwrap();
    assert!(read("all.book") == read("parts.book"), "interrupted or not, it is the same book");
    let threads = build(path, "threads.book", 30, "--threads 3");
    assert!(threads.starts_with("expanded=30 positions="), "{threads}");
}

#[test]
fn searches_of_several_processes_make_the_same_book() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let read = |name: &str| fs::read(path.join(name)).unwrap();
    build(path, "alone.book", 40, "--batch 20 --threads 1");
    build(path, "threads.book", 40, "--batch 20 --threads 3");
    assert!(read("alone.book") == read("threads.book"));
    for positions in [20, 15] {
        build(path, "shared.book", positions, "--batch 20");
    }
    for file in ["tampered.book", "other.book"] {
        fs::copy(path.join("shared.book"), path.join(file)).unwrap();
    }
    let search = "book search --book shared.book --batch 20 --nodes-per-position 100";
    for part in ["1", "2"] {
        let command = format!("{search} --part {part}/2 --log {part}.log");
        let first = output(path, &command);
        assert!(first.starts_with("searches=") && !first.starts_with("searches=0 "), "{first}");
        // Killed in the middle, it resumes.
        let whole = read(&format!("{part}.log"));
        fs::write(path.join(format!("{part}.log")), &whole[..whole.len() - 20]).unwrap();
        output(path, &command);
        assert!(read(&format!("{part}.log")) == whole);
    }
    build(path, "shared.book", 40, "--batch 20 --searches 1.log 2.log");
    assert!(read("alone.book") == read("shared.book"));

    // The results are taken from the logs, not searched again.
    let tampered = String::from_utf8(read("1.log")).unwrap().replace("\"depth\":", "\"depth\":1");
    fs::write(path.join("tampered.log"), tampered).unwrap();
    build(path, "tampered.book", 40, "--batch 20 --searches tampered.log");
    assert!(read("alone.book") != read("tampered.book"));

    let other = "book build --out other.book --positions 40 --nodes-per-position 99 --batch 20 --searches 1.log";
    let (code, _, errors) = outcome(path, other);
    let wanted = "1.log, line 1: this book search was started with --nodes-per-position 100, not --nodes-per-position 99";
    assert!(code == Some(2) && errors.contains(wanted), "{errors}");
    let (code, _, errors) = outcome(path, &other.replace("1.log", "shared.book"));
    assert!(code == Some(2) && errors.contains("not the log of a book search"), "{errors}");
}

#[test]
fn a_book_is_probed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    build(path, "small.book", 30, "");
    let statistics = json(&output(path, "book stats --book small.book --json"));
    assert_eq!((&statistics["expanded"], &statistics["effort"]), (&30.into(), &"100 nodes".into()));
    let plies = statistics["plies"].as_array().unwrap();
    let sum = |name: &str| plies.iter().map(|ply| ply[name].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("expanded"), 30);
    assert_eq!(sum("expanded") + sum("ends"), statistics["positions"].as_u64().unwrap());
    let page = output(path, "book stats --book small.book");
    assert!(page.contains(", 30 expanded;"), "{page}");

    let start = json(&output(path, "book probe --book small.book --json"));
    let moves = start["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &start["score"]), (9, &statistics["score"]));
    assert_eq!((&start["score"], &start["depth"]), (&moves[0]["score"], &serde_json::Value::Null));
    let best = moves[0]["move"].as_str().unwrap();
    assert_eq!(statistics["line"][0], best);
    let lines = output(path, "book probe --book small.book");
    assert!(lines.trim_start().starts_with(best) && lines.lines().count() == 9, "{lines}");
    let unknown = "book probe --book small.book --fen W:W50:B1";
    assert_eq!(output(path, unknown), "");

    let tree = output(path, "book tree --book small.book --margin 0.05");
    assert!(tree.starts_with(&format!("1. {best} ")), "{tree}");
    let listed = output(path, "book export --book small.book");
    let listed: Vec<_> = listed.lines().map(json).collect();
    assert_eq!((listed.len(), &listed[0]), (30, &start));
    let good = output(path, "book export --book small.book --margin 0.01");
    assert!((1..=30).contains(&good.lines().count()), "{good}");
    for wrong in ["tree --margin nan", "tree --margin -1", "export --margin inf"] {
        let (code, _, errors) = super::cli::outcome(path, &format!("book {wrong}"));
        assert!(code == Some(2) && errors.contains("a number of at least 0"), "{wrong}: {errors}");
    }
}

#[test]
fn a_book_comes_from_games_and_becomes_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let games = "[Event \"a\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 *\n\n\
                 [Event \"b\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 33-28 *\n\n\
                 [Event \"c\"]\n1. 35-30 20-25 2. 1-2 *\n";
    fs::write(path.join("games.pdn"), games).unwrap();
    let import = "book import games.pdn --out games.book --nodes-per-position 100 --plies 4";
    let (code, first, errors) = outcome(path, import);
    assert_eq!(
        (code, &*errors),
        (Some(0), "games.pdn: 1 games with errors, used up to the error\n")
    );
    // The start, four positions of the first two games, two of the third.
    assert!(first.starts_with("expanded=7 positions="), "{first}");
    let known = |line: &str| {
        let answer = output(path, &format!("book probe --book games.book --json {line}"));
        json(&answer)["moves"].as_array().unwrap().len()
    };
    for fen in ["W:W31-50:B1-20", "W:W31,33-50:B1-13,15-18,20,23", "B:W30-34,36-50:B1-20"] {
        let legal = output(path, &format!("moves --fen {fen}")).lines().count();
        assert_eq!(known(&format!("--fen {fen}")), legal, "{fen}");
    }
    assert_eq!(known("--fen W:W31,34-50,28:B1-13,15-18,20,23"), 0, "the fifth ply");
    let least = import.replace("games.book", "least.book") + " --min-games 2";
    let (_, least, _) = outcome(path, &least);
    assert!(least.starts_with("expanded=5 positions="), "{least}");

    let seeded = format!(
        "{} --positions 9",
        import.replace("book import games.pdn", "book build --seed-pdn games.pdn")
    );
    let (_, seeded, _) = outcome(path, &seeded.replace("games.book", "seeded.book"));
    assert!(seeded.starts_with("expanded=9 positions="), "{seeded}");

    let pdn = output(path, "book export --book games.book --format pdn");
    fs::write(path.join("out.pdn"), &pdn).unwrap();
    let again = "book import out.pdn --out again.book --nodes-per-position 100 --plies 30";
    // Side lines are not read, so this is only a part of the book; but all of it is legal.
    let again = output(path, again);
    assert!(again.starts_with("expanded="), "{again}");
    assert_eq!(pdn.matches("[Event ").count(), 9);
}

#[test]
fn books_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    build(path, "one.book", 20, "");
    build(path, "two.book", 20, "--weights hand");
    let merged = output(path, "book merge one.book two.book --out both.book");
    let expanded = json(&output(path, "book stats --book both.book --json"))["expanded"].clone();
    assert!(merged.starts_with(&format!("expanded={expanded} ")), "{merged}");
    assert!((20..40).contains(&expanded.as_u64().unwrap()), "{merged}");
}

#[test]
fn other_variants_have_books() {
    let folder = tempfile::tempdir().unwrap();
    for variant in ["killer", "bt", "losing", "frisian", "brazilian", "russian", "canadian"] {
        build(folder.path(), variant, 5, &format!("--variant {variant}"));
        let probe = format!("book probe --variant {variant} --book {variant}");
        assert!(output(folder.path(), &probe).lines().count() > 3, "{variant}");
    }
    let (code, _, errors) = outcome(folder.path(), "book stats --book killer");
    assert_eq!((code, &*errors), (Some(2), "error: killer: a book for another variant: killer\n"));
}

#[test]
fn reports_faulty_books() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    build(path, "good.book", 5, "");
    let mut bytes = fs::read(path.join("good.book")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path.join("bad.book"), &bytes).unwrap();
    for command in [
        "stats --book bad.book",
        "probe --book bad.book",
        "tree --book bad.book",
        "export --book bad.book",
        "merge bad.book good.book --out new.book",
        "build --out bad.book --positions 9 --nodes-per-position 1",
    ] {
        let (code, output, errors) = outcome(path, &format!("book {command}"));
        let expected = (Some(3), "", "error: bad.book: corrupt\n");
        assert_eq!((code, &*output, &*errors), expected, "{command}");
    }
    assert!(fs::read(path.join("bad.book")).unwrap() == bytes, "it is left as it is");
    fs::write(path.join("text"), "1. 32-28").unwrap();
    for (command, code, fault) in [
        ("stats --book text", 2, "text: not a Manoury book file"),
        ("stats --book missing", 3, "missing: "),
        (
            "stats --variant turkish",
            2,
            "there is no built-in book for turkish; name a file with --book",
        ),
        ("build --out new.book --positions 5", 2, "--time-per-position"),
        ("build --out new.book --positions 5 --time-per-position 0", 2, "more than 0"),
        ("import missing.pdn --out new.book --nodes-per-position 9", 3, "missing.pdn: "),
        // This must fail before the work, which would take days.
        (
            "build --out no/new.book --positions 1000000 --nodes-per-position 1000000",
            3,
            "no/new.book: ",
        ),
    ] {
        let (is, _, errors) = outcome(path, &format!("book {command}"));
        assert_eq!(is, Some(code), "{command}");
        assert!(errors.contains(fault), "{command}: {errors}");
    }
}

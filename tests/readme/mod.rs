//! README: every command it shows runs, and prints what it shows.
//!
//! A command is a line behind `$` in a `text` block, with the output it must print below it; a line
//! of a `sh` block; or a code span that begins with a program. All run in one folder, in order,
//! with exit code 0. Output is compared by these rules:
//!
//! - Any number is right after `time=` and `nps=`, and in a column named `score`, `nodes`, `time`
//!   or `nodes/s`: these depend on the machine, or change with the search.
//! - A line `...` stands for any lines, and ` ...` at the end of a line for any text.
//! - The number of spaces between columns does not matter.

#![cfg(unix)]

mod help;

use std::fs;
use std::os::unix::fs::symlink;
use std::time::Duration;

use assert_cmd::Command;

const README: &str = include_str!("../../README.md");

/// The most lines README may have: it is a landing page.
const MAX_MULTIPV: usize = 150;

/// What the code span of a command begins with.
const PROGRAMS: &[&str] = &["manoury", "cargo", "printf", "python3", "pip", "git"];
/// Folders whose programs are commands too.
const FOLDERS: &[&str] = &[".ci/", "scripts/"];

/// The columns in which any number is right.
const FREE_COLUMNS: &[&str] = &["score", "nodes", "time", "nodes/s"];
/// The names before `=` after which any number is right.
const FREE_FIELDS: &[&str] = &["time=", "nps="];

/// The time a command may take.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Commands that are not run, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo test", "would run this test again"),
    ("cargo build --release", "a build"),
    ("cargo install --path .", "a build, and it installs a program"),
    ("cargo bench", "a build, and it takes minutes"),
    ("cargo doc --open", "a build, and it needs a browser; .ci/run builds the documentation"),
    (".ci/run", "runs the tests, and needs Python and the network"),
    ("scripts/release.sh DIR", "builds, and needs rustup with other targets"),
    ("pip install .", "a build, and it needs the network; scripts/wheel.sh installs a wheel"),
    ("scripts/wheel.sh DIR", "a build, and it needs the network"),
    ("scripts/web.sh DIR", "a build, and it needs rustup with another target; .ci/run runs it"),
    ("scripts/fuzz.sh SECONDS", "needs cargo-fuzz and a nightly Rust"),
    ("scripts/learn.sh VARIANT DIR", "takes minutes; its steps are the examples of the table"),
    ("manoury bench", "takes seconds; the test of tests/data/bench_nodes.txt runs it"),
];

/// Commands that are run with parts replaced: what, by what.
const REPLACED: &[(&str, &[(&str, &str)])] = &[
    // Built already. README says what its last line is.
    (
        "cargo build --release && (printf 'init\\npos start\\nlevel move-time=1\\ngo think\\n'; \
         sleep 2) | target/release/manoury",
        &[
            ("cargo build --release && ", ""),
            (
                "target/release/manoury",
                "manoury | tail -1 | grep -E '^done move=[^ ]+ ponder=[^ ]+$'",
            ),
        ],
    ),
    ("manoury help COMMAND", &[("COMMAND", "match")]),
    // Listens until Ctrl-C; here on a free port, for one game, with an opponent.
    (
        "manoury dxp --listen 0.0.0.0",
        &[(
            "manoury dxp --listen 0.0.0.0",
            "manoury dxp --listen 127.0.0.1:0 --games 1 --patience 20 2> dxp.txt & \
             for i in $(seq 100); do grep -q listening dxp.txt && break; sleep 0.1; done; \
             manoury dxp --connect :$(sed 's/.*://;q' dxp.txt) --moves 3 --minutes 0.1 && wait $!",
        )],
    ),
    // Serve until Ctrl-C; here on a free port, without a browser, until the address is there.
    (
        "manoury serve --open",
        &[("manoury serve --open", "timeout 2 manoury serve --port 0 | grep '/?token='")],
    ),
    (
        "manoury serve --origin https://example.org --token SECRET",
        &[
            ("manoury serve", "timeout 2 manoury serve --port 0"),
            ("SECRET", "SECRET | grep SECRET"),
        ],
    ),
    // Needs an older build, and takes hours.
    (
        "manoury match --sprt 0,10 --move-time 0.05 --concurrency 2 \
         --engine \"target/release/manoury,name=New,param.book=false,param.tt-size=18\" \
         --engine \"../old/target/release/manoury,name=Old,param.book=false,param.tt-size=18\"",
        &[
            ("../old/target/release/manoury", "manoury"),
            ("target/release/manoury", "manoury"),
            ("--move-time 0.05", "--nodes 100 --games 2"),
        ],
    ),
];

/// A command of README.
#[derive(Debug)]
struct Example {
    command: String,
    /// The lines it must print; empty if README shows none.
    output: Vec<&'static str>,
}

/// All commands of README, in order, each once.
fn examples() -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut lines = README.lines();
    while let Some(line) = lines.next() {
        let new = match line.strip_prefix("```") {
            None => spans(line),
            Some(kind) => {
                let block: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
                match kind {
                    "text" => shown(&block),
                    "sh" => joined(&block).into_iter().map(Example::silent).collect(),
                    _ => panic!("a block of kind {kind:?}: there are rules for sh and text"),
                }
            }
        };
        for example in new {
            let is_known = examples.iter().any(|known| known.command == example.command);
            if !is_known || !example.output.is_empty() {
                examples.push(example);
            }
        }
    }
    examples
}

impl Example {
    fn silent(command: String) -> Self {
        Example { command, output: Vec::new() }
    }
}

/// The commands in the code spans of a line.
fn spans(line: &str) -> Vec<Example> {
    assert!(
        line.matches('`').count().is_multiple_of(2),
        "a code span goes over the end of a line: {line}"
    );
    let spans = line.split('`').skip(1).step_by(2);
    let spans = spans.filter(|span| is_command(span));
    // In a table a bar has a backslash.
    spans.map(|span| Example::silent(span.replace("\\|", "|"))).collect()
}

fn is_command(span: &str) -> bool {
    let program = span.split(' ').next().unwrap_or_default();
    let is_file = program.ends_with(".md");
    let is_ours = FOLDERS.iter().any(|folder| program.starts_with(folder)) && !is_file;
    PROGRAMS.contains(&program) || is_ours
}

/// The commands of a `text` block, with their output.
fn shown(block: &[&'static str]) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut lines = block.iter();
    while let Some(line) = lines.next() {
        if let Some(command) = line.strip_prefix("$ ") {
            let mut command = command.to_owned();
            while command.ends_with('\\') {
                command = join(&command, lines.next().unwrap());
            }
            examples.push(Example::silent(command));
        } else {
            let last = examples.last_mut().expect("a text block begins with a command");
            last.output.push(line);
        }
    }
    examples
}

/// The commands of a `sh` block.
fn joined(block: &[&str]) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    for line in block {
        match commands.last_mut().filter(|last| last.ends_with('\\')) {
            Some(last) => *last = join(last, line),
            None => commands.push((*line).to_owned()),
        }
    }
    commands
}

/// A line that ends with a backslash, and the next one.
fn join(line: &str, next: &str) -> String {
    format!("{} {}", line.trim_end_matches('\\').trim_end(), next.trim_start())
}

/// What to run for a command; `None` if it is not run.
fn script(command: &str) -> Option<String> {
    if NOT_RUN.iter().any(|(known, _)| *known == command) {
        return None;
    }
    let replaced = REPLACED.iter().find(|(known, _)| *known == command);
    let parts = replaced.map_or(&[][..], |(_, parts)| parts);
    Some(parts.iter().fold(command.to_owned(), |script, (from, to)| script.replace(from, to)))
}

/// A folder to run commands in, with the program on the path.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let programs = folder.path().join("bin");
        fs::create_dir(&programs).unwrap();
        symlink(env!("CARGO_BIN_EXE_manoury"), programs.join("manoury")).unwrap();
        Place { folder }
    }

    /// Runs a script, which must succeed. Returns what it prints.
    fn run(&self, script: &str) -> String {
        let folder = self.folder.path();
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("sh")
            .args(["-c", script])
            .current_dir(folder)
            .env("PATH", format!("{}:{path}", folder.join("bin").display()))
            // No bitbases of the user.
            .env("HOME", folder)
            .env("XDG_DATA_HOME", folder.join("data"))
            .env_remove("MANOURY_LOG")
            .write_stdin("")
            .timeout(TIME_LIMIT)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{script}: {}\n{errors}", output.status);
        String::from_utf8(output.stdout).unwrap()
    }
}

/// Whether an output is as README shows it.
fn agrees(shown: &[&str], output: &str) -> bool {
    let real: Vec<_> = output.lines().collect();
    lines_agree(&normal(shown), &normal(&real))
}

fn lines_agree(shown: &[String], real: &[String]) -> bool {
    match shown.split_first() {
        None => real.is_empty(),
        Some((line, rest)) if line == "..." => {
            (0..=real.len()).any(|skipped| lines_agree(rest, &real[skipped..]))
        }
        Some((line, rest)) => {
            let fits = |real: &String| match line.strip_suffix(" ...") {
                Some(start) => real.starts_with(start),
                None => real == line,
            };
            real.first().is_some_and(fits) && lines_agree(rest, &real[1..])
        }
    }
}

/// Lines with `#` for every number that may be any, and two spaces between columns.
fn normal(lines: &[&str]) -> Vec<String> {
    let mut columns: Vec<bool> = Vec::new();
    let mut line = |line: &&str| {
        let cells: Vec<_> =
            line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        let are_free: Vec<_> = cells.iter().map(|cell| FREE_COLUMNS.contains(cell)).collect();
        if are_free.contains(&true) {
            columns = are_free;
        }
        let is_free = |index: usize| columns.get(index) == Some(&true);
        let cells = cells.iter().enumerate().map(|(index, cell)| match cell.parse::<f64>() {
            Ok(_) if is_free(index) => "#".to_owned(),
            _ => fields(cell),
        });
        cells.collect::<Vec<_>>().join("  ")
    };
    lines.iter().map(&mut line).collect()
}

/// A text with `#` for the numbers of free fields.
fn fields(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let name = FREE_FIELDS.iter().find(|name| word.starts_with(**name));
        let value = name.and_then(|name| word.strip_prefix(name)?.parse::<f64>().ok());
        name.filter(|_| value.is_some()).map_or(word.to_owned(), |name| format!("{name}#"))
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_page_is_short() {
    let lines = README.lines().count();
    assert!(lines <= MAX_MULTIPV, "README has {lines} lines, more than {MAX_MULTIPV}");
}

#[test]
fn every_example_prints_what_is_shown() {
    let place = Place::new();
    for Example { command, output } in examples() {
        let Some(script) = script(&command) else { continue };
        let printed = place.run(&script);
        assert!(
            output.is_empty() || agrees(&output, &printed),
            "{command}\nREADME shows:\n{}\nit prints:\n{printed}",
            output.join("\n")
        );
    }
}

#[test]
fn every_exception_is_an_example() {
    let examples = examples();
    let exceptions = NOT_RUN.iter().map(|(command, _)| command);
    for command in exceptions.chain(REPLACED.iter().map(|(command, _)| command)) {
        assert!(
            examples.iter().any(|example| example.command == *command),
            "not in README: {command}"
        );
    }
    for (command, parts) in REPLACED {
        for (from, _) in *parts {
            assert!(command.contains(from), "not in {command}: {from}");
        }
    }
}

#[test]
fn every_kind_of_example_is_found() {
    let examples = examples();
    let output = |command: &str| {
        let example = examples.iter().find(|example| example.command == command);
        example.unwrap_or_else(|| panic!("not found: {command}")).output.len()
    };
    assert_eq!(output("cargo test"), 0);
    assert_eq!(output("manoury data games --out sets"), 0);
    assert_eq!(output("manoury moves --fen W:W28,38,50:B22,23,33"), 1);
    assert!(examples.len() > 20, "{examples:?}");
}

#[test]
fn output_is_compared_by_its_rules() {
    let table = [" rank   time  line", "    1  0.257  43-39 14-20 ..."];
    for (shown, real, expected) in [
        (&["nodes=7 time=0.1 nps=70"][..], "nodes=7 time=12.5 nps=3\n", true),
        (&["nodes=7 time=0.1 nps=70"], "nodes=8 time=0.1 nps=70\n", false),
        (&["time=0.1"], "time=long\n", false),
        (&["28-46", "..."], "28-46\n28-6\n28-11\n", true),
        (&["28-46", "..."], "28-46\n", true),
        (&["...", "28-11"], "28-46\n28-6\n28-11\n", true),
        (&["...", "28-11"], "28-46\n", false),
        (&["28-46"], "28-46\n28-6\n", false),
        (&["28-46", "28-6"], "28-46\n", false),
        (&table, " rank  time  line\n    1   9.5  43-39 14-20 27-22\n", true),
        (&table, " rank  time  line\n    2   9.5  43-39 14-20 27-22\n", false),
        (&table, " rank  time  line\n    1   9.5  43-39 14-19 27-22\n", false),
        (&table, " rank  time  line\n    1   new  43-39 14-20 27-22\n", false),
    ] {
        assert_eq!(agrees(shown, real), expected, "{shown:?}, {real}");
    }
}

//! README and the help of every command: all examples run, and print what is shown.
//!
//! An example of README is a line behind `$` in a `text` block, with its output below it; a line of a
//! `sh` block; or a code span that begins with a program. Output is compared word by word, with two
//! exceptions: any number may stand in a column named `score`, `nodes`, `time` or `nodes/s`, and
//! ` ...` at the end of a line stands for any text.

#![cfg(unix)]

mod help;

use std::fs;
use std::os::unix::fs::symlink;
use std::time::Duration;

use assert_cmd::Command;

const README: &str = include_str!("../../README.md");

/// The maximum number of lines of README: it is a landing page.
const MAX_LINES: usize = 120;

/// The first words of code spans that are commands.
const PROGRAMS: &[&str] = &["manoury", "cargo", "printf", "python3", "pip", "git"];
/// Folders whose programs are commands too.
const FOLDERS: &[&str] = &[".ci/", "scripts/"];

/// The columns in which any number may stand.
const FREE_COLUMNS: &[&str] = &["score", "nodes", "time", "nodes/s"];

/// The time limit of a command.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Commands that are not run, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo test", "would run this test again"),
    ("cargo install --path .", "a build, and it installs a program"),
    ("cargo bench -p manoury-benches", "a build, and it takes minutes"),
    ("cargo doc --open", "a build, and it needs a browser; .ci/run builds the documentation"),
    (".ci/run", "runs the tests, and needs Python and the network"),
    ("scripts/release.sh DIR", "builds, and needs rustup with other targets"),
    ("pip install .", "a build, and it needs the network; scripts/wheel.sh installs a wheel"),
    ("scripts/wheel.sh DIR", "a build, and it needs the network"),
    ("scripts/web.sh DIR", "a build, and it needs rustup with another target; .ci/run runs it"),
    ("scripts/fuzz.sh SECONDS", "needs cargo-fuzz and a nightly Rust"),
    ("scripts/learn.sh VARIANT DIR", "takes minutes; its steps are the examples of the table"),
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
            "manoury dxp --listen 127.0.0.1:0 --games 1 --connect-timeout 20 2> dxp.txt & \
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
    // Trains for as long as pays.
    (
        "manoury train --data sets --out my.weights",
        &[("manoury train", "manoury train --epochs 2")],
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
    /// The expected lines; empty if README shows none.
    output: Vec<&'static str>,
}

/// All commands of README, in order, each once.
fn examples() -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut lines = README.lines();
    while let Some(line) = lines.next() {
        let new = match line.strip_prefix("```") {
            None => spans(line),
            Some(kind @ ("sh" | "text")) => {
                let block: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
                commands(&block, if kind == "sh" { "" } else { "$ " })
            }
            Some(kind) => panic!("unknown kind of block: {kind:?}"),
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

/// The commands in the code spans of a line.
fn spans(line: &str) -> Vec<Example> {
    assert!(line.matches('`').count().is_multiple_of(2), "a code span spans lines: {line}");
    let spans = line.split('`').skip(1).step_by(2).filter(|span| is_command(span));
    spans.map(|span| Example { command: span.to_owned(), output: Vec::new() }).collect()
}

fn is_command(span: &str) -> bool {
    let program = span.split(' ').next().unwrap_or_default();
    let is_script = FOLDERS.iter().any(|folder| program.starts_with(folder));
    PROGRAMS.contains(&program) || (is_script && !program.ends_with(".md"))
}

/// The commands of a block, each behind a prompt, with the lines that follow as their output. A
/// command ends at the first line that does not end with a backslash.
fn commands(block: &[&'static str], prompt: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for &line in block {
        match (examples.last_mut(), line.strip_prefix(prompt)) {
            (Some(Example { command, .. }), _) if command.ends_with('\\') => {
                *command = format!("{} {}", command.trim_end_matches(['\\', ' ']), line.trim());
            }
            (_, Some(command)) => {
                examples.push(Example { command: command.to_owned(), output: Vec::new() });
            }
            (Some(last), None) => last.output.push(line),
            (None, None) => panic!("a block must begin with a command: {line}"),
        }
    }
    examples
}

/// The script to run for a command; `None` if it is not run.
fn script(command: &str) -> Option<String> {
    if NOT_RUN.iter().any(|(known, _)| *known == command) {
        return None;
    }
    let replaced = REPLACED.iter().find(|(known, _)| *known == command);
    let parts = replaced.map_or(&[][..], |(_, parts)| parts);
    Some(parts.iter().fold(command.to_owned(), |script, (from, to)| script.replace(from, to)))
}

/// A folder to run examples in, with the program on the path and some games in `games.pdn`. It is also
/// the home of the user, who has no bitbases.
struct Workspace {
    folder: tempfile::TempDir,
}

impl Workspace {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("games.pdn"), include_str!("../data/games/plain_pdn3.pdn")).unwrap();
        for name in ["bin", ".local/share/bash-completion/completions", ".config/fish/completions"]
        {
            fs::create_dir_all(path(name)).unwrap();
        }
        symlink(env!("CARGO_BIN_EXE_manoury"), path("bin/manoury")).unwrap();
        Self { folder }
    }

    /// Runs a script, which must succeed. Returns its output.
    fn run(&self, script: &str, input: &str) -> String {
        let folder = self.folder.path();
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("sh")
            .args(["-c", script])
            .current_dir(folder)
            .env("PATH", format!("{}:{path}", folder.join("bin").display()))
            .env("HOME", folder)
            .env_remove("XDG_DATA_HOME")
            .env_remove("MANOURY_LOG")
            .write_stdin(input)
            .timeout(TIME_LIMIT)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{script}: {}\n{errors}", output.status);
        String::from_utf8(output.stdout).unwrap()
    }
}

/// Whether an output is as shown.
fn agrees(shown: &[&str], output: &str) -> bool {
    let mut is_free: Vec<bool> = Vec::new();
    let mut agrees = |shown: &str, real: &str| {
        let (shown, is_cut) = shown.strip_suffix(" ...").map_or((shown, false), |cut| (cut, true));
        let [shown, real] = [shown, real].map(|line| line.split_whitespace().collect::<Vec<_>>());
        if shown.iter().any(|word| FREE_COLUMNS.contains(word)) {
            is_free = shown.iter().map(|word| FREE_COLUMNS.contains(word)).collect();
        }
        let word_agrees = |(column, (shown, real)): (usize, (&&str, &&str))| {
            let is_number = |word: &str| word.parse::<f64>().is_ok();
            let is_free = is_free.get(column) == Some(&true) && is_number(shown);
            shown == real || (is_free && is_number(real))
        };
        let has_length = if is_cut { shown.len() <= real.len() } else { shown.len() == real.len() };
        has_length && shown.iter().zip(&real).enumerate().all(word_agrees)
    };
    shown.len() == output.lines().count()
        && shown.iter().zip(output.lines()).all(|(shown, real)| agrees(shown, real))
}

#[test]
fn readme_is_short() {
    let lines = README.lines().count();
    assert!(lines <= MAX_LINES, "README has {lines} lines, more than {MAX_LINES}");
}

#[test]
fn every_example_of_readme_prints_what_is_shown() {
    let workspace = Workspace::new();
    for Example { command, output } in examples() {
        let Some(script) = script(&command) else { continue };
        let printed = workspace.run(&script, "");
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
fn finds_every_kind_of_example() {
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
fn compares_output_word_by_word() {
    let table = [" rank   time  line", "    1  0.257  43-39 14-20 ..."];
    for (shown, real, expected) in [
        (&["28-46 win"][..], "28-46  win\n", true),
        (&["28-46"], "28-46\n28-6\n", false),
        (&["28-46"], "28-46 win\n", false),
        (&["28-46", "28-6"], "28-46\n", false),
        (&["7"], "8\n", false),
        (&table, " rank  time  line\n    1   9.5  43-39 14-20 27-22\n", true),
        (&table, " rank  time  line\n    2   9.5  43-39 14-20 27-22\n", false),
        (&table, " rank  time  line\n    1   9.5  43-39 14-19 27-22\n", false),
        (&table, " rank  time  line\n    1   new  43-39 14-20 27-22\n", false),
    ] {
        assert_eq!(agrees(shown, real), expected, "{shown:?}, {real}");
    }
}

//! The examples in the help of every command: all of them run.
//!
//! They run in one folder, which has some games and a home, each with exit code 0; `play` is told
//! to quit.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;

/// What an example begins with that is not run.
const NOT_RUN: &str = "manoury tune"; // takes hours

/// The time an example may take.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// The help of a command.
fn help(words: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_manoury")).args(words).arg("--help").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The names in the list of commands of a help.
fn commands(help: &str) -> Vec<&str> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names =
        list.take_while(|line| line.starts_with("  ")).filter(|line| !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").collect()
}

/// The examples in a help, each on a line or on several that end with a backslash.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| line.trim() != "Examples:").skip(1);
    let lines: Vec<_> = lines.take_while(|line| line.starts_with("  ")).map(str::trim).collect();
    lines.join("\n").replace("\\\n", "").lines().map(str::to_owned).collect()
}

/// Every command and subcommand.
fn all_commands(above: &[String]) -> Vec<Vec<String>> {
    let words: Vec<_> = above.iter().map(String::as_str).collect();
    let text = help(&words);
    let below = commands(&text).into_iter().flat_map(|name| {
        let mut command = above.to_vec();
        command.push(name.to_owned());
        all_commands(&command)
    });
    let below: Vec<_> = below.collect();
    [above.to_vec()].into_iter().chain(below).collect()
}

/// A folder with all that examples need.
fn prepare(folder: &Path) {
    symlink(env!("CARGO_BIN_EXE_manoury"), folder.join("manoury")).unwrap();
    let games = include_str!("../data/games/plain_pdn3.pdn");
    fs::write(folder.join("games.pdn"), games).unwrap();
    for part in [".local/share/bash-completion/completions", ".config/fish/completions"] {
        fs::create_dir_all(folder.join(part)).unwrap();
    }
}

#[test]
fn every_example_runs() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let mut count = 0;
    for command in all_commands(&[]) {
        let words: Vec<_> = command.iter().map(String::as_str).collect();
        let command = words.join(" ");
        for example in examples(&help(&words)) {
            count += 1;
            if example.starts_with(NOT_RUN) {
                continue;
            }
            assert!(example.starts_with("manoury "), "{command}: {example}");
            Command::new("sh")
                .args(["-c", &example])
                .current_dir(folder.path())
                .env("PATH", &path)
                .env("HOME", folder.path())
                .write_stdin("quit\n")
                .timeout(TIME_LIMIT)
                .assert()
                .code(0);
        }
    }
    assert!(count >= 10, "{count}");
}

//! The examples in the help of every command.

use super::{Workspace, script};

/// The prefixes of examples that are not run: a tuning takes hours, and a connection needs a program
/// that listens.
const NOT_RUN: &[&str] = &["manoury tune", "manoury dxp --connect"];

/// What is replaced in an example: a review searches each of 80 positions for 0.2 seconds on all
/// cores.
const REPLACED: (&str, &str) =
    ("analyze games.pdn --game 1", "analyze games.pdn --game 1 --nodes 2000");

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

/// Whether an example runs in a test.
fn is_run(example: &str) -> bool {
    NOT_RUN.iter().all(|prefix| !example.starts_with(prefix))
}

/// Runs the examples of a command and of those below it, those that are also in README with the same
/// replacements. Returns their number.
fn run_all(workspace: &Workspace, command: &str) -> usize {
    let help = workspace.run(&format!("{command} --help"), "");
    let examples = examples(&help);
    for example in examples.iter().filter(|example| is_run(example)) {
        assert!(example.starts_with("manoury "), "{command}: {example}");
        let Some(script) = script(example) else { continue };
        let script = script.replace(REPLACED.0, REPLACED.1);
        // For `play` and `hub`.
        workspace.run(&script, "quit\n");
    }
    let below = commands(&help);
    let has_example = !examples.is_empty() || !below.is_empty();
    assert!(has_example, "{command} has no example");
    let below = below.into_iter();
    examples.len()
        + below.map(|name| run_all(workspace, &format!("{command} {name}"))).sum::<usize>()
}

#[test]
fn every_example_in_help_runs() {
    let count = run_all(&Workspace::new(), "manoury");
    assert!(count >= 10, "{count}");
}

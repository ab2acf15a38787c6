//! The examples in the help of every command.

use super::Workspace;

/// The prefix of examples that are not run: a tuning takes hours.
const NOT_RUN: &str = "manoury tune";

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

/// Runs the examples of a command and of those below it. Returns their number.
fn run_all(workspace: &Workspace, command: &str) -> usize {
    let help = workspace.run(&format!("{command} --help"), "");
    let examples = examples(&help);
    for example in examples.iter().filter(|example| !example.starts_with(NOT_RUN)) {
        assert!(example.starts_with("manoury "), "{command}: {example}");
        // For `play`.
        workspace.run(example, "quit\n");
    }
    let below = commands(&help).into_iter();
    examples.len()
        + below.map(|name| run_all(workspace, &format!("{command} {name}"))).sum::<usize>()
}

#[test]
fn every_example_in_help_runs() {
    let count = run_all(&Workspace::new(), "manoury");
    assert!(count >= 10, "{count}");
}

//! The command line: the output, exit codes and errors of each command.

use std::process::Output;

use assert_cmd::Command;
use manoury::rules::Variant;
use serde_json::Value;

/// Runs the program with arguments and input.
pub(crate) fn run(arguments: &str, input: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_manoury"))
        .args(arguments.split_whitespace())
        .write_stdin(input)
        .output()
        .unwrap()
}

/// The output of the program, which must succeed without a message.
pub(crate) fn print(arguments: &str, input: &str) -> String {
    let output = run(arguments, input);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors, "", "{arguments}");
    assert_eq!(output.status.code(), Some(0), "{arguments}");
    String::from_utf8(output.stdout).unwrap()
}

/// The message of the program, which must end with exit code 2.
fn refusal(arguments: &str, input: &str) -> String {
    let output = run(arguments, input);
    assert_eq!(output.status.code(), Some(2), "{arguments}");
    String::from_utf8(output.stderr).unwrap()
}

fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

/// The fields of `nodes=N time=S nps=R`.
fn speed(line: &str) -> (u64, f64, u64) {
    let fields: Vec<_> = line.split(' ').map(|field| field.split_once('=').unwrap()).collect();
    let [("nodes", nodes), ("time", time), ("nps", nps)] = fields[..] else {
        panic!("{line}");
    };
    (nodes.parse().unwrap(), time.parse().unwrap(), nps.parse().unwrap())
}

#[test]
fn help_is_on_standard_output() {
    for arguments in ["--help", "help perft", "moves --help", "bench -h", "--version"] {
        assert!(!print(arguments, "").is_empty());
    }
    assert!(print("--help", "").contains("perft"));
}

#[test]
fn hub_is_the_default() {
    for arguments in ["", "hub"] {
        let output = print(arguments, "hub\nquit\n");
        assert!(output.starts_with("id name=Manoury "), "{output}");
        assert!(output.ends_with("\nwait\n"), "{output}");
    }
}

#[test]
fn moves_are_sorted_as_numbers() {
    assert_eq!(
        print("moves", ""),
        "31-26\n31-27\n32-27\n32-28\n33-28\n33-29\n34-29\n34-30\n35-30\n"
    );
    assert_eq!(print("moves --fen B:W46:B5,14", ""), "5-10\n14-19\n14-20\n");
    assert_eq!(print("moves --fen W:W28:B23", ""), "28x19\n");
}

#[test]
fn a_finished_game_has_no_moves() {
    assert_eq!(print("moves --fen W:W46:B37,41", ""), "");
}

#[test]
fn moves_of_every_variant() {
    for (variant, first) in [
        ("normal", "31-26"),
        ("standard", "31-26"),
        ("breakthrough", "31-26"),
        ("antidraughts", "31-26"),
        ("Frysk", "46-41"),
        ("russian", "a3-b4"),
        ("canadian", "43-37"),
        ("turkish", "a3-a4"),
    ] {
        let output = print(&format!("moves --variant {variant}"), "");
        assert_eq!(output.lines().next(), Some(first), "{variant}");
    }
}

#[test]
fn moves_of_many_positions() {
    let input = "W:W28:B23\nW:W46:B37,41\r\nW:W32:B22";
    assert_eq!(print("moves --fen -", input), "28x19\n\n32-27 32-28\n");
    let start = "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww\n";
    let output = print("moves --variant russian --pos -", &start.repeat(3));
    assert_eq!(output.lines().count(), 3);
    assert!(output.lines().all(|line| line.starts_with("a3-b4 ")));
    assert_eq!(print("moves --fen -", ""), "");
    // Blank lines are skipped, and counted.
    assert_eq!(print("moves --fen -", "\nW:W28:B23\n \t\r\nW:W32:B22\n\n"), "28x19\n32-27 32-28\n");
    assert!(refusal("moves --fen -", "\n\nW\n").contains("standard input, line 3, column 2"));
}

#[test]
fn moves_as_json() {
    let listing = json(&print("moves --json --fen W:W28:B23", ""));
    assert_eq!(listing["variant"], "international");
    assert_eq!(listing["fen"], "W:W28:B23");
    let expected = r#"[{"move": "28x19x23", "from": 28, "to": 19, "captured": [23]}]"#;
    assert_eq!(listing["moves"], json(expected));
    let output = print("moves --json --fen -", "W:W28:B23\nW:W46:B37,41\n");
    assert_eq!(output.lines().count(), 2);
    assert_eq!(json(output.lines().nth(1).unwrap())["moves"], json("[]"));
}

#[test]
fn perft_ends_with_its_speed() {
    let output = print("perft --depth 6", "");
    let (nodes, time, _) = speed(output.trim_end());
    assert_eq!(nodes, 167_140);
    assert!(time < 60.0);
    assert_eq!(speed(print("perft --depth 0", "").trim_end()).0, 1);
    assert_eq!(speed(print("perft --depth 3 --fen W:W46:B37,41", "").trim_end()).0, 0);
    let canadian = "perft --depth 3 --variant canadian --threads 1";
    assert_eq!(speed(print(canadian, "").trim_end()).0, 1_222);
}

#[test]
fn perft_has_limits() {
    let two_kings = "--fen W:WK46:B6 --tt-size 16";
    let leaves = print(&format!("perft --depth 24 {two_kings}"), "");
    assert!(leaves.starts_with("nodes=384828818873439962 "), "{leaves}");
    for divide in ["", "--divide"] {
        let message = refusal(&format!("perft --depth 26 {two_kings} {divide}"), "");
        assert!(
            message.contains("too many leaves to count at depth 26; use a smaller"),
            "{message}"
        );
    }
    let message = refusal(&format!("perft --depth 101 {two_kings}"), "");
    assert!(message.contains("--depth must be at most 100, not 101"), "{message}");
    let deepest = refusal("perft --depth 100 --fen W:WK46:B6 --tt-size 20", "");
    assert!(deepest.contains("at depth 100"), "{deepest}");
}

#[test]
fn perft_divides() {
    let output = print("perft --depth 5 --divide", "");
    let (branches, last) = output.trim_end().rsplit_once('\n').unwrap();
    let counts: Vec<(&str, u64)> = branches
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .map(|(mv, nodes)| (mv, nodes.parse().unwrap()))
        .collect();
    assert_eq!(counts.len(), 9);
    assert_eq!(counts[0].0, "31-26");
    let sum: u64 = counts.iter().map(|(_, nodes)| nodes).sum();
    assert_eq!(speed(last).0, sum);
    assert_eq!(sum, 27_117);
}

#[test]
fn perft_of_many_positions_as_json() {
    let output = print("perft --depth 2 --json --divide --fen -", "W:W31-50:B1-20\nW:W28:B23\n");
    let lines: Vec<_> = output.lines().map(json).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["depth"], 2);
    assert_eq!(lines[0]["nodes"], 81);
    assert!(lines[0]["time"].is_number() && lines[0]["nps"].is_u64());
    assert_eq!(lines[0]["divide"][0], json(r#"{"move": "31-26", "nodes": 9}"#));
    assert_eq!(lines[1]["nodes"], 0);
    let plain = json(&print("perft --depth 2 --json", ""));
    assert!(plain.get("divide").is_none());
}

#[test]
fn bench_counts_the_same_nodes_every_time() {
    let counts = [
        speed(print("bench --depth 5", "").trim_end()).0,
        json(&print("bench --depth 5 --json", ""))["nodes"].as_u64().unwrap(),
    ];
    assert!(counts[0] > 1000);
    assert_eq!(counts[0], counts[1]);
    assert!(speed(print("bench --depth 6", "").trim_end()).0 > counts[0]);
}

/// The node counts are the same on every machine. A change of the search or the evaluation changes
/// them, and the new ones must be recorded; any other change must leave them alone. The file has a
/// line for each game: its name, a depth, and the nodes.
#[test]
fn bench_has_the_recorded_nodes() {
    let recorded = std::fs::read_to_string("tests/data/bench_nodes.txt").unwrap();
    let now: String = recorded
        .lines()
        .map(|line| {
            let mut words = line.split(' ');
            let (variant, depth) = (words.next().unwrap(), words.next().unwrap());
            let bench = print(&format!("bench --variant {variant} --depth {depth}"), "");
            format!("{variant} {depth} {}\n", speed(bench.trim_end()).0)
        })
        .collect();
    assert_eq!(now, recorded, "tests/data/bench_nodes.txt is out of date");
    assert_eq!(now.lines().count(), Variant::ALL.len());
}

#[test]
fn faulty_positions_are_explained() {
    let message = refusal("moves --fen W:W31,99:B1", "");
    assert!(message.contains("--fen, column 7"), "{message}");
    assert!(message.contains("W:W31-50:B1-20"), "{message}");
    let message = refusal("perft --depth 1 --pos Wbb", "");
    assert!(message.contains("--pos, column"), "{message}");
    let message = refusal("moves --fen -", "W:W28:B23\nW\nW:W28:B23\n");
    assert!(message.contains("standard input, line 2"), "{message}");
    let message = refusal("moves --fen B:W46:B5,14 --variant russian", "");
    assert!(message.contains("russian"), "{message}");
}

#[test]
fn answers_lines_before_a_faulty_one() {
    let output = run("moves --fen -", "W:W28:B23\nnonsense\n");
    assert_eq!(output.stdout, b"28x19\n");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn rejects_input_that_is_not_text() {
    let output = Command::new(env!("CARGO_BIN_EXE_manoury"))
        .args(["moves", "--fen", "-"])
        .write_stdin(b"\xff\xfe\n".to_vec())
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("standard input, line 1"), "{message}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn rejects_bad_usage() {
    for arguments in [
        "bogus",
        "perft",
        "perft --depth x",
        "perft --depth 1 --threads 0",
        "perft --depth 1 --divide --fen -",
        "moves --variant chess",
        "moves --fen W:W28:B23 --pos W",
        "bench --depth 0",
        "hub now",
    ] {
        let message = refusal(arguments, "");
        assert!(message.starts_with("error: "), "{arguments}: {message}");
    }
    let message = refusal("moves --variant chess", "");
    assert!(message.contains("international, killer"), "{message}");
}

/// Standard output on a full disk, then standard error as well.
#[cfg(target_os = "linux")]
#[test]
fn failed_output_has_exit_code_3() {
    let full = || std::fs::File::create("/dev/full").unwrap();
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        "moves",
        "moves --json",
        "perft --depth 2",
        "perft --depth 2 --divide",
        "bench --depth 1",
        "analyze --depth 1 --tt-size 16",
        "analyze --depth 1 --tt-size 16 --json",
        "bitbase probe --fen W:WK1:BK2",
        "bitbase stats 1001",
        "bitbase longest 1001",
        "bitbase info",
        "bitbase generate --pieces 2 --bitbases bitbases",
        "selfplay --games 1 --nodes 10 --out games",
        "data games",
        "hub",
    ] {
        for errors in [std::process::Stdio::null(), full().into()] {
            let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_manoury"))
                .args(arguments.split(' '))
                .current_dir(folder.path())
                .stdin(std::process::Stdio::piped())
                .stdout(full())
                .stderr(errors)
                .spawn()
                .unwrap();
            // A command that does not read its input may already have ended.
            let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"hub\n");
            assert_eq!(child.wait().unwrap().code(), Some(3), "{arguments}");
        }
    }
}

#[test]
fn a_closed_output_is_no_error() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_manoury"))
        .args(["moves", "--fen", "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let input = "W:W31-50:B1-20\n".repeat(1000);
    // The program may end before it has read everything.
    let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stderr, b"");
}

#[test]
fn accepts_start_in_hub_notation() {
    assert_eq!(print("moves --pos start -v killer", ""), print("moves -v killer", ""));
}

#[test]
fn explains_faulty_numbers() {
    for (arguments, wanted) in [
        ("perft -d x", "expected a whole number"),
        ("perft --depth -1", "expected a whole number of at least 0"),
        ("play --seed -1", "the number must not be negative"),
        ("perft --depth 99999999999", "the number is too large"),
        ("analyze -d 0", "expected a whole number of at least 1"),
        ("analyze --multipv 200", "expected a whole number from 1 to 128"),
        ("bench -d 0 --threads -3", "expected a whole number"),
        ("match --engine a --engine b --move-time fast", "expected a number, such as 0.5"),
    ] {
        let message = refusal(arguments, "");
        assert!(message.contains(wanted), "{arguments}: {message}");
        assert!(message.starts_with("error: invalid value '"), "{arguments}: {message}");
    }
}

/// Nothing is printed, since the work has not begun.
#[test]
fn output_files_are_checked_before_the_work() {
    let games = "tests/data/games/clocks.pdn";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("missing").join("out");
    let file = file.display();
    let system = std::fs::File::create(file.to_string()).unwrap_err();
    for arguments in [
        &format!("analyze {games} --nodes 50 --report {file}"),
        &format!("analyze {games} --nodes 50 --annotate {file}"),
        &format!("analyze {games} --nodes 50 --shots {file}"),
        &format!("solve --fen W:WK28:BK5 --pdn {file}"),
        &format!("match --engine no-engine --engine no-engine --nodes 9 --report {file}"),
        &format!("bench --depth 1 --rounds 1 --threads 1,2 --svg {file}"),
        &format!("openings --count 1 --out {file}"),
        &format!("play --pdn {file}"),
        &format!("dxp --connect 127.0.0.1:1 --connect-timeout 1 --pdn {file}"),
        &format!("train --data no-data --out {file}"),
        &format!("tune --engine no-engine --param no --nodes 9 --steps 1 --svg {file}"),
    ] {
        let output = run(arguments, "");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(errors, format!("error: {file}: {system}\n"), "{arguments}");
        assert_eq!(output.status.code(), Some(3), "{arguments}");
        assert!(output.stdout.is_empty(), "{arguments}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A folder that does not exist, one without bitbases of the variant, and a damaged file.
#[test]
fn unusable_bitbases_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let [missing, other, damaged] =
        ["missing", "other", "damaged"].map(|name| folder.path().join(name));
    run(&format!("bitbase generate --pieces 2 --bitbases {}", damaged.display()), "");
    let variant = damaged.join("international");
    for file in std::fs::read_dir(&variant).unwrap() {
        std::fs::write(file.unwrap().path(), "short").unwrap();
    }
    std::fs::create_dir_all(other.join("frisian")).unwrap();
    for (folder, what) in [
        (&missing, "missing/international: no such folder"),
        (&other, "other/international: no such folder"),
        (&damaged, "damaged/international/"),
    ] {
        for command in [
            "analyze --depth 1",
            "analyze tests/data/games/clocks.pdn --nodes 50",
            "analyze tests/data/games/clocks.pdn --ply 3 --depth 1",
            "play",
            "dxp --connect 127.0.0.1:1 --patience 1",
            "eval",
            "solve --fen W:WK28:BK5",
        ] {
            let arguments = format!("{command} --bitbases {}", folder.display());
            let output = run(&arguments, "quit\n");
            let errors = String::from_utf8(output.stderr).unwrap().replace('\\', "/");
            assert!(errors.contains(what), "{arguments}: {errors}");
            assert_eq!(output.status.code(), Some(3), "{arguments}");
        }
        print(&format!("analyze --depth 1 --bb-size 0 --bitbases {}", folder.display()), "");
    }
}

#[test]
fn shells_complete_the_command_line() {
    for shell in ["bash", "zsh", "fish"] {
        let text = print(&format!("completions {shell}"), "");
        assert!(text.contains("manoury") && text.contains("analyze"), "{shell}");
        assert!(text.contains("multipv"), "{shell}");
    }
    assert!(refusal("completions tcsh", "").contains("bash"));
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    print(&format!("man {}", pages.display()), "");
    for name in ["manoury", "manoury-analyze", "manoury-bitbase-probe"] {
        let page = std::fs::read_to_string(pages.join(name).with_extension("1")).unwrap();
        assert!(page.contains(".TH") && page.contains("SYNOPSIS"), "{name}");
    }
}

/// Ctrl-C ends a computation with a message.
#[cfg(unix)]
#[test]
fn reports_an_interrupt() {
    use std::io::Read;
    use std::process::{Command, Stdio};

    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    for arguments in ["perft --depth 30", "bench --depth 60"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_manoury"))
            .args(arguments.split_whitespace())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Long enough to be past its start.
        std::thread::sleep(std::time::Duration::from_secs(1));
        kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
        let code = child.wait().unwrap().code();
        let mut text = String::new();
        child.stderr.unwrap().read_to_string(&mut text).unwrap();
        assert_eq!((code, text.as_str()), (Some(1), "interrupted\n"), "{arguments}");
    }
}

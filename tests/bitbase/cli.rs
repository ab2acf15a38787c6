//! `manoury bitbase`: output, exit codes and errors.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

fn run(folder: &Path, arguments: &str, input: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_manoury"))
        .arg("bitbase")
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .write_stdin(input)
        .output()
        .unwrap()
}

fn print(folder: &Path, arguments: &str, input: &str) -> String {
    let output = run(folder, arguments, input);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The exit code and the message of a failing command.
fn failure(folder: &Path, arguments: &str) -> (i32, String) {
    let output = run(folder, arguments, "");
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

#[test]
fn probes_bitbases_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let probe = |arguments, input| print(folder.path(), arguments, input);
    let page = probe("probe --fen W:WK28:BK5", "");
    let start =
        "win in 3 plies, before a draw by the rules\n28-46 5-10 46x5\n 28-46  win in 3 plies\n";
    assert!(page.starts_with(start), "{page}");
    assert!(page.ends_with("\n 28-41  loss in 2 plies\n"), "{page}");
    let answer = json(&probe("probe --json --fen W:W45:BK1", ""));
    assert_eq!(answer["variant"], "international");
    assert_eq!(answer["fen"], "W:W45:BK1");
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 1);
    assert_eq!(moves[0]["move"], "45-40");
    for field in ["value", "plies"] {
        assert_eq!(moves[0][field], answer[field], "an only move ends as its position");
    }
    assert_eq!((&answer["value"], &answer["plies"]), (&"loss".into(), &2.into()));
    let unknown = json(&probe("probe --json", ""));
    assert_eq!(unknown["value"], Value::Null);
    assert_eq!(unknown["moves"].as_array().unwrap().len(), 9);
    let lines = probe("probe --fen -", "W:W45:BK1\nW:W31-50:B1-20\nW:W46:B37,41\n");
    let lines: Vec<_> = lines.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[1].starts_with("unknown, 31-26 unknown, 31-27 unknown, "), "{}", lines[1]);
    assert_eq!(lines[2], "loss in 0 plies", "nothing can move");
}

#[test]
fn generates_lists_counts_and_verifies() {
    let folder = tempfile::tempdir().unwrap();
    let print = |arguments| print(folder.path(), arguments, "");
    let made = print("generate --pieces 3 --bitbases bb --variant english --threads 2 --distances");
    assert!(made.starts_with("slices=16 positions=199520 bytes="), "{made}");
    assert_eq!(fs::read_dir(folder.path().join("bb/english")).unwrap().count(), 32);
    let info = print("info --bitbases bb --variant english");
    assert_eq!(info.lines().count(), 4, "those of four pieces are in the program: {info}");
    let shelf = json(print("info --json --bitbases bb --variant english").lines().nth(1).unwrap());
    assert_eq!(
        (&shelf["pieces"], &shelf["slices"], &shelf["of"]),
        (&3.into(), &12.into(), &12.into())
    );

    let statistics = json(&print("stats 0021 --json --bitbases bb --variant english"));
    let count = |kind: &str| -> u64 {
        ["win", "draw", "loss"].iter().map(|value| statistics[kind][value].as_u64().unwrap()).sum()
    };
    assert_eq!(Value::from(count("quiet") + count("capture")), statistics["positions"]);
    assert_eq!(print("stats 0021 0012 --bitbases bb --variant english").lines().count(), 3);

    let counted = print("stats 0021 --distances --json --bitbases bb --variant english");
    let counted = json(&counted);
    let rows = counted["distances"].as_array().unwrap();
    let sum = |kind: &str, value: &str| -> u64 {
        let of_value = rows.iter().filter(|row| row["value"] == value);
        of_value.map(|row| row[kind].as_u64().unwrap()).sum()
    };
    for (kind, value) in [("quiet", "win"), ("capture", "loss"), ("quiet", "draw")] {
        assert_eq!(Value::from(sum(kind, value)), statistics[kind][value], "{kind} {value}");
    }
    let longest =
        json(print("longest 0021 --json --bitbases bb --variant english").lines().next().unwrap());
    let most =
        rows.iter().filter_map(|row| row["plies"].as_u64().filter(|_| row["value"] == "win"));
    assert_eq!((&longest["value"], longest["plies"].as_u64()), (&"win".into(), most.max()));

    let verified = print("verify --bitbases bb --variant english");
    assert!(verified.ends_with(" faults=0\n"), "{verified}");
    let file = folder.path().join("bb/english/0021.bitbase");
    let mut bytes = fs::read(&file).unwrap();
    let last = bytes.len() - 10;
    bytes[last] ^= 1;
    fs::write(&file, bytes).unwrap();
    let output = run(folder.path(), "verify --bitbases bb --variant english", "");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("0021.bitbase") && text.contains("checksum"), "{text}");

    // Files that cannot be opened do not keep the others from being checked.
    let short = ["0011.bitbase", "0012.bitbase", "0012.distances"];
    let short = short.map(|name| folder.path().join("bb/english").join(name));
    let whole = short.each_ref().map(|file| fs::read(file).unwrap());
    short
        .iter()
        .zip(&whole)
        .for_each(|(file, bytes)| fs::write(file, &bytes[..bytes.len() - 7]).unwrap());
    let output = run(folder.path(), "verify --bitbases bb --variant english", "");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(1), 4), "{text}");
    let last = |text: &str| text.lines().last().unwrap().split(' ').next().unwrap().to_owned();
    assert_eq!(last(&text), last(&verified), "{text}");
    assert!(text.contains(" bytes long, expected ") && text.ends_with(" faults=3\n"), "{text}");
    let output = run(folder.path(), "verify --bitbases bb --variant english --json", "");
    let text = String::from_utf8(output.stdout).unwrap();
    let first = json(text.lines().next().unwrap());
    assert_eq!((&first["slice"], &first["checksum"]), (&"0011".into(), &Value::Null));
    short.iter().zip(&whole).for_each(|(file, bytes)| fs::write(file, bytes).unwrap());
    let (code, message) =
        failure(folder.path(), "generate --pieces 3 --bitbases bb --variant english");
    assert_eq!(code, 3);
    assert!(message.contains("0021.bitbase: corrupt: checksum"), "{message}");
}

#[test]
fn rejects_senseless_arguments() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, code, told) in [
        ("generate --pieces 8 --bitbases bb", 2, "8"),
        ("generate --pieces 4", 2, "--bitbases"),
        ("generate --pieces 7 --variant canadian --bitbases bb", 2, "the machine has"),
        ("generate --slice 12345 --bitbases bb", 2, "four digits"),
        ("generate --slice 0021 --pieces 3 --bitbases bb", 2, "--pieces"),
        ("generate --slice 0021 --distances --bitbases bb", 2, "--distances"),
        ("generate --bitbases bb", 2, "--pieces"),
        (
            "generate --slice 0021 --bitbases bb",
            2,
            "bb/international: no file for 0011, to which the given slices lead; generate it first, \
             with --slice 0011 or --pieces 2",
        ),
        ("plan --pieces 4 --hq job.toml", 2, "--bitbases"),
        ("plan --pieces 8", 2, "8"),
        ("plan --pieces 4 --threads 0", 2, "--threads"),
        ("plan --pieces 4 --bitbases bb --hq nowhere/job.toml", 3, "nowhere/job.toml"),
        ("stats 12345", 2, "four digits"),
        ("stats 0050", 2, "0050"),
        ("stats 0221", 2, "manoury bitbase info"),
        ("stats", 2, "SLICE"),
        ("probe --fen W:W1:B2", 2, "--fen"),
        ("probe --bitbases nowhere", 3, "nowhere"),
        ("info --variant chess", 2, "chess"),
    ] {
        let (found, message) = failure(folder.path(), arguments);
        assert_eq!(found, code, "{arguments}: {message}");
        assert!(message.contains(told), "{arguments}: {message}");
    }
}

#[test]
fn a_plan_is_a_job_file_for_hyperqueue() {
    let folder = tempfile::tempdir().unwrap();
    let print = |arguments: &str| print(folder.path(), arguments, "");
    let estimate =
        print("plan --pieces 4 --variant russian --bitbases bb --threads 2 --hq job.toml");
    assert!(estimate.starts_with("tasks=15 positions=6408836 "), "{estimate}");
    let job = fs::read_to_string(folder.path().join("job.toml")).unwrap();
    let tasks: Vec<_> = job.split("[[task]]").collect();
    let [head, first, .., last] = &tasks[..] else { panic!("{job}") };
    assert_eq!(*head, "name = \"bitbases-russian-4\"\n\n");
    let slices = r#""--threads","2","--slice","0011","--slice","0110","#;
    assert!(first.contains(slices), "{first}");
    assert!(first.contains("\nid = 0\n") && first.contains("\ndeps = []\n"), "{first}");
    assert!(first.contains("resources = { \"cpus\" = 2, \"mem\" = 1024 }"), "{first}");
    assert!(last.contains("bb/russian/tables\"]\ndeps = [0,1,2,"), "{last}");
    assert_eq!(tasks.len(), 17);
    // A job that runs on more cores takes less time, but never less than its longest chain.
    let seconds = |arguments: &str, name: &str| {
        let estimate = print(arguments);
        let value = estimate.split([' ', '\n']).find_map(|word| word.strip_prefix(name)).unwrap();
        value.parse::<u64>().unwrap()
    };
    let [few, many] = ["plan --pieces 7 --cores 2", "plan --pieces 7 --cores 1000000"]
        .map(|arguments| seconds(arguments, "time="));
    assert!(few > many, "{few} {many}");
    assert_eq!(many, seconds("plan --pieces 7", "path="));
}

/// Ctrl-C ends the work and keeps the finished files.
#[cfg(unix)]
#[test]
fn work_can_be_interrupted() {
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::Duration;

    let folder = tempfile::tempdir().unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_manoury"))
        .args(["bitbase", "generate", "--pieces", "5", "--bitbases", "bb"])
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let first = folder.path().join("bb/international/0012.bitbase");
    while !first.exists() {
        thread::sleep(Duration::from_millis(10));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("the same command resumes"), "{message}");
    assert!(print(folder.path(), "verify --bitbases bb", "").ends_with(" faults=0\n"));
}

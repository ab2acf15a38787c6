//! Bitbases made by HyperQueue.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::bitbase::files::contents;
use crate::external::python_with_hyperqueue;

fn manoury(folder: &Path, arguments: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_manoury"));
    let command = command.args(arguments.split(' ')).current_dir(folder);
    assert!(command.status().unwrap().success(), "{arguments}");
}

/// Submits a job file to two workers, or only prints its tasks. Returns the exit code and the output.
fn submit(python: &str, folder: &Path, file: &str, options: &[&str]) -> (Option<i32>, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/cluster/submit.py");
    let mut command = Command::new(python);
    let command = command.arg(script).arg(file).args(options).current_dir(folder);
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[test]
#[ignore = "needs HyperQueue"]
fn two_workers_make_the_same_files_as_one_process() {
    let python = python_with_hyperqueue();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    manoury(folder, "bitbase plan --variant russian --pieces 4 --bitbases parts --hq job.toml");
    let (code, tasks) = submit(&python, folder, "job.toml", &["--dry-run"]);
    assert_eq!((code, tasks.lines().count()), (Some(0), 16), "{tasks}");
    let (code, said) = submit(&python, folder, "job.toml", &["--local", "2"]);
    assert_eq!(code, Some(0), "{said}");
    let whole = "bitbase generate --variant russian --pieces 4 --bitbases whole --threads 2";
    manoury(folder, whole);
    let of = |name: &str| contents(&folder.join(name).join("russian"));
    assert_eq!(of("whole").len(), 41);
    assert!(of("parts") == of("whole"));
}

#[test]
#[ignore = "needs HyperQueue"]
fn reports_failures() {
    let python = python_with_hyperqueue();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let try_with = |text: &str, options: &[&str]| {
        fs::write(folder.join("job.toml"), text).unwrap();
        submit(&python, folder, "job.toml", options)
    };
    let fails = "[[task]]\ncommand = ['sh', '-c', 'echo it hurts >&2; exit 3']";
    for (text, options, code, told) in [
        (fails, &["--local", "1"][..], 1, "it hurts"),
        ("[[task]]\ncommand = 'x", &["--local", "1"], 2, "job.toml"),
        ("[[task]]\ncomand = ['x']", &["--local", "1"], 2, "comand"),
        ("[[task]]\ncommand = ['x']\ndeps = [7]", &["--local", "1"], 2, "7"),
        ("name = 'nothing'", &["--local", "1"], 2, "no tasks"),
        ("[[task]]\ncommand = ['x']", &["--server-dir", "nowhere"], 3, "nowhere"),
    ] {
        let (found, said) = try_with(text, options);
        assert!(found == Some(code) && said.contains(told), "{text}: {found:?} {said}");
    }
}

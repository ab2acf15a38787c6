//! Long-running work that is killed repeatedly has the same result as undisturbed work.
//!
//! `.ci/run` tries a few kills of each command. For many:
//!
//! ```text
//! MANOURY_KILLS=1000 cargo test --release --test main kills:: -- --ignored
//! ```

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read, Seek};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

/// The maximum time until a run is killed: some runs have just begun, others have written several
/// times.
const LONGEST_RUN: Duration = Duration::from_millis(1500);

/// The maximum time for undisturbed work.
const PATIENCE: Duration = Duration::from_secs(3600);

fn kills() -> usize {
    std::env::var("MANOURY_KILLS").map_or(5, |number| number.parse().unwrap())
}

/// Starts `manoury`; its standard error goes to a file.
fn start(arguments: &[String], said: &File) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_manoury"));
    let said = said.try_clone().unwrap();
    command.args(arguments).stdout(Stdio::null()).stderr(said).spawn().unwrap()
}

/// Waits up to `patience`. Returns the exit code if the process has ended.
fn wait(child: &mut Child, patience: Duration) -> Option<i32> {
    let end = Instant::now() + patience;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status.code().expect("an exit code"));
        }
        if Instant::now() >= end {
            return None;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Does pieces of work twice, once undisturbed and once killed repeatedly, until there have been
/// enough kills. `work` gets the number of the piece and the folder.
fn check<T: PartialEq>(work: impl Fn(usize, &Path) -> Vec<String>, result: impl Fn(&Path) -> T) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut number, mut left) = (0, kills());
    while left > 0 {
        number += 1;
        let (killed, calm) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        while !is_done(&work(number, killed.path()), left, &mut random) {
            left -= 1;
        }
        assert!(is_done(&work(number, calm.path()), 0, &mut random));
        assert!(result(killed.path()) == result(calm.path()), "piece {number} has another result");
    }
    println!("pieces of work: {number}");
}

/// Runs the work for a while, or to its end if no kills are `left`. Returns whether it has come to
/// its end.
fn is_done(arguments: &[String], left: usize, random: &mut Xoshiro256PlusPlus) -> bool {
    let mut said = tempfile::tempfile().unwrap();
    let mut child = start(arguments, &said);
    let patience = if left > 0 { LONGEST_RUN.mul_f64(random.random()) } else { PATIENCE };
    let code = wait(&mut child, patience);
    if code.is_none() {
        assert!(left > 0, "it does not end: {arguments:?}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let mut words = String::new();
    said.rewind().unwrap();
    said.read_to_string(&mut words).unwrap();
    assert_eq!(code.unwrap_or(0), 0, "{arguments:?}: {words}");
    code.is_some()
}

fn words(text: &str, more: &[&str]) -> Vec<String> {
    text.split(' ').chain(more.iter().copied()).map(str::to_owned).collect()
}

/// The bytes of all files in a folder, by name.
fn files(folder: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    files.map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap())).collect()
}

#[test]
#[ignore = "slow: repeats work"]
fn selfplay_resumes_after_kills() {
    let work = |number: usize, folder: &Path| {
        let (seed, out) = (number.to_string(), folder.join("games"));
        let more = ["--seed", &seed, "--out", out.to_str().unwrap()];
        words("selfplay --games 1100 --nodes 10 --threads 2", &more)
    };
    check(work, |folder| files(&folder.join("games")));
}

#[test]
#[ignore = "slow: repeats work"]
fn matches_resume_after_kills() {
    let work = |number: usize, folder: &Path| {
        let (seed, log) = (number.to_string(), folder.join("log"));
        let engine =
            format!("{},param.tt-size=16,param.book=false,name=", env!("CARGO_BIN_EXE_manoury"));
        let engines = ["One", "Two"].map(|name| format!("{engine}{name}"));
        let more = [
            "--seed",
            &seed,
            "--log",
            log.to_str().unwrap(),
            "--engine",
            &engines[0],
            "--engine",
            &engines[1],
        ];
        words("match --games 100 --nodes 100 --concurrency 2 --openings 4-ply", &more)
    };
    check(work, |folder| played(&fs::read_to_string(folder.join("log")).unwrap()));
}

#[test]
#[ignore = "slow: repeats work"]
fn tunings_resume_after_kills() {
    let engine = concat!(env!("CARGO_BIN_EXE_manoury"), " hub --tune,param.tt-size=16");
    let work = |number: usize, folder: &Path| {
        let (seed, log) = (number.to_string(), folder.join("log"));
        let more = ["--seed", &seed, "--log", log.to_str().unwrap(), "--engine", engine];
        words(
            "tune --games 60 --nodes 100 --concurrency 2 --param futility_slope --param multicut",
            &more,
        )
    };
    check(work, |folder| fs::read(folder.join("log")).unwrap());
}

/// The moves of every game in a log, by pair and game.
fn played(log: &str) -> BTreeMap<(u64, u64), Vec<String>> {
    let games = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    games
        .filter(|game| game.get("moves").is_some())
        .map(|game| {
            let moves = game["moves"].as_array().unwrap().iter();
            let moves = moves.map(|mv| mv["move"].as_str().unwrap().to_owned()).collect();
            ((game["pair"].as_u64().unwrap(), game["game"].as_u64().unwrap()), moves)
        })
        .collect()
}

#[test]
#[ignore = "slow: repeats work"]
fn bitbases_resume_after_kills() {
    let work = |_: usize, folder: &Path| {
        let more = ["--bitbases", folder.to_str().unwrap()];
        words("bitbase generate --pieces 4 --distances --threads 2 --variant english", &more)
    };
    check(work, |folder| files(&folder.join("english")));
}

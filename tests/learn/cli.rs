//! `manoury selfplay`, `data` and `train`: output, exit codes, errors.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;

fn run(folder: &Path, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_manoury"))
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Exit code, standard output, standard error.
pub fn outcome(folder: &Path, arguments: &str) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = run(folder, arguments);
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[cfg(unix)]
#[test]
fn two_processes_do_not_write_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let play = |games: u32| {
        outcome(folder.path(), &format!("selfplay --out games --games {games} --nodes 20"))
    };
    assert_eq!(play(3).0, Some(0));
    let path = folder.path().join("games/000000000.games");
    let before = fs::read(&path).unwrap();
    let other = fs::File::options().write(true).open(&path).unwrap();
    other.lock().unwrap();
    let (code, _, errors) = play(9);
    assert_eq!(code, Some(3), "{errors}");
    let reason = "games/000000000.games: another process is writing this file";
    assert!(errors.contains(reason), "{errors}");
    assert_eq!(fs::read(&path).unwrap(), before);
    drop(other);
    assert_eq!(play(9).0, Some(0));
}

#[test]
fn plays_and_counts_games() {
    let folder = tempfile::tempdir().unwrap();
    let play = |games: u32| {
        let command =
            format!("selfplay --out games --games {games} --nodes 40 --random-plies 6..9");
        outcome(folder.path(), &command)
    };
    for games in [3, 7, 7] {
        let (code, output, errors) = play(games);
        assert_eq!(code, Some(0), "{errors}");
        assert!(output.starts_with(&format!("games={games} positions=")), "{output}");
        assert_eq!(output.lines().count(), 1);
    }
    let other = outcome(folder.path(), "selfplay --out games --games 7 --nodes 41");
    assert_eq!(other.0, Some(2));
    let named = Path::new("games").join("000000000.games");
    let message = format!(
        "error: {}: made with different settings; repeat the options of the first run, or choose \
         another --out\n",
        named.display()
    );
    assert_eq!((other.1.as_str(), other.2), ("", message));

    let file = folder.path().join(named);
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).unwrap();
    let (code, _, errors) = play(8);
    assert_eq!(code, Some(3));
    assert!(errors.contains("000000000.games: corrupt: "), "{errors}");
}

#[test]
fn plays_with_bitbases_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let play = |out: &str, options: &str| {
        let command = format!("selfplay --out {out} --games 3 --nodes 40 {options}");
        outcome(folder.path(), &command)
    };
    let (code, _, errors) = play("games", "--bitbases none");
    assert_eq!(
        (code, errors.as_str()),
        (Some(3), "error: --bitbases: none/international: no such folder\n")
    );
    // No more than what is built in: the games are the same, and their files tell how they were played.
    let made = outcome(folder.path(), "bitbase generate --pieces 2 --bitbases bitbases");
    assert_eq!(made.0, Some(0), "{}", made.2);
    let tally = |output: &str| output.split(" time=").next().unwrap().to_owned();
    let [(_, built_in, _), (_, read, errors)] =
        [play("games", ""), play("other", "--bitbases bitbases")];
    assert_eq!(tally(&built_in), tally(&read), "{errors}");
    let [one, other] = ["games", "other"]
        .map(|name| fs::read(folder.path().join(name).join("000000000.games")).unwrap());
    let tells = |file: &[u8]| String::from_utf8_lossy(file).contains(r#""bitbase_pieces":4"#);
    assert!(!tells(&one) && tells(&other));
    let (code, _, errors) = play("games", "--bitbases bitbases");
    assert_eq!(code, Some(2));
    assert!(errors.contains("made with different settings"), "{errors}");
}

#[test]
fn rejects_wrong_arguments() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, part) in [
        ("--random-plies 9..6", "the second number must not be less"),
        ("--random-plies 6", "as 6..12"),
        ("--random-plies -1..3", "as 6..12"),
        ("--random-plies 1..1000", "at most 100"),
        ("--variant chess", "chess"),
        ("--nodes 0", "0"),
    ] {
        let nodes = if arguments.contains("nodes") { "" } else { "--nodes 10" };
        let command = format!("selfplay --out games --games 1 {nodes} {arguments}");
        let (code, _, errors) = outcome(folder.path(), &command);
        assert_eq!(code, Some(2), "{arguments}");
        assert!(errors.contains(part), "{arguments}: {errors}");
    }
}

#[test]
fn makes_sets_from_games() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| outcome(folder.path(), arguments);
    let (code, played, errors) = run("selfplay --out games --games 30 --nodes 30 --seed 5");
    assert_eq!(code, Some(0), "{errors}");
    let (code, page, _) = run("data games");
    assert_eq!(code, Some(0));
    assert!(page.starts_with("games=30 white="), "{page}");
    let (code, made, errors) = run("data games --out sets --validation 10 --json");
    assert_eq!(code, Some(0), "{errors}");
    let made: serde_json::Value = serde_json::from_str(&made).unwrap();
    let number = |name: &str| made[name].as_u64().unwrap();
    assert_eq!(made["variant"], "international");
    assert_eq!(number("training") + number("validation") + number("doubles"), number("positions"));
    assert_eq!(number("late"), 0);
    let (_, early, _) = run("data games --out early --validation 10 --late-percent 0 --json");
    let early: serde_json::Value = serde_json::from_str(&early).unwrap();
    let early = |name: &str| early[name].as_u64().unwrap();
    assert!(early("late") > 0 && early("doubles") <= number("doubles"));
    let sum = ["training", "validation", "doubles", "late"].map(early).iter().sum::<u64>();
    assert_eq!(sum, early("positions"));
    assert!(played.contains(&format!(" positions={} ", number("positions"))), "{played}");
    assert!(folder.path().join("sets/training-00000.samples").exists());

    let (code, again, errors) = run("data relabel games --out deeper --nodes 60 --many-men 50");
    assert_eq!(code, Some(0), "{errors}");
    let searched: u64 = again[10..].split(' ').next().unwrap().parse().unwrap();
    assert!(again.starts_with("positions=") && searched > 0, "{again}");
    let (code, both, errors) = run("data games deeper --out both --json");
    assert_eq!(code, Some(0), "{errors}");
    let both: serde_json::Value = serde_json::from_str(&both).unwrap();
    assert_eq!(both["doubles"], number("doubles") + searched);

    for (arguments, code, part) in [
        ("data relabel games --out deeper --nodes 61", 2, "made with different settings"),
        ("data relabel games --nodes 60", 2, "--out"),
        ("data relabel deeper games --out games/. --nodes 60", 2, "also a folder of games"),
        ("data relabel games --out other --nodes 60 --kings 101", 2, "101"),
        ("data relabel nowhere --out other --nodes 60", 3, "nowhere: "),
        ("data relabel sets --out other --nodes 60", 2, "sets: contains no game files"),
        ("data games --out sets", 2, "sets: not empty; --out needs a new or empty folder"),
        ("data sets", 2, "sets: contains no game files"),
        ("data nowhere", 3, "nowhere: "),
        ("data games --variant killer", 2, "positions of another variant: international"),
        ("data games --out other --lambda-percent 101", 2, "101"),
        ("data games --validation 100", 2, "--validation must be at least 0 and less than 100"),
        ("data", 2, "<DIR>"),
    ] {
        let (found, _, errors) = run(arguments);
        assert_eq!(found, Some(code), "{arguments}: {errors}");
        assert!(errors.contains(part), "{arguments}: {errors}");
    }
}

#[test]
fn trains_an_evaluation() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| outcome(folder.path(), arguments);
    let expect = |arguments: &str| {
        let (code, output, errors) = run(arguments);
        assert_eq!(code, Some(0), "{arguments}: {errors}");
        output
    };
    expect("selfplay --out games --games 60 --nodes 30 --weights hand");
    expect("data games --out sets");
    let learned = expect("train --data sets --out a.weights --epochs 2 --threads 1");
    let lines: Vec<_> = learned.lines().collect();
    assert!(lines[1].starts_with("epoch 2: training 0."), "{learned}");
    assert!(lines[2].starts_with("correlation with the results "), "{learned}");
    assert!(lines.last().unwrap().starts_with("examples="), "{learned}");
    for ending in [".svg", ".checkpoint"] {
        assert!(folder.path().join(format!("a.weights{ending}")).exists(), "{ending}");
    }
    expect("train --data sets --out b.weights --epochs 2 --threads 2");
    let bytes = |name| fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("a.weights") == bytes("b.weights"), "not the same again");

    expect("data games --out unheld --validation 0");
    let unheld = expect("train --data unheld --out unheld.weights --epochs 1");
    assert!(unheld.contains(", validation - (") && unheld.contains(" loss=- "), "{unheld}");

    let further = expect("train --data sets --from a.weights --out further.weights --epochs 1");
    assert!(further.starts_with("epoch 1: "), "{further}");
    assert!(bytes("further.weights") != bytes("a.weights"));

    let nodes = |line: String| line.split(' ').next().unwrap().to_owned();
    let learned = nodes(expect("bench --depth 5 --weights a.weights"));
    assert_ne!(learned, nodes(expect("bench --depth 5")));
    assert_ne!(learned, nodes(expect("bench --depth 5 --weights hand")));
    assert_eq!(learned, nodes(expect("bench --depth 5 --weights b.weights")));
    expect("analyze --depth 4 --tt-size 16 --weights a.weights");
    expect("selfplay --out more --games 2 --nodes 30 --weights a.weights");

    expect("data games more --out other-sets");
    fs::write(folder.path().join("text"), "weights").unwrap();
    let mut damaged = bytes("a.weights");
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(folder.path().join("damaged"), damaged).unwrap();
    for (arguments, code, part) in [
        ("bench --weights text", 2, "text: not a Manoury weights file"),
        ("bench --weights damaged", 3, "damaged: corrupt"),
        ("bench --weights nowhere", 3, "nowhere: "),
        ("analyze --variant losing --weights a.weights", 2, "weights for another variant"),
        ("selfplay --out more --games 3 --nodes 30", 2, "different settings"),
        ("train --data games --out c.weights", 2, "games: contains no data sets"),
        ("train --data sets --from text --out c.weights", 2, "text: not a Manoury weights file"),
        ("train --data sets --from a.weights --out b.weights", 2, "different settings"),
        (
            "train --data sets --out a.weights --learning-rate nan",
            2,
            "expected a number from 0 to 1",
        ),
        (
            "train --data sets --out a.weights --learning-rate -1",
            2,
            "expected a number from 0 to 1",
        ),
        ("train --data sets --out a.weights --output-rate inf", 2, "expected a number from 0 to 1"),
        ("train --data sets --out a.weights --decay -0.5", 2, "expected a number from 0 to 1"),
        ("train --data sets --out a.weights --result-share 1.5", 2, "a number from 0 to 1"),
        ("train --data sets --out a.weights --epochs 0", 2, "a whole number of at least 1"),
        ("train --data sets --out a.weights --seed 2", 2, "different settings"),
        ("train --data other-sets --out a.weights", 2, "belongs to a training on other data sets"),
    ] {
        let (found, _, errors) = run(arguments);
        assert_eq!(found, Some(code), "{arguments}: {errors}");
        assert!(errors.contains(part), "{arguments}: {errors}");
    }
}

/// The sizes are just large enough to run every step; in the second run each step finds its work
/// done.
#[test]
#[cfg(unix)]
fn the_learn_script_runs_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/learn.sh");
    let sizes = [
        ("GAMES", "40"),
        ("NODES", "20"),
        ("EPOCHS", "1"),
        ("MATCH_GAMES", "4"),
        ("MATCH_NODES", "100"),
        ("MIN_GAIN", "-2000"),
        ("THREADS", "2"),
        ("MANOURY", env!("CARGO_BIN_EXE_manoury")),
    ];
    for _ in 0..2 {
        let mut command = Command::new("bash");
        let work = folder.path().join("work");
        command.arg(&script).arg("russian").arg(&work).args(["--rounds", "2"]).envs(sizes);
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{errors}");
        // Round, games, positions, loss, score and Elo.
        let rows = fs::read_to_string(work.join("rounds.md")).unwrap();
        let rows: Vec<_> = rows.lines().skip(2).collect();
        assert!(rows[0].starts_with("| 1 | 40 | ") && rows[1].starts_with("| 2 | 80 | "), "{text}");
        for row in rows {
            let [.., score, elo] =
                row.trim_matches(['|', ' ']).split(" | ").collect::<Vec<_>>()[..]
            else {
                panic!("{row}");
            };
            let results: Vec<u32> =
                score.split(' ').map(|part| part[1..].parse().expect(row)).collect();
            let [wins, draws, losses] = results[..] else { panic!("{row}") };
            assert_eq!(wins + draws + losses, 4, "{row}");
            assert_eq!(
                elo.parse::<i32>().expect(row).signum(),
                (wins as i32 - losses as i32).signum()
            );
        }
        assert!(work.join("2.weights").exists());
    }
    // Fine-tuning starts from the teacher's weights; the rounds above start from nothing.
    let [first, tuned] = ["work/1.weights", "tuned/1.weights"].map(|name| folder.path().join(name));
    let mut command = Command::new("bash");
    command.arg(&script).arg("russian").arg(folder.path().join("tuned"));
    command.args(["--rounds", "1", "--from"]).arg(&first).envs(sizes);
    command.env("FINE_TUNE", "1").env("RANDOM_PLIES", "3..8");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let settings = |file: &Path| String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
    assert!(settings(&first).contains("\"from\":null"));
    let checksum = u32::from_le_bytes(*fs::read(&first).unwrap().last_chunk().unwrap());
    assert!(settings(&tuned).contains(&format!("\"from\":{checksum}")));

    let mut command = Command::new("bash");
    command.arg(&script).arg("russian").arg(folder.path().join("other"));
    let output = command.args(["--hours", "0.00001"]).envs(sizes).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8(output.stderr).unwrap().contains("the time is up"));
}

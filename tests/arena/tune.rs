//! `manoury tune` from the user's point of view: whole tunings with the real program.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use manoury::arena::spec::EngineSpec;
use manoury::arena::tune::parse_list;
use serde_json::Value;

use super::engine::{Witness, faulty_engine};

const MANOURY: &str = env!("CARGO_BIN_EXE_manoury");

/// Manoury with a small table, and with the hand-crafted weights, so that the results of games, and
/// with them the tuned values, do not change with each new network.
pub(super) const ENGINE: &str = concat!(
    env!("CARGO_BIN_EXE_manoury"),
    " hub --tune,param.tt-size=16,param.book=false,param.eval=pst"
);

fn command(engine: &str, arguments: &str) -> Command {
    let mut command = Command::new(MANOURY);
    command.args(["tune", "--engine", engine]).args(arguments.split_whitespace());
    command
}

pub(super) fn run(engine: &str, arguments: &str) -> Output {
    command(engine, arguments).output().unwrap()
}

/// The lines of `--json`: steps and the summary.
pub(super) fn json(output: &Output) -> (Vec<Value>, Value) {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().unwrap_or_else(|| panic!("no output: {output:?}"));
    assert_eq!(summary["type"], "summary");
    assert!(lines.iter().all(|line| line["type"] == "step"));
    (lines, summary)
}

/// The test engine in one of its modes.
pub(super) fn faulty(mode: &str, witness: &Witness) -> String {
    format!("'{}' {mode} {},name={mode}", faulty_engine().display(), witness.port())
}

#[test]
fn a_small_tuning() {
    let folder = tempfile::tempdir().unwrap();
    let (svg, file) = (folder.path().join("way.svg"), folder.path().join("numbers.txt"));
    fs::write(&file, "# one of them\nfutility_base=60,0,200,20,0.1\n").unwrap();
    let arguments = format!(
        "--param reduction_slope=70,,,,0.1 --params {} --steps 4 --pairs 2 --nodes 100 --svg {}",
        file.display(),
        svg.display()
    );
    let output = run(ENGINE, &arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("4 of 4 steps, 16 of 16 games"), "{text}");

    // The printed options can be pasted.
    let settings = text.lines().find(|line| line.starts_with("param.")).unwrap();
    let spec: EngineSpec = format!("{ENGINE},{settings}").parse().unwrap();
    assert_eq!(spec.params.len(), 5);
    let start = text.find("\nfutility_base=").unwrap();
    let again = parse_list(&text[start..]).unwrap();
    let names: Vec<_> = again.iter().map(|param| param.name()).collect();
    assert_eq!(names, ["futility_base", "reduction_slope"]);

    let picture = fs::read_to_string(svg).unwrap();
    for part in ["16 of 16 games", "futility_base", "reduction_slope", "<polyline"] {
        assert!(picture.contains(part), "{part}: {picture}");
    }
    let (steps, summary) = json(&run(ENGINE, &format!("{arguments} --json --concurrency 2")));
    assert_eq!((steps.len(), &summary["finished"]), (4, &Value::from(true)));
    assert_eq!(summary["settings"], settings, "the concurrency does not matter");
    assert_eq!(summary["params"][1]["name"], "reduction_slope");
    assert_eq!(summary["params"][1]["value"], steps[3]["values"][1]);
    let value = summary["params"][1]["value"].as_f64().unwrap();
    assert!(value != 70.0 && (60.0..80.0).contains(&value), "{value}");
}

#[cfg(unix)]
#[test]
fn control_c_ends_a_tuning_cleanly() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("tune.log");
    let witness = Witness::new();
    let arguments = format!(
        "--param threads --steps 12 --nodes 1 --ahead 2 --concurrency 2 --log {} --json",
        log.display()
    );
    // Every move takes a while, so that the tuning is interrupted in the middle.
    let mut process = command(&faulty("dawdle", &witness), &arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::read_to_string(&log).map_or(0, |text| text.lines().count()) < 3 {
        assert!(Instant::now() < deadline && process.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(5));
    }
    let kill = Command::new("kill").args(["-INT", &process.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("the same command resumes"), "{message}");
    let (before, summary) = json(&output);
    assert_eq!(
        (before.len() as u64, false),
        (summary["steps"].as_u64().unwrap(), summary["finished"] == true)
    );
    witness.assert_all_gone();

    // The same command resumes; other settings are refused.
    let engine = faulty("dawdle", &witness);
    let refused = run(&engine, &format!("{arguments} --seed 2"));
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--seed 1, not --seed 2"));
    let output = run(&engine, &arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let (after, summary) = json(&output);
    assert_eq!((before.len() + after.len(), &summary["finished"]), (12, &Value::from(true)));
    assert_eq!(after[0]["step"], before.len() + 1);
}

/// The engine of this test dislikes five threads or more, and makes an illegal move then.
#[test]
fn values_reach_the_engine_without_a_restart() {
    let witness = Witness::new();
    let output = run(
        &faulty("at-most-four", &witness),
        "--param threads=2.5,1,4,1 --steps 20 --nodes 1 --max-moves 10 --json",
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(json(&output).1["faults"], 0);
    // One process declared its parameters, two played all games.
    assert_eq!(witness.processes(), 3);

    let output = run(
        &faulty("at-most-four", &witness),
        "--param threads=5,1,9,4 --steps 100 --nodes 1 --max-moves 10 --json",
    );
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("does not count: illegal move"), "{message}");
    assert!(message.contains("too many"), "{message}");
    let (steps, summary) = json(&output);
    assert!(steps.len() < 50);
    assert_eq!(summary["params"][0]["value"], 5.0, "pairs with faults do not count");
    assert_eq!(summary["games"], 0);
}

/// With the old value in place of a refused one, every game would be of the engine against itself.
#[test]
fn a_refused_value_ends_the_tuning() {
    let witness = Witness::new();
    let engine = faulty("refuses-five", &witness);
    let output =
        run(&engine, "--param threads=5,1,9,4 --steps 100 --nodes 1 --max-moves 10 --json");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr);
    let wanted = "cannot play: it does not accept its parameters: only 4 cores";
    assert!(message.contains(wanted), "{message}");
    assert!(output.stdout.is_empty(), "no step was finished: {output:?}");

    let output =
        run(&engine, "--param threads=2.5,1,4,1 --steps 4 --nodes 1 --max-moves 10 --json");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(json(&output).1["faults"], 0);
}

#[test]
fn reports_an_engine_that_never_starts() {
    let witness = Witness::new();
    let output = run(&faulty("exit-at-start", &witness), "--param threads --steps 5 --nodes 1");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("exit-at-start cannot play"), "{message}");
}

#[test]
fn rejects_bad_settings() {
    let refusal = |engine: &str, arguments: &str| {
        let output = run(engine, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    for (arguments, word) in [
        ("--steps 5 --nodes 1", "no parameters to tune"),
        ("--param futility_slope --nodes 1", "--games <N>"),
        ("--param futility_slope --nodes 1 --games 5", "multiple of 2"),
        ("--param futility_slope --nodes 1 --games 12 --pairs 4", "multiple of 8"),
        ("--param futility_slope --nodes 1 --games 0", "at least"),
        ("--param futility_slope --nodes 1 --steps 5 --pairs 0", "at least"),
        ("--param futility_slope --nodes 1 --steps 5 --concurrency 17", "at least --ahead 17"),
        ("--param futility_slope --steps 5", "no limit; use --move-time"),
        ("--param futility_slope --param futility_slope=3 --nodes 1 --steps 5", "given twice"),
        (
            "--param futility_slope --move-time 1 --steps 5 --ahead 5000 --concurrency 5000",
            "cannot be timed",
        ),
        ("--param tt-size --nodes 1 --steps 5", "must not set param.tt-size="),
        ("--param futility_slope=x --nodes 1 --steps 5", "\"x\" is not a number"),
        ("--param futility_slope=500 --nodes 1 --steps 5", "from MIN to MAX"),
        ("--param speed --nodes 1 --steps 5", "futility_base"),
        ("--param futility_slope --nodes 1 --steps 5 --variant chess", "chess"),
    ] {
        let message = refusal(ENGINE, arguments);
        assert!(message.contains(word), "{arguments}: {message}");
    }
    for (engine, word) in [
        ("no/such/program", "no/such/program"),
        (&format!("{MANOURY} hub,colour=red"), "no such setting"),
        (&format!("{MANOURY} hub,param.strength=9"), "strength"),
        ("x,proto=dxp,port=1", "cannot play"),
    ] {
        let message = refusal(engine, "--param futility_slope --nodes 1 --steps 5");
        assert!(message.contains(word), "{engine}: {message}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("numbers.txt");
    fs::write(&file, "futility_slope\nfutility_base=three\n").unwrap();
    let message = refusal(ENGINE, &format!("--params {} --nodes 1 --steps 5", file.display()));
    assert!(message.contains("numbers.txt, line 2"), "{message}");
    for more in ["--params no/such/file", "--param futility_slope --svg no/such/folder/way.svg"] {
        let missing = run(ENGINE, &format!("{more} --nodes 1 --steps 5"));
        assert_eq!(missing.status.code(), Some(3), "{missing:?}");
        assert!(String::from_utf8_lossy(&missing.stderr).contains("no/such/"));
    }
}

/// The commands at the end of the help, for fewer games.
#[cfg(unix)]
#[test]
fn examples_in_help_run() {
    let help = Command::new(MANOURY).args(["tune", "--help"]).output().unwrap().stdout;
    let help = String::from_utf8(help).unwrap().replace("\\\n", " ");
    let (_, examples) = help.split_once("Examples:").unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(MANOURY, folder.path().join("manoury")).unwrap();
    fs::write(folder.path().join("numbers.txt"), "futility_slope\nfutility_base\n").unwrap();
    let mut count = 0;
    for example in examples.lines().filter(|line| line.contains("manoury tune")) {
        let script = ["--games 20000", "--games 2000"]
            .iter()
            .fold(example.to_owned(), |script, games| script.replace(games, "--games 2"))
            .replace("3000", "50")
            .replace("0.05", "0.001 --time-margin 10 --max-moves 10");
        assert!(script.contains("--games 2 "), "{script}");
        let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(folder.path())
            .env("PATH", path)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{script}: {output:?}");
        count += 1;
    }
    assert_eq!(count, 2);
    assert!(is_whole(&folder.path().join("tune.svg")));
}

fn is_whole(svg: &Path) -> bool {
    fs::read_to_string(svg).is_ok_and(|text| text.ends_with("</svg>\n"))
}

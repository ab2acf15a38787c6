//! What a match records besides its results: all traffic, versions, parameters and the machine.

use std::fs;

use manoury::notation::pdn;
use manoury::rules::Variant;
use serde_json::Value;

use super::engine::{Witness, faulty_engine};
use super::matches::{json, manoury, run};

#[test]
fn all_traffic_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("traffic");
    let witness = Witness::new();
    let program = faulty_engine();
    let dxp = format!(
        "'{}' dxp-server {} {{port}},proto=dxp,name=Far away,tc.time=60",
        program.display(),
        witness.port()
    );
    let arguments = format!("--nodes 30 --rounds 1 --max-moves 4 --debug {}", file.display());
    let output = run(&[manoury("One"), dxp], &arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<Vec<_>> = text.lines().map(|line| line.splitn(5, '\t').collect()).collect();
    assert!(lines.iter().all(|line| line.len() == 5 && line[0].parse::<f64>().is_ok()), "{text}");
    let count = |game: &str, engine: &str, sign: &str, start: &str| {
        let is_meant =
            |line: &&Vec<&str>| line[1..4] == [game, engine, sign] && line[4].starts_with(start);
        lines.iter().filter(is_meant).count()
    };
    for (game, engine, sign, start, expected) in [
        ("-", "-", "#", "20", 1),
        ("1.1", "One", ">", "hub", 1),
        ("1.1", "One", "<", "wait", 1),
        ("1.1", "One", "#", "plays White, 4-ply ", 1),
        ("1.1", "Far away", "#", "plays Black, 4-ply ", 1),
        ("1.2", "One", "#", "1-1, move limit", 1),
        // Four moves each, two of which belong to the opening.
        ("1.1", "One", ">", "go think", 2),
        ("1.1", "One", "<", "done move=", 2),
        ("1.2", "Far away", ">", "R01Manoury", 1),
        ("1.2", "Far away", "<", "A", 1),
        // And one that belongs to another game, as that engine does.
        ("1.1", "Far away", "<", "M", 2 + 1),
    ] {
        assert_eq!(count(game, engine, sign, start), expected, "{game} {engine} {start}: {text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn engines_have_cores_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let games = std::thread::available_parallelism().unwrap().get();
    let engine = |name: &str| {
        let script = folder.path().join(name);
        let manoury = env!("CARGO_BIN_EXE_manoury");
        let list = format!("{}.$$", script.display());
        let text =
            format!("grep Cpus_allowed_list /proc/self/status > '{list}'\nexec '{manoury}'\n");
        fs::write(&script, text).unwrap();
        format!("sh '{}',name={name},param.tt-size=16,param.book=false", script.display())
    };
    let engines = [engine("One"), engine("Two")];
    let arguments = format!("--nodes 30 --rounds {games} --max-moves 6 --pin");
    let output = run(&engines, &format!("{arguments} --concurrency {games}"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let lists: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_str().unwrap().contains('.') && path.extension().is_some())
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    assert!(lists.len() >= 2, "{lists:?}");
    for list in lists {
        let (_, cores) = list.split_once(':').unwrap();
        assert!(cores.trim().parse::<usize>().is_ok(), "one core: {list}");
    }
    let output = run(&engines, &format!("{arguments} --concurrency 5000"));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("cannot have dedicated cores"), "{error}");
    assert_eq!(output.status.code(), Some(2), "{error}");
}

#[test]
fn games_say_versions_parameters_and_machine() {
    let folder = tempfile::tempdir().unwrap();
    let [log, file, page] = ["log", "games.pdn", "page.html"]
        .map(|name| folder.path().join(name).display().to_string());
    let engines = [manoury("One"), manoury("Two")];
    let arguments = format!("--nodes 30 --rounds 1 --max-moves 6 --json --log {log} --pdn {file}");
    let (games, summary) = json(&run(&engines, &arguments));
    let version = concat!("Manoury ", env!("CARGO_PKG_VERSION"));
    assert_eq!(games[0]["identities"], serde_json::json!([version, version]));
    assert!(summary["machine"].as_str().unwrap().contains("processor"), "{summary}");
    assert_eq!(summary["referee"], version);
    assert_eq!(summary["engines"][1]["settings"], "tt-size=16, book=false");
    // The same when the file is written again from the log.
    let again = run(&engines, &format!("{arguments} --report {page}"));
    assert_eq!(json(&again).0.len(), 0);
    for record in pdn::read(Variant::International, &fs::read(&file).unwrap()) {
        let tags = record.unwrap().tags;
        assert_eq!((tags.get("WhiteVersion"), tags.get("Referee")), (Some(version), Some(version)));
        assert_eq!(tags.get("BlackSettings"), Some("tt-size=16, book=false"));
        assert_eq!(tags.get("Machine").map(Value::from), Some(summary["machine"].clone()));
    }
    let page = fs::read_to_string(&page).unwrap();
    assert!(page.contains(summary["machine"].as_str().unwrap()), "{page}");
    assert!(page.contains("One: "), "the parameters of each engine");

    // Logs of before have none of it.
    let text = fs::read_to_string(&log).unwrap();
    let old: Vec<_> = text
        .lines()
        .map(|line| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            let fields = line.as_object_mut().unwrap();
            fields.retain(|name, _| name != "identities" && name != "machine");
            line.to_string()
        })
        .collect();
    fs::write(&log, old.join("\n") + "\n").unwrap();
    let (games, summary) = json(&run(&engines, &arguments));
    assert_eq!((games.len(), &summary["games"]), (0, &Value::from(2)));
    let pdn = fs::read_to_string(&file).unwrap();
    assert!(!pdn.contains("Machine") && pdn.contains("WhiteSettings"), "{pdn}");
}

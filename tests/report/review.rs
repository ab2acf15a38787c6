//! Reviews of games: `manoury analyze GAMES.pdn`.

use std::fs;
use std::path::Path;

use manoury::notation::pdn;
use manoury::rules::Variant;
use serde_json::Value;

use crate::engine::cli::{print, run};

/// A game with tags, comments, clocks and side lines.
const GAME: &str = "tests/data/games/clocks.pdn";

fn reviews(arguments: &str) -> Vec<Value> {
    let output = print(&format!("analyze {arguments} --tt-size 16 --json"), "");
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_move_is_rated() {
    for review in reviews(&format!("{GAME} --nodes 500 --threads 2")) {
        let moves = review["moves"].as_array().unwrap();
        assert!(!moves.is_empty());
        for pair in moves.windows(2) {
            let after = pair[0]["after"].as_f64().unwrap();
            let before = pair[1]["before"].as_f64().unwrap();
            assert_eq!(after, -before + 0.0, "{pair:?}");
            let loss = pair[0]["loss"].as_f64().unwrap();
            assert!((0.0..=1.0).contains(&loss));
            assert!(pair[0]["forced"] == false || loss == 0.0);
        }
        for player in review["players"].as_array().unwrap() {
            assert!((0.0..=100.0).contains(&player["accuracy"].as_f64().unwrap()));
        }
    }
}

#[test]
fn a_blunder_is_found_with_the_better_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("blunder.pdn");
    // 26-21 gives a man away.
    fs::write(&path, "1. 31-26 19-24 2. 26-21 17x26 3. 36-31 *").unwrap();
    let review = &reviews(&format!("{} --nodes 20000 --threads 1", path.display()))[0];
    let marks: Vec<_> =
        review["moves"].as_array().unwrap().iter().map(|mv| mv["mark"].as_str()).collect();
    assert_eq!(marks, [None, None, Some("??"), None, None]);
    let blunder = &review["moves"][2];
    assert!(blunder["loss"].as_f64().unwrap() > 0.2, "{blunder}");
    assert!(blunder["better"].as_array().unwrap().len() > 2, "{blunder}");
    assert_eq!(review["players"][0]["blunders"], 1);
    assert_eq!(review["players"][1]["blunders"], 0);
}

#[test]
fn a_game_leaves_the_book() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    // The book follows 35-30, but not 20-24 then.
    let ending = "[FEN \"W:W28,32:B12,16\"]\n\n1. 28-23 *\n";
    fs::write(&path, format!("1. 35-30 20-24 *\n\n1. 32-28 *\n\n{ending}")).unwrap();
    let reviews = reviews(&format!("{} --nodes 20 --threads 1", path.display()));
    let plies: Vec<_> = reviews.iter().map(|review| review["leaves_book"].as_u64()).collect();
    assert_eq!(plies, [Some(1), None, None]);
}

#[test]
fn annotations_are_added_to_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("annotated.pdn");
    let arguments = format!("analyze {GAME} --nodes 300 --tt-size 16 --annotate {}", out.display());
    print(&arguments, "");
    let before = pdn::read(Variant::International, &fs::read(GAME).unwrap());
    let after = pdn::read(Variant::International, &fs::read(&out).unwrap());
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        let (before, after) = (before.as_ref().unwrap(), after.as_ref().unwrap());
        assert_eq!(before.tags, after.tags);
        for (old, new) in before.line.moves.iter().zip(&after.line.moves) {
            assert_eq!(old.mv, new.mv);
            assert!(new.comments.starts_with(&old.comments));
            assert!(new.comments.last().unwrap().starts_with("[%eval "));
            assert!(new.variations.starts_with(&old.variations));
            assert_eq!(old.clocks(), new.clocks());
        }
    }
    // It is not overwritten.
    let refused = run(&arguments, "");
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
}

/// What people wrote stays, and there is one evaluation a move, however often a game is reviewed.
#[test]
fn a_second_review_replaces_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let [once, twice] = ["once.pdn", "twice.pdn"].map(|name| folder.path().join(name));
    let annotate = |from: &Path, to: &Path| {
        let (from, to) = (from.display(), to.display());
        print(&format!("analyze {from} --nodes 2000 --threads 1 --tt-size 16 --annotate {to}"), "");
        // Lines may end anywhere between words.
        let text = fs::read_to_string(to.to_string()).unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let text = annotate(Path::new("tests/data/wild/evals_and_clocks.pdn"), &once);
    assert_eq!(text.matches("[%eval ").count(), 3, "{text}");
    for kept in ["[%clock w0:05:00 B0:05:00]", "[%cal Gd5e6] good"] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    assert_eq!(annotate(&once, &twice), text);
    // 26-21 gives a man away; the second mark is a reader's.
    let game = folder.path().join("game.pdn");
    fs::write(&game, "1. 31-26 19-24? 2. 26-21 17x26 3. 36-31 *\n").unwrap();
    let [once, twice] = ["1.pdn", "2.pdn"].map(|name| folder.path().join(name));
    let text = annotate(&game, &once);
    assert!(
        text.contains("19-24? {") && text.contains("26-21??") && text.contains("blunder costs")
    );
    assert_eq!(annotate(&once, &twice), text);
    let forced = print(
        &format!("analyze {} --nodes 50 --force --annotate {}", game.display(), twice.display()),
        "",
    );
    assert!(!forced.is_empty());
}

/// The only good move gets a mark only if it is hard to see.
#[test]
fn moves_that_a_shallow_search_finds_get_no_mark() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("easy.pdn");
    let fen = "B:W24-26,29,32,42:B2,4,5,12,18,31";
    fs::write(&path, format!("[FEN \"{fen}\"]\n\n1. 31-36 *\n")).unwrap();
    let review = &reviews(&format!("{} --nodes 20000 --threads 1", path.display()))[0];
    assert_eq!(review["moves"][0]["mark"], Value::Null, "{review}");
    let lines = print(&format!("analyze --fen {fen} --nodes 20000 --multipv 2 --json"), "");
    let lines: Value = serde_json::from_str(&lines).unwrap();
    let [best, next] = [0, 1].map(|rank| lines["lines"][rank]["score"].as_f64().unwrap());
    assert!(best - next > 1.0, "{lines}");
}

/// After the last move the game is drawn, whatever the bitbases say.
#[test]
fn a_drawn_game_ends_with_its_result() {
    let file = "tests/data/wild/limit_6_4.pdn";
    for ply in 0..7 {
        let arguments = format!("analyze {file} --ply {ply} --nodes 20000 --tt-size 16 --json");
        let value: Value = serde_json::from_str(&print(&arguments, "")).unwrap();
        let line = &value["lines"][0];
        let plies = line["win_in"].as_u64().or(line["loss_in"].as_u64());
        assert!(plies.is_none_or(|plies| plies + ply <= 10), "{ply}: {line}");
        assert!(plies.is_some() || line["score"].as_f64().unwrap().abs() < 80.0, "{ply}: {line}");
    }
    let end: Value =
        serde_json::from_str(&print(&format!("analyze {file} --ply 8 --json"), "")).unwrap();
    assert_eq!(end["result"]["reason"], "repetition");
    let review = &reviews(&format!("{file} --nodes 200"))[0];
    assert_eq!(review["moves"][7]["after"], 0.0, "{review}");
}

#[test]
fn shots_are_found_and_written_as_problems() {
    let folder = tempfile::tempdir().unwrap();
    let [games, shots] = ["games.pdn", "shots.pdn"].map(|name| folder.path().join(name));
    // The same shot, missed and played.
    let start = "[FEN \"B:W19,26,30,31,35,36,38,39,42,45,48,50:B1,3,8-10,12,14-18,23\"]\n\n";
    fs::write(&games, format!("{start}1... 18-22 *\n\n{start}1... 15-20 *\n")).unwrap();
    let arguments =
        format!("{} --nodes 5000 --threads 1 --shots {}", games.display(), shots.display());
    let found = reviews(&arguments);
    for (review, is_played) in found.iter().zip([false, true]) {
        let shot = &review["shots"][0];
        assert_eq!((&shot["played"], &shot["gain"]), (&is_played.into(), &2.into()), "{review}");
        assert_eq!(shot["line"][0], "15-20");
    }
    let problems = pdn::read(Variant::International, &fs::read(&shots).unwrap());
    let [Ok(missed), Ok(played)] = &problems[..] else { panic!("{problems:?}") };
    assert_eq!(
        missed.line.comments,
        ["Black to move wins material worth 2 men; missed in the game"]
    );
    assert_eq!(
        played.line.comments,
        ["Black to move wins material worth 2 men; played in the game"]
    );
    assert_eq!(missed.line.moves.len(), 5);
    let solved = print(&format!("solve {} --tt-size 16", shots.display()), "");
    assert_eq!(solved.matches("stated    holds\n").count(), 2, "{solved}");
}

#[test]
fn games_with_faults_are_reviewed_up_to_the_fault() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("faulty.pdn");
    fs::write(&path, "1. 32-28 19-23 2. 28x18 *\n\n1. 33-28 *\n").unwrap();
    let output = run(&format!("analyze {} --nodes 100 --tt-size 16", path.display()), "");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let (text, errors) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(text.contains("1. ? - ? *, 2 plies") && text.contains("2. ? - ? *, 1 ply"), "{text}");
    assert!(errors.contains("game 1, line 1, column 19: 28x18"), "{errors}");
}

#[test]
fn captures_are_read_as_people_write_them() {
    // Ply 69 of the first game and ply 111 of the second leave open which way a capture goes.
    let broken = "tests/data/games/broken/ambiguous_short.pdn";
    let output = run(&format!("analyze {broken} --nodes 20 --tt-size 16"), "");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("36x16 is ambiguous, read as 36x13x2x16"), "{errors}");
    assert!(errors.contains("4x24 is ambiguous, read as 4x31x42x24"), "{errors}");
    let dash =
        run("analyze tests/data/games/broken/capture_as_quiet.pdn --nodes 20 --tt-size 16", "");
    assert_eq!(dash.status.code(), Some(0), "{dash:?}");
}

#[test]
fn resumes_from_its_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let arguments = format!("{GAME} --nodes 200 --threads 1 --log {}", log.display());
    let whole = reviews(&arguments);
    let text = fs::read_to_string(&log).unwrap();
    assert_eq!(text.lines().count(), 1 + whole.len());
    // The last game is lost.
    let kept = text.trim_end().rfind('\n').unwrap() + 1;
    fs::write(&log, &text[..kept]).unwrap();
    assert_eq!(reviews(&arguments), whole);
    assert_eq!(fs::read_to_string(&log).unwrap(), text);
}

#[test]
fn moves_and_plies_choose_a_position() {
    let fen = |arguments: &str| {
        let output = print(&format!("analyze {arguments} --depth 2 --tt-size 16 --json"), "");
        serde_json::from_str::<Value>(&output).unwrap()["fen"].clone()
    };
    let moves = run("analyze --json --depth 2 --moves 1.32-28", "");
    let value: Value = serde_json::from_slice(&moves.stdout).unwrap();
    assert!(value["fen"].as_str().unwrap().starts_with("B:W28,31,33"), "{value}");
    assert_eq!(fen(&format!("{GAME} --ply 0")), fen(""));
    assert_ne!(fen(&format!("{GAME} --ply 3")), fen(""));
    let refused = run("analyze --ply 3", "");
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn the_report_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("report.html");
    let fen = Path::new("tests/data/games/fen_start.pdn");
    print(
        &format!(
            "analyze {} --nodes 200 --tt-size 16 --report {} --language nl",
            fen.display(),
            page.display()
        ),
        "",
    );
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.starts_with("<!doctype html>\n<html lang=\"nl\">"));
    for place in ["language", "style", "texts", "data", "script"] {
        assert!(!html.contains(&format!("{{{{{place}}}}}")), "{place} is filled");
    }
    assert!(html.contains("Nauwkeurigheid"));
    for outside in ["http://", "https://", "url(", "@import", "src="] {
        let rest = html.replace("http://www.w3.org/2000/svg", "");
        assert!(!rest.contains(outside), "{outside}");
    }
}

#[test]
fn names_are_escaped_in_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let [games, page] = ["g.pdn", "g.html"].map(|name| folder.path().join(name));
    let text = "[White \"</script><script>alert(1)</script>{{script}}\"]\n\n1. 32-28 *\n";
    fs::write(&games, text).unwrap();
    print(
        &format!("analyze {} --nodes 50 --tt-size 16 --report {}", games.display(), page.display()),
        "",
    );
    let html = fs::read_to_string(&page).unwrap();
    assert_eq!(html.matches("</script>").count(), 3);
    assert!(!html.contains("<script>alert"));
}

#[test]
fn a_log_of_other_games_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [log, games] = ["log", "games.pdn"].map(|name| folder.path().join(name));
    let review = || {
        let output =
            run(&format!("analyze {} --nodes 50 --log {}", games.display(), log.display()), "");
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    fs::write(&games, "1. 32-28 19-23 *\n").unwrap();
    assert_eq!(review().0, Some(0));
    fs::write(&games, "1. 34-30 20-25 *\n").unwrap();
    let (code, errors) = review();
    assert!(code == Some(2) && errors.contains("started with other games (another"), "{errors}");
    fs::write(&log, "a thesis\n").unwrap();
    let (code, errors) = review();
    assert!(code == Some(2) && errors.contains("not the log of an analysis"), "{errors}");
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    for (arguments, told) in [
        (format!("analyze {GAME} --multipv 3"), "--multipv needs a position"),
        ("solve --ply 3".to_owned(), "--ply needs a PDN file"),
        ("analyze --ply 3".to_owned(), "--ply needs a PDN file"),
    ] {
        let output = run(&arguments, "");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && errors.contains(told), "{errors}");
    }
}

#[test]
fn one_file_takes_one_output() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out").display().to_string();
    let same = folder.path().join(".").join("out").display().to_string();
    let output = run(&format!("analyze {GAME} --nodes 50 --annotate {file} --shots {same}"), "");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("out is named for two outputs"), "{errors}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn games_are_read_from_standard_input() {
    let game = "[Event \"?\"]\n\n1. 32-28 19-23 *\n";
    for (arguments, told) in [
        ("analyze - --nodes 50", "accuracy"),
        ("board - --ascii --ply 1", "b"),
        ("solve - --nodes 50 --ply 0 --json", "international"),
        ("bench --solve - --nodes 50 --tt-size 16", "solved"),
    ] {
        let output = run(arguments, game);
        let [text, errors] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments}: {errors}");
        assert!(text.contains(told), "{arguments}: {text}");
    }
}

/// A file of two games is not replaced by one of them, nor by a report, under any of its names.
#[test]
fn the_games_are_not_lost_to_their_review() {
    let folder = tempfile::tempdir().unwrap();
    let [games, link] = ["games.pdn", "link.pdn"].map(|name| folder.path().join(name));
    let text = "1. 32-28 19-23 2-0\n\n1. 34-30 20-25 0-2\n";
    fs::write(&games, text).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&games, &link).unwrap();
    let review = |from: &Path, arguments: &str| {
        run(&format!("analyze {} --nodes 50 --force {arguments}", from.display()), "")
    };
    let name = games.display();
    for arguments in [
        format!("--game 2 --annotate {name}"),
        format!("--report {name}"),
        format!("--shots {name}"),
    ] {
        for from in [&games, &link].into_iter().filter(|path| path.exists()) {
            let output = review(from, &arguments);
            let errors = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{arguments}");
            assert!(errors.contains("games.pdn is also the input"), "{errors}");
            assert_eq!(fs::read_to_string(&games).unwrap(), text, "{arguments}");
        }
    }
    fs::write(&games, text.replace("20-25", "20-26")).unwrap();
    assert_eq!(review(&games, &format!("--annotate {name}")).status.code(), Some(2));
    fs::write(&games, text).unwrap();
    assert_eq!(review(&games, &format!("--annotate {name}")).status.code(), Some(0));
    let both = fs::read_to_string(&games).unwrap();
    assert!(both.contains("32-28") && both.contains("34-30"), "{both}");
}

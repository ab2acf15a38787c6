//! Problems: `manoury solve`.

use std::fs;
use std::path::Path;

use manoury::erased::{Bitbases, Position};
use manoury::notation::pdn::{self, MoveLine};
use manoury::rules::Variant;
use serde_json::Value;

use crate::engine::cli::{print, run};

/// Two men for one, and a king at once: a problem with one solution.
const COMBINATION: &str = "W:W27,32,37,38,48:B5,6,17,18";

fn solutions(arguments: &str, input: &str) -> Vec<Value> {
    let output = print(&format!("solve {arguments} --tt-size 16 --json"), input);
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn win_in_n_is_proven_exhaustively() {
    let solution = &solutions("--fen W:WK28:BK5 --goal win-in-2", "")[0];
    assert_eq!(solution["keys"], serde_json::json!(["28-46"]), "{solution}");
    assert_eq!((&solution["status"], &solution["unique"]), (&"proven".into(), &"proven".into()));
    assert_eq!((&solution["plies"], &solution["end"]), (&3.into(), &"game".into()));
    let refused = run("solve --fen W:WK28:BK5 --goal win-in-1 --json", "");
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stdout).contains(r#""status":"refuted""#));
}

#[test]
fn draws_end_in_bitbases_or_repetitions() {
    let solution = &solutions("--fen B:WK46,K41,K5:BK3 --goal draw", "")[0];
    assert_eq!((&solution["status"], &solution["end"]), (&"proven".into(), &"bitbases".into()));
    let lost = run("solve --fen W:W45:BK1 --goal draw --json", "");
    assert_eq!(lost.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&lost.stdout).contains(r#""status":"refuted""#));
}

/// Whether every reply to every move of the side that begins has an answer in the tree; those
/// whose line ends lead to positions for which `is_end` holds.
fn check(position: Position, line: &MoveLine, is_end: &dyn Fn(&Position) -> bool) {
    let Some(first) = line.moves.first() else {
        return assert!(is_end(&position), "{position:?}");
    };
    let replies_from = position.after(first.mv);
    let rest = MoveLine { comments: Vec::new(), moves: line.moves[1..].to_vec() };
    let mut answers = vec![rest.clone()];
    answers.extend(rest.moves.first().iter().flat_map(|reply| reply.variations.clone()));
    let mut replies: Vec<_> =
        answers.iter().filter_map(|line| line.moves.first()).map(|reply| reply.mv).collect();
    let mut legal = replies_from.legal_moves();
    replies.sort_by_key(|mv| format!("{mv:?}"));
    legal.sort_by_key(|mv| format!("{mv:?}"));
    assert_eq!(replies, legal);
    for answer in answers.iter().filter(|line| !line.moves.is_empty()) {
        let next = replies_from.after(answer.moves[0].mv);
        let rest = MoveLine { comments: Vec::new(), moves: answer.moves[1..].to_vec() };
        check(next, &rest, is_end);
    }
}

#[test]
fn the_tree_has_an_answer_to_every_reply() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solved.pdn");
    let arguments = format!("--fen {COMBINATION} --nodes 50000 --tree 60 --pdn {}", path.display());
    let solution = &solutions(&arguments, "")[0];
    assert_eq!(solution["keys"], serde_json::json!(["27-22"]), "{solution}");
    assert_eq!(solution["status"], "proven");
    let problems = pdn::read(Variant::International, &fs::read(&path).unwrap());
    let problem = problems[0].as_ref().unwrap();
    assert_eq!(problem.tags.get("Goal"), Some("win"));
    let bitbases = Bitbases::embedded(Variant::International);
    check(problem.start, &problem.line, &|position| bitbases.probe(position).is_some());
}

#[test]
fn stated_solutions_are_checked_move_by_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("problems.pdn");
    let problem = |goal: &str, moves: &str| {
        format!("[FEN \"{COMBINATION}\"]\n[Goal \"{goal}\"]\n\n{moves} 2-0\n\n")
    };
    let holds = problem("win", "1. 27-22 18x27 2. 32x12") + &problem("gain 1", "1. 27-22 18x27");
    fs::write(&path, holds).unwrap();
    let arguments = format!("{} --nodes 50000 --threads 2", path.display());
    let solved = solutions(&arguments, "");
    let stated: Vec<_> = solved.iter().map(|solution| &solution["stated"]).collect();
    assert_eq!(stated, ["holds", "holds"]);
    // Without the shot there is no win to be seen, and a capture can be taken the wrong way only
    // where there is a choice.
    let fails = problem("gain 1", "1. 32-28") + &problem("win in 1", "1. 27-22");
    fs::write(&path, fails + &problem("fly", "1. 27-22")).unwrap();
    let output = run(&format!("solve {arguments} --tt-size 16 --json"), "");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let stated: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(stated.len(), 2);
    assert!(stated.iter().all(|answer| answer["stated"] == "fails" && answer["stated_ply"] == 0));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("game 3, Goal tag: not a goal: \"fly\""), "{errors}");
}

#[test]
fn answers_come_in_the_order_of_the_problems() {
    let fens = "W:WK28:BK5\nW:WK46:BK5\nB:W45:BK1\nW:W45:BK1\n".repeat(3);
    let output = run("solve --fen - --goal win-in-3 --threads 2 --tt-size 16 --json", &fens);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let answers: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let numbers: Vec<_> = answers.iter().map(|answer| answer["number"].as_u64()).collect();
    assert_eq!(numbers, (1..=12).map(Some).collect::<Vec<_>>());
    for (answer, other) in answers.iter().zip(&answers[4..]) {
        assert_eq!((&answer["fen"], &answer["keys"]), (&other["fen"], &other["keys"]));
    }
}

#[test]
fn unconfirmed_solutions_keep_their_tags_but_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let [from, to] = ["problems.pdn", "solved.pdn"].map(|name| folder.path().join(name));
    let text = format!(
        "[Event \"Cup\"]\n[Author \"N. N.\"]\n[Result \"2-0\"]\n[FEN \"{COMBINATION}\"]\n\n\
         1. 32-28 2-0\n"
    );
    fs::write(&from, text).unwrap();
    let output = run(
        &format!("solve {} --goal gain-1 --tt-size 16 --pdn {}", from.display(), to.display()),
        "",
    );
    assert_eq!(output.status.code(), Some(1));
    let written = fs::read_to_string(&to).unwrap();
    for part in ["[Event \"Cup\"]", "[Author \"N. N.\"]", "[Result \"*\"]", " *\n"] {
        assert!(written.contains(part), "{part}: {written}");
    }
}

#[test]
fn a_time_limit_is_for_the_problem() {
    let _clock = crate::clock();
    let start = std::time::Instant::now();
    let output = run("solve --fen W:W31-50:B1-20 --time 0.5 --threads 1 --tt-size 16", "");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(start.elapsed().as_secs_f64() < 5.0, "{:?}", start.elapsed());
}

#[test]
fn lines_end_with_the_last_capture() {
    let solution = &solutions(&format!("--fen {COMBINATION} --nodes 50000 --threads 1"), "")[0];
    let line = solution["line"].as_array().unwrap();
    assert!(line.last().unwrap().as_str().unwrap().contains('x'), "{solution}");
}

#[test]
fn existing_files_and_the_problems_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let [from, to] = ["problems.pdn", "solved.pdn"].map(|name| folder.path().join(name));
    let problem = format!("[FEN \"{COMBINATION}\"]\n\n1. 27-22 *\n");
    fs::write(&from, &problem).unwrap();
    fs::write(&to, "before").unwrap();
    let solve = |file: &Path, arguments: &str| {
        let from = from.display();
        run(&format!("solve {from} --nodes 500 --pdn {} {arguments}", file.display()), "")
    };
    for (file, arguments, message) in [
        (&to, "", "solved.pdn already exists"),
        (&from, "", "problems.pdn already exists"),
        (&from, "--force", "problems.pdn is also the input"),
    ] {
        let output = solve(file, arguments);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(String::from_utf8(output.stderr).unwrap().contains(message), "{message}");
    }
    assert_eq!(fs::read_to_string(&from).unwrap(), problem);
    assert_eq!(fs::read_to_string(&to).unwrap(), "before");
    #[cfg(unix)]
    assert!(solve(Path::new("/dev/stdout"), "").stdout.ends_with(b"\n"));
    solve(&to, "--force");
    assert!(fs::read_to_string(&to).unwrap().contains(COMBINATION));
}

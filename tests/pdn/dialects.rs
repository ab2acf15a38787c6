//! What the reader makes of the dialects of PDN that other programs and people write.

use std::fs;

use manoury::board::Side;
use manoury::notation::pdn;
use manoury::rules::Variant;
use serde_json::Value;

use crate::engine::cli::{print, run};

#[test]
fn comments_around_a_game_stay_with_it() {
    let games = "{ before }\n; a {\n[White \"A\"]\n\n1. 32-28 19-23 2-0 { lost\non time }\n; after\n\n\
        [White \"B\"]\n\n1. 31-27 1-1 { draw } 1. 33-29 * { last }\n";
    let kept = |text: &str| {
        let games = pdn::read(Variant::International, text.as_bytes());
        let line = |game: Result<pdn::GameRecord, _>| game.unwrap().line;
        let all = |line: pdn::MoveLine| {
            let after = line.moves.into_iter().flat_map(|mv| mv.comments);
            line.comments.into_iter().chain(after).collect::<Vec<_>>()
        };
        games.into_iter().map(line).map(all).collect::<Vec<_>>()
    };
    let expected = [&["before", "a {", "lost on time", "after"][..], &["draw"], &["last"]];
    assert_eq!(kept(games), expected);
    for command in ["clean", "convert", "tag", "filter", "join"] {
        assert_eq!(kept(&print(&format!("pdn {command}"), games)), expected, "{command}");
    }
    let sorted = kept(&print("pdn sort --by plies", games));
    assert_eq!(sorted, [expected[1], expected[2], expected[0]]);

    let folder = tempfile::tempdir().unwrap();
    let [file, out] = ["games.pdn", "out.pdn"].map(|name| folder.path().join(name));
    fs::write(&file, games).unwrap();
    let (file, out) = (file.display(), out.display());
    print(&format!("analyze {file} --nodes 10 --annotate {out}"), "");
    let mut annotated = kept(&fs::read_to_string(out.to_string()).unwrap());
    annotated.iter_mut().for_each(|game| game.retain(|text| !text.starts_with("[%eval")));
    assert_eq!(annotated, expected);
}

/// What `pdn clean` makes of a text, and the number of messages.
fn cleaned(text: &str) -> (String, usize) {
    let output = run("pdn clean", text);
    let messages = String::from_utf8(output.stderr).unwrap();
    (String::from_utf8(output.stdout).unwrap(), messages.lines().count())
}

#[test]
fn games_without_moves_are_games_of_their_own() {
    let parts = [
        "[White \"a\"]\n[Black \"x\"]\n[Result \"2-0\"]\n\n",
        "[Event \"cup\"]\n[White \"b\"]\n\n{ no moves }\n",
        "[White \"c\"]\n",
        "[Black \"z\"]\n[White \"d\"]\n\n1. 32-28 *\n\n",
    ];
    let names = |text: &str| {
        let value = |game: &pdn::GameText, name| game.tag(name).unwrap_or("-").to_owned();
        let names =
            |game: pdn::GameText| ["Event", "White", "Black"].map(|name| value(&game, name));
        pdn::games(text).map(names).collect::<Vec<_>>()
    };
    let text = parts.concat();
    let expected = [["-", "a", "x"], ["cup", "b", "-"], ["-", "c", "z"], ["-", "d", "-"]];
    assert_eq!(names(&text), expected);
    assert_eq!(names(&text.replace("[White \"c\"]\n", "[White \"c\"]\n\n")).len(), 4);
    for unchanged in ["filter", "join", "sort --by site"] {
        assert_eq!(names(&print(&format!("pdn {unchanged}"), &text)), names(&text), "{unchanged}");
    }
    let counts: Value = serde_json::from_str(&print("pdn count --json", &text)).unwrap();
    assert_eq!((&counts["white"], &counts["plies"]), (&1.into(), &1.into()), "{counts}");
    // Tags of one game may be apart, or given twice.
    let apart = "[White \"a\"]\n\n[Black \"b\"]\n[Date \"1\"]\n[Date \"2\"]\n\n1. 32-28 *\n";
    assert_eq!(names(apart), [["-", "a", "b"]]);
    // Without empty lines, the first tag begins the next game.
    let dense = "[White \"a\"]\n[Black \"b\"]\n[White \"c\"]\n[Black \"d\"]\n";
    assert_eq!(names(dense), [["-", "a", "b"], ["-", "c", "d"]]);
}

#[test]
fn remarks_after_the_result_belong_to_the_game() {
    let remarks = ["$1", "!", "(time)", "(2... 13x24)", "(", "( 12 ) { late }"];
    for remark in remarks {
        let game = "[White \"b\"]\n\n1. 32-28 19-23 2-0";
        let (text, messages) =
            cleaned(&format!("{game} {remark}\n\n[White \"c\"]\n\n1. 31-26 *\n"));
        assert_eq!((pdn::games(&text).count(), messages), (2, 1), "{remark}: {text}");
    }
    let (text, _) = cleaned("1. 32-28 2-0 (x) { late } 1. 31-27 *");
    assert!(text.contains("1. 32-28 { late } 2-0\n") && text.contains("1. 31-27 *"), "{text}");
}

#[test]
fn draws_written_with_one_sign_get_the_spelling_of_pdn() {
    for draw in ["½-½", "½–½", "½ - ½", "1/2 - 1/2"] {
        let (text, messages) = cleaned(&format!("[Result \"{draw}\"]\n\n1. 32-28 19-23 {draw}\n"));
        assert_eq!((text.matches("1/2-1/2").count(), messages), (2, 0), "{text}");
    }
}

#[test]
fn numbers_between_the_moves_become_comments() {
    for (moves, clean, messages) in [
        ("1. 32-28 12 19-23 *", "1. 32-28 { 12 } 19-23 *", 1),
        ("1. 32-28 0.05 19-23 *", "1. 32-28 { 0.05 } 19-23 *", 1),
        ("1. 32-28 (0.05) 19-23 (12) 2. 28x19 *", "1. 32-28 { 0.05 } 19-23 { 12 } 2. 28x19 *", 2),
        ("1. 32-28 19-23 12 2. 28x19 *", "1. 32-28 19-23 { 12 } 2. 28x19 *", 1),
        ("1. 32-28 19-23 7 *", "1. 32-28 19-23 { 7 } *", 1),
        ("1. 32-28 ( {text} ) 19-23 *", "1. 32-28 { text } 19-23 *", 0),
        // Move numbers in many forms.
        ("1.32-28 19-23 2.28x19 14x23 3. *", "1. 32-28 19-23 2. 28x19 14x23 *", 0),
        ("1 32-28 1... 19-23 2 28x19 14x23 3.1-1", "1. 32-28 19-23 2. 28x19 14x23 1-1", 0),
        ("7 32-28 { 5 } 7 ... 19-23\n8 28x19 *", "1. 32-28 { 5 } 19-23 2. 28x19 *", 0),
        ("1.32 - 28 19 - 23 2.28*19 *", "1. 32-28 19-23 2. 28x19 *", 0),
        (
            "1. 32-28 (1 33-28 19-23 2 28x19) 1 19-23 *",
            "1. 32-28 ( 1. 33-28 19-23 2. 28x19 ) 1... 19-23 *",
            0,
        ),
    ] {
        let (text, told) = cleaned(moves);
        let words: Vec<_> = text.split_whitespace().skip(2).collect();
        assert_eq!((words.join(" "), told), (clean.to_owned(), messages), "{moves}");
    }
}

#[test]
fn results_in_points_are_read() {
    let game = |tag: &str, moves: &str| format!("[Result \"{tag}\"]\n\n1. 32-28 19-23 {moves}\n\n");
    let games = [
        game("12-0", "12-0"),
        game("?", "8–4 { on time }"),
        game("6-6", "6-6"),
        "[FEN \"B:W45:B3\"]\n[Result \"3-9\"]\n\n3-9\n\n".to_owned(),
        game("?", "0-12"),
        // A legal move, unless the tag says the same.
        "[FEN \"B:W45:B3\"]\n\n3-9\n\n".to_owned(),
        // Neither a legal move nor a result.
        game("?", "8-3"),
        // A number shows that it is meant as a move, and so does the turn of the second player.
        game("?", "2. 8-4"),
        game("?", "2. 28x19 14x23 3. 37-32 3-7"),
        "[Result \"?\"]\n\n32-28 19-23 8-4\n\n".to_owned(),
        // Any points that the tag says as well.
        game("12-8", "12-8"),
        game("9 - 11", "*"),
        game("20-0", "2. 28x19 20-0"),
    ];
    let output = run("pdn count", &games.concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.ends_with("white=4 draws=1 black=3 unknown=5 faults=4\n"), "{text}");
    let clean = String::from_utf8(run("pdn clean", &games[1]).stdout).unwrap();
    assert!(clean.ends_with("19-23 { on time } 8-4\n\n"), "{clean}");
}

/// Associations of pool checkers disagree on who begins.
#[test]
fn either_side_begins_in_pool_checkers() {
    let game = |moves: &str| format!("[GameType \"23\"]\n\n{moves} *\n\n");
    let games = game("1. 11-15 23-19 2. 8-11 22-17") + &game("1. 23-19 11-15 2. 22-17 8-11");
    let clean = print("pdn clean", &games);
    let records = pdn::read(Variant::Pool, clean.as_bytes());
    let sides: Vec<_> = records.into_iter().map(|record| record.unwrap().start.side()).collect();
    assert_eq!(sides, [Side::Black, Side::White], "{clean}");
    let wrong = run("pdn count", &game("1. 11-16 2. 11-15"));
    assert!(String::from_utf8(wrong.stderr).unwrap().contains("11-15: not legal here"));
}

#[test]
fn short_notation_of_russian_books_is_read() {
    let output = run("pdn clean", "1. cd4 ba5 2. dc5 d:b4 3. ac5! (3. a:c5) *\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.ends_with("1. c3-d4 b6-a5 2. d4-c5 d6xb4 3. a3xc5! ( 3. a3xc5 ) *\n\n"), "{text}");
    let wrong = run("pdn clean -v russian", "1. cd4 ba5 2. de4 *\n");
    assert!(String::from_utf8(wrong.stderr).unwrap().contains("column 15: de4: "));
}

/// The files of the kinds that real collections contain: name, variant, plies, faults, and the only
/// message on standard error.
fn wild() -> Vec<[String; 5]> {
    let index = fs::read_to_string("tests/data/wild/index.tsv").unwrap();
    let fields = |line: &str| {
        let fields: Vec<_> = line.split('\t').map(str::to_owned).collect();
        <[String; 5]>::try_from(fields).unwrap()
    };
    index.lines().skip(1).map(fields).collect()
}

#[test]
fn files_from_the_wild_are_read() {
    for [name, variant, plies, faults, message] in wild() {
        let output = run(&format!("pdn count tests/data/wild/{name} --json"), "");
        let counts: Value = serde_json::from_slice(&output.stdout).unwrap();
        let count = |key: &str| counts[key].to_string();
        assert_eq!([count("plies"), count("faults")], [plies, faults.clone()], "{name}");
        assert!(counts["variants"][&variant].is_u64(), "{name}: {counts}");
        let errors = String::from_utf8(output.stderr).unwrap();
        let lines: Vec<_> = errors.lines().filter(|line| line.contains(&name)).collect();
        assert!(lines.iter().all(|line| line.ends_with(&message)), "{name}: {errors}");
        assert_eq!(lines.len(), usize::from(!message.is_empty()), "{name}: {errors}");
        assert_eq!(output.status.code(), Some(i32::from(faults != "0")), "{name}");
    }
}

#[test]
fn clean_writes_what_was_meant() {
    let clean = |name: &str| {
        let output = run(&format!("pdn clean tests/data/wild/{name}"), "");
        String::from_utf8(output.stdout).unwrap()
    };
    let quiet = clean("quiet_with_x.pdn");
    assert!(quiet.contains("1. 11-15 22-18 2. 15x22 25x18 3. 8-11 29-25"), "{quiet}");
    assert!(clean("dashes_in_capture.pdn").contains("1. 38x18"));
    assert!(clean("colon_and_star.pdn").contains("28x19 14x23"));
    for name in ["cp1251.pdn", "cp866.pdn", "koi8r.pdn"] {
        assert!(clean(name).contains("[White \"Петров\"]\n[Black \"Сидоров\"]"), "{name}");
    }
    assert!(clean("utf16.pdn").contains("[White \"Noël\"]"));
    assert!(clean("words.pdn").contains("14x23 { Black overstepped the time } 2-0"));
    assert!(clean("nested_comment.pdn").contains("32-28 { a {nested } 19-23"));
    let conflict = clean("result_conflict.pdn");
    assert!(conflict.contains("18-23 0-2") && !conflict.contains("1-1"), "{conflict}");
    let named = print("pdn clean tests/data/wild/koi8r.pdn --from-encoding windows-1251", "");
    assert!(named.contains("[White \"рЕФТПЧ\"]"), "{named}");
}

#[test]
fn side_lines_that_are_removed_need_not_be_legal() {
    for name in ["side_line_illegal.pdn", "side_line_null.pdn"] {
        let output = run(&format!("pdn clean tests/data/wild/{name} --no-variations"), "");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(!text.contains('('), "{text}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{name}");
    }
}

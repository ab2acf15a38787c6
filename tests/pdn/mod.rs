//! `manoury pdn`: filter, convert, clean, collect and count.

mod dialects;

use std::fs;
use std::time::Instant;

use manoury::notation::pdn;
use manoury::rules::Variant;
use serde_json::Value;

use crate::engine::cli::{print, run};

const GAMES: &str = "tests/data/games/plain_pdn3.pdn";
const COMMENTS: &str = "tests/data/games/comments_variations.pdn";

/// The files of good games, and what is in them: games and plies.
fn index() -> Vec<(String, Variant, usize, usize)> {
    let index = fs::read_to_string("tests/data/games/index.tsv").unwrap();
    let mut files: Vec<(String, Variant, usize, usize)> = Vec::new();
    for line in index.lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let (name, variant, status, plies) = (fields[0], fields[2], fields[3], fields[4]);
        if status == "error" {
            continue;
        }
        let plies: usize = plies.parse().unwrap();
        match files.iter_mut().find(|file| file.0 == name) {
            Some(file) => {
                file.2 += 1;
                file.3 += plies;
            }
            None => files.push((name.to_owned(), variant.parse().unwrap(), 1, plies)),
        }
    }
    files
}

#[test]
fn games_of_all_kinds_are_counted() {
    for (name, variant, games, plies) in index() {
        let output = print(&format!("pdn count tests/data/games/{name} -v {variant} --json"), "");
        let counts: Value = serde_json::from_str(&output).unwrap();
        assert_eq!((&counts["games"], &counts["plies"]), (&games.into(), &plies.into()), "{name}");
    }
}

#[test]
fn a_clean_game_stays_as_it_is() {
    for (name, variant, ..) in index() {
        let clean = print(&format!("pdn clean tests/data/games/{name} -v {variant}"), "");
        assert_eq!(print(&format!("pdn clean -v {variant}"), &clean), clean, "{name}");
    }
}

#[test]
fn conversions_read_back_the_same() {
    let text = fs::read_to_string(GAMES).unwrap();
    let moves = |text: &str| {
        let games = pdn::read(Variant::International, text.as_bytes());
        games.into_iter().map(|game| game.unwrap().game().moves()).collect::<Vec<_>>()
    };
    for habit in ["--notation numeric", "--notation algebraic", "--results one"] {
        let converted = print(&format!("pdn convert {GAMES} {habit}"), "");
        assert_eq!(moves(&converted), moves(&text), "{habit}");
    }
    let algebraic = print(&format!("pdn convert {GAMES} --notation algebraic --results one"), "");
    assert!(algebraic.contains("1. d4-e5 "), "{algebraic}");
    assert!(algebraic.contains("[Result \"1-0\"]"), "{algebraic}");
    // In Spanish draughts, squares are counted from the bottom right.
    let spanish = "[GameType \"24\"]\n\n1. 12-16 21-17 2. 11-15 22-18 *\n\n";
    for notation in ["", "--notation numeric"] {
        assert_eq!(print(&format!("pdn convert {notation}"), spanish), spanish, "{notation}");
    }
    let book = print(&format!("pdn convert {COMMENTS} --notation book"), "");
    assert!(book.contains("1. 32-28 (20-25) 2. 37-32 (15-20)") && !book.contains('{'), "{book}");
}

#[test]
fn encodings() {
    let game = "[White \"Ünïcödé高\"]\n\n1. 32-28 *\n";
    let output = run("pdn convert --encoding latin1", game);
    let line = output.stdout.split(|&byte| byte == b'\n').next().unwrap();
    assert_eq!(line, b"[White \"\xdcn\xefc\xf6d\xe9?\"]");
    for name in ["utf-8", "utf8"] {
        let text = print(&format!("pdn convert --encoding {name} --from-encoding {name}"), game);
        assert!(text.starts_with("[White \"Ünïcödé高\"]"), "{text}");
    }
    // Latin-1 is read, and UTF-8 written.
    let text = print("pdn clean tests/data/games/latin1.pdn", "");
    assert!(text.contains("André François"), "{text}");
}

#[test]
fn files_in_two_encodings_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pdn");
    let utf8 = "[Event \"NK 2003 – Amsterdam\"]\n\n1. 32-28 *\n\n";
    fs::write(&file, [utf8.as_bytes(), b"[White \"Andr\xe9\"]\n\n1. 31-27 *\n"].concat()).unwrap();
    let expected = format!("{utf8}[White \"André\"]\n\n1. 31-27 *\n\n");
    for command in ["filter", "sort --by site", "join"] {
        let output = run(&format!("pdn {command} {}", file.display()), "");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{command}");
        let note = format!("{}: read as utf-8, with parts in windows-1252\n", file.display());
        assert_eq!(String::from_utf8(output.stderr).unwrap(), note, "{command}");
    }
}

#[test]
fn filters() {
    let count = |conditions: &str| {
        let text = print(&format!("pdn filter {GAMES} {conditions}"), "");
        pdn::games(&text).count()
    };
    assert_eq!(count(""), 3);
    assert_eq!(count("--player CLERC"), 1);
    assert_eq!(count("--black clerc"), 0);
    assert_eq!(count("--event WORLD"), 3);
    assert_eq!(count("--event cup"), 0);
    assert_eq!(count("--result white"), 1);
    assert_eq!(count("--result draw --not"), 1);
    assert_eq!(count("--plies 81..200"), 2);
    assert_eq!(count("--since 2003.05 --until 2003"), 3);
    assert_eq!(count("--since 2004"), 0);
    assert_eq!(count("--pieces 8"), 2);
    assert_eq!(count("--position B:W26-28,31,33-50:B1-20"), 0);
    assert_eq!(count("--position B:W28,31,33-50:B1-20"), 1);
    assert_eq!(count("tests/data/games/russian_algebraic.pdn --position W:Wa1:Bb8"), 0);
    assert_eq!((count("--variant international"), count("--variant frisian")), (3, 0));
    assert_eq!(count("--variant frisian --not"), 3);
    // The text is that of the file.
    let text = fs::read_to_string(GAMES).unwrap();
    let chosen = print(&format!("pdn filter {GAMES} --player clerc"), "");
    assert!(text.contains(chosen.trim_end()), "{chosen}");
    let refused = run(&format!("pdn filter {GAMES} --position nowhere"), "");
    assert_eq!(refused.status.code(), Some(2));
    let other_board = "--variant international --position W:Wa9:Bb8";
    let refused = run(&format!("pdn filter {GAMES} {other_board}"), "");
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn clean_removes_duplicates_comments_and_variations() {
    let twice = fs::read_to_string(GAMES).unwrap().repeat(2);
    assert_eq!(pdn::games(&print("pdn clean", &twice)).count(), 6);
    assert_eq!(pdn::games(&print("pdn clean --unique", &twice)).count(), 3);
    let bare = print(&format!("pdn clean {COMMENTS} --no-comments --no-variations"), "");
    let (_, moves) = bare.split_once("\n\n").unwrap();
    assert!(!moves.contains('{') && !moves.contains(" ( "), "{bare}");
}

#[test]
fn games_are_joined_and_sorted() {
    let whites = |arguments: &str, input: &str| {
        let text = print(&format!("pdn {arguments}"), input);
        let line =
            |line: &str| Some(line.strip_prefix("[White \"")?.strip_suffix("\"]")?.to_owned());
        text.lines().filter_map(line).collect::<Vec<_>>()
    };
    let dated = |white: &str, date: &str, round: &str| {
        format!("[White \"{white}\"]\n[Date \"{date}\"]\n[Round \"{round}\"]\n\n1. 32-28 *\n\n")
    };
    let games = dated("A", "1999-05-??", "10")
        + &dated("B", "?", "9")
        + &dated("C", "3.2.1998", "?")
        + &dated("D", "1999", "2");
    let zeros = dated("E", "1999.00.00", "1") + &dated("F", "0000.00.00", "1");
    assert_eq!(whites("sort", &(zeros + &games)), ["C", "E", "D", "A", "F", "B"]);
    assert_eq!(whites("sort", &games), ["C", "D", "A", "B"]);
    assert_eq!(whites("sort --by date --reverse", &games), ["A", "D", "C", "B"]);
    assert_eq!(whites("sort --by round", &games), ["D", "B", "A", "C"]);
    assert_eq!(whites("sort --by plies,white --reverse", &games), ["D", "C", "B", "A"]);
    assert_eq!(print(&format!("pdn join {GAMES} -"), &games).matches("[White ").count(), 7);
    assert_eq!(whites("join --unique", &games), ["A"]);
    // Equal moves in another variant are another game, and so are other players without moves.
    let others = games.replace("[Round", "[GameType \"40\"]\n[Round")
        + &games.replace("[Round", "[Variant \"killer\"]\n[Round")
        + &games.replace("1. 32-28 ", "").repeat(2);
    assert_eq!(whites("join --unique", &(games + &others)), ["A", "A", "A", "A", "B", "C", "D"]);
}

#[cfg(unix)]
#[test]
fn sorting_names_the_folder_of_its_temporary_file() {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_manoury"));
    let output = command.args(["pdn", "sort"]).env("TMPDIR", "/nowhere").output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(errors.contains("/nowhere: No such file"), "{errors}");
}

#[test]
fn games_are_split_into_files() {
    let folder = tempfile::tempdir().unwrap();
    let command = format!("pdn split {GAMES} --by player --out {}", folder.path().display());
    let listed = print(&command, "");
    let mut games = 0;
    for line in listed.lines() {
        let (path, count) = line.split_once(": ").unwrap();
        let text = fs::read_to_string(path).unwrap();
        let count: usize = count.split(' ').next().unwrap().parse().unwrap();
        assert_eq!(pdn::games(&text).count(), count, "{line}");
        games += count;
    }
    assert_eq!(games, 6, "{listed}");
    let refused = run(&command, "");
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    // Names of players whose files are the same.
    for (number, names) in [["A/B", "a:b"], ["Jansen", "jansen "], ["?", ""]].iter().enumerate() {
        let game = format!("[White \"{}\"]\n[Black \"{}\"]\n\n1. 32-28 *\n", names[0], names[1]);
        let out = folder.path().join(number.to_string());
        let listed = print(&format!("pdn split --by player --out {}", out.display()), &game);
        assert!(listed.ends_with(".pdn: 1 game\n") && listed.lines().count() == 1, "{listed}");
    }
}

#[test]
fn tags_are_renamed_removed_and_set() {
    let game = "[Tournament \"Cup\"]\n[Time \"1\"]\n[Result \"2-0\"]\n\n1. 32-28 2-0\n";
    let text = print(
        "pdn tag --rename Tournament=Event --remove Time --set Site=Here --set Result=1-1",
        game,
    );
    assert!(text.starts_with("[Event \"Cup\"]\n[Result \"1-1\"]\n[Site \"Here\"]\n"), "{text}");
    assert!(text.contains("1. 32-28 1-1"), "{text}");
    for wrong in [
        "--set FEN=x",
        "--set Event",
        "--rename A=B-C",
        "--set Result=5-5",
        "--set GameType=25",
        "--set GameType=x",
        "--rename Time=GameType",
    ] {
        let output = run(&format!("pdn tag {wrong}"), game);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{wrong}");
    }
    let game =
        "[White \"A\"]\n[Black \"B\"]\n[Event \"old\"]\n[Tournament \"new\"]\n\n1. 32-28 2-0\n";
    let swapped = run("pdn tag --rename White=Black --rename Black=White", game);
    let text = String::from_utf8(swapped.stdout).unwrap();
    assert!(text.starts_with("[Black \"A\"]\n[White \"B\"]\n"), "{text}");
    assert_eq!(String::from_utf8(swapped.stderr).unwrap(), "");
    let replaced = run("pdn tag --rename Tournament=Event", game);
    assert!(!String::from_utf8(replaced.stdout).unwrap().contains("old"));
    let message = "tag Event: \"old\" is replaced by a renamed tag\n";
    assert_eq!(String::from_utf8(replaced.stderr).unwrap(), message);
    for right in ["GameType=20", "Variant=international", "Result=*", "Result=1-0"] {
        print(&format!("pdn tag --set {right}"), game);
    }
}

#[test]
fn statistics_name_players_and_openings() {
    let game = |white: &str, result: &str| {
        format!("[White \"{white}\"]\n[Black \"B\"]\n\n1. 32-28 18-23 {result}\n\n")
    };
    let games = game("A", "2-0") + &game("A ", "1-1") + &game("B", "*");
    let object: Value = serde_json::from_str(&print("pdn stats --json --plies 2", &games)).unwrap();
    assert_eq!((&object["games"], &object["white"]), (&3.into(), &1.into()), "{object}");
    let players = &object["players"];
    assert_eq!(
        players[0],
        serde_json::json!({"name": "B", "games": 3, "won": 0, "drawn": 1, "lost": 1})
    );
    assert_eq!(
        players[1],
        serde_json::json!({"name": "A", "games": 2, "won": 1, "drawn": 1, "lost": 0})
    );
    assert_eq!(object["openings"][0]["name"], "1. 32-28 18-23");
    let counts: Value = serde_json::from_str(&print("pdn count --json", &games)).unwrap();
    for (name, count) in counts.as_object().unwrap() {
        assert_eq!(&object[name], count, "{name}");
    }
    let text = print("pdn stats --top 1", &games);
    assert!(text.starts_with("3 games, 2.0 plies on average: White won 33.3 %"), "{text}");
    assert!(text.contains(" 25.0      3    0      1     1       B\n"), "{text}");
    let mixed = games + "[GameType \"40\"]\n\n1. 32-28 18-23 *\n";
    let object: Value = serde_json::from_str(&print("pdn stats --json --plies 2", &mixed)).unwrap();
    let openings = object["openings"].as_array().unwrap();
    let names: Vec<_> = openings.iter().map(|opening| opening["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["1. 32-28 18-23 (international)", "1. 32-28 18-23 (frisian)"]);
}

#[test]
fn reports_faults_by_file_line_and_column() {
    let games = "[White \"A\"]\n\n1. 32-28 19-23 2. 1-2 *\n\n[White \"B\"]\n\n1. 33-28 *\n";
    let output = run("pdn clean", games);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("-, line 3, column 19: 1-2: not legal here"), "{error}");
    assert_eq!(pdn::games(&String::from_utf8(output.stdout).unwrap()).count(), 1);
    let kept = run("pdn clean --keep-faulty", games);
    assert_eq!(pdn::games(&String::from_utf8(kept.stdout).unwrap()).count(), 2);
    assert_eq!(run("pdn count nowhere.pdn", "").status.code(), Some(3));
}

#[test]
fn the_variant_is_inferred_from_the_moves() {
    let games = "1. 11-15 23-19 2. 8-11 22-17 *\n\n1. c3-d4 b6-a5 2. d4-c5 *\n";
    let output = run("pdn count --json", games);
    let counts: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(counts["variants"]["english"], 1, "{counts}");
    assert_eq!(counts["faults"], 0, "{counts}");
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("-, line 1, column 4: read as variant english"), "{notes}");
}

#[test]
fn dates_are_compared_as_dates() {
    let games = |condition: &str| {
        let text = print(&format!("pdn filter tests/data/wild/dates.pdn {condition}"), "");
        ["32-28", "33-28", "33-29"].map(|mv| text.contains(mv))
    };
    assert_eq!(games("--since 1998.06.01"), [true, true, false]);
    assert_eq!(games("--until 1998.06.30"), [false, true, true]);
    assert_eq!(games("--since 1998 --until 1998"), [true; 3]);
    assert_eq!(games("--since 3.11.1998"), [true, true, false]);
    assert_eq!(games("--since 1999"), [false; 3]);
    let zeros = fs::read_to_string("tests/data/wild/dates.pdn").unwrap().replace("??", "00");
    let found = print("pdn filter --since 1998.06.01", &zeros);
    assert_eq!(["32-28", "33-28", "33-29"].map(|mv| found.contains(mv)), [true, true, false]);
    let unknown = "[Date \"0000.00.00\"]\n\n1. 32-28 *\n";
    assert_eq!(print("pdn filter --until 1960", unknown), "");
    let refused = run("pdn filter tests/data/wild/dates.pdn --since spring", "");
    assert_eq!(refused.status.code(), Some(2));
}

/// Texts of `size` parts that made a reader look at the rest of the file again and again.
#[test]
fn reading_takes_time_in_proportion_to_the_text() {
    let parts = [
        "{\n",
        "(",
        "( 1. 32-28",
        "32-28 ",
        "$",
        "[a \"",
        "[GameType \"20\"]\n",
        "28*",
        "/W",
        "--",
        "33 ",
        "=",
        "word ",
        "12 ",
        "0.05 ",
        "2-0 (",
        "[a \"\"]\n\n",
        "{x}[a \"\"]",
        "[b \"\"]\n[a \"\"]\n",
        "32-28word",
        "}",
    ];
    for part in parts {
        let seconds = |size: usize| {
            let text = "1. 32-28 ".to_owned() + &part.repeat(size);
            let read = || {
                let start = Instant::now();
                for game in pdn::games(&text) {
                    let _ = pdn::read_any_game(Variant::International, &game, &mut Vec::new());
                }
                start.elapsed().as_secs_f64()
            };
            // The fastest of several runs is hardly disturbed by other work.
            (0..3).map(|_| read()).fold(f64::INFINITY, f64::min)
        };
        // Eight times the text in quadratic time would take 64 times as long. On a busy machine one
        // measurement in many is that far off by chance, three in a row are not.
        let is_linear = (0..3).any(|_| {
            let (one, many) = (seconds(5_000), seconds(40_000));
            many < 0.1 || many < 24.0 * one
        });
        assert!(is_linear, "{part:?}");
    }
}

#[test]
fn a_fault_of_a_guessed_game_names_the_option() {
    let errors = |text: &str| String::from_utf8(run("pdn count", text).stderr).unwrap();
    let guessed = errors("1. 32-28 1-2 *");
    let hint = "(read as variant international); use -v to select a different variant\n";
    assert!(guessed.contains(hint), "{guessed}");
    assert!(errors("[GameType \"37\"]\n1. 32-28 1-2 *").contains(hint));
    assert!(!errors("[GameType \"20\"]\n1. 32-28 1-2 *").contains("-v"));
}

use serde_json::{Value, json};

use super::{MAX_REQUEST, MAX_TEXT, PageApi};

fn respond(request: Value) -> Value {
    let reply: Value =
        serde_json::from_str(&PageApi::default().answer(&request.to_string())).unwrap();
    assert_eq!(reply["id"], request["id"], "{reply}");
    reply
}

fn answer(request: Value) -> Value {
    let mut reply = respond(request);
    assert_eq!(reply.get("error"), None);
    reply["answer"].take()
}

#[test]
fn lists_games_and_draws_boards() {
    let games = answer(json!({"id": 1, "ask": "games"}));
    assert_eq!(
        games["games"][0],
        json!({"name": "international", "hub": "normal", "tag": ["GameType", "20"]})
    );
    assert!(games["pieces"].as_str().unwrap().contains("id=\"piece-W\""));
    let board = answer(json!({"id": 1, "ask": "board", "variant": "russian"}));
    assert_eq!((&board["size"], &board["squares"][0]), (&json!(8), &json!([0, 1, "b8"])));
    assert!(board["drawing"].as_str().unwrap().contains("id=\"board-russian-flipped\""));
    assert_eq!(board["captures"], "captures_any");
}

#[test]
fn a_position_has_its_moves_and_its_hub_line() {
    let request = json!({"id": 5, "ask": "position", "variant": "international", "moves": ["32-28", "19-23"]});
    let position = answer(request);
    assert_eq!(position["moves"].as_array().unwrap().len(), 1);
    assert_eq!(
        position["moves"][0],
        json!({"hub": "28x19x23", "text": "28x19", "from": 28, "way": [19], "captured": [23]})
    );
    assert_eq!((&position["side"], &position["number"]), (&json!("white"), &json!("2.")));
    assert!(position["hub"].as_str().unwrap().ends_with("moves=\"32-28 19-23\""), "{position}");
    assert_eq!(position["end"], Value::Null);
}

#[test]
fn captures_list_their_landing_squares() {
    let start = "W:WK48:B9,12,20,23,42";
    let position =
        answer(json!({"id": 1, "ask": "position", "variant": "international", "start": start}));
    for mv in position["moves"].as_array().unwrap() {
        assert_eq!(mv["way"].as_array().unwrap().len(), mv["captured"].as_array().unwrap().len());
    }
}

#[test]
fn reports_the_end_of_a_game() {
    let end = |variant: &str, start: &str| {
        let place = json!({"id": 1, "ask": "position", "variant": variant, "start": start});
        answer(place)["end"].take()
    };
    assert_eq!(end("international", "W:W:B1"), json!({"result": "0-2", "reason": "no_pieces"}));
    assert_eq!(end("losing", "W:W:B1"), json!({"result": "2-0", "reason": "no_pieces"}));
}

#[test]
fn sets_up_positions() {
    let pieces = |changes: &[(usize, &str)]| {
        let mut pieces = vec!["."; 50];
        for &(square, letter) in changes {
            pieces[square - 1] = letter;
        }
        pieces.concat()
    };
    let setup = |pieces: String| {
        respond(json!({"id": 9, "ask": "setup", "variant": "international", "side": "black",
            "pieces": pieces}))
    };
    let fine = setup(pieces(&[(28, "W"), (5, "b")]));
    assert_eq!(fine["answer"]["fen"], "B:WK28:B5");
    let error = setup(pieces(&[(1, "w"), (5, "b")]))["error"].to_string();
    assert!(error.contains("promotion square 1"), "{error}");
    for invalid in [pieces(&[(1, "x")]), ".".repeat(300), String::new()] {
        assert!(setup(invalid)["error"].is_string());
    }
}

#[test]
fn reads_annotated_games() {
    let text = "[Event \"?\"]\n[White \"A\"]\n\n1. 32-28! {good} (1. 33-28 19-23 2. 28x19) 19-23 \
                {[%eval -0.35]} 2. 28x19 14x23 1-1";
    let read = answer(json!({"id": 1, "ask": "read", "variant": "international", "text": text}));
    let game = &read["games"][0];
    let moves = &game["line"]["moves"];
    assert_eq!((&game["result"], &game["start"]), (&json!("1-1"), &json!("")));
    assert_eq!((&moves[0]["strength"], &moves[0]["comments"]), (&json!("!"), &json!(["good"])));
    assert_eq!((&moves[1]["score"], &moves[2]["score"]), (&json!("-0.35"), &Value::Null));
    assert!((0.3..0.5).contains(&moves[1]["chances"].as_f64().unwrap()));
    let side = &moves[0]["lines"][0]["moves"];
    assert_eq!((&side[2]["text"], &side[2]["number"]), (&json!("28x19"), &json!("2.")));
}

#[test]
fn reads_positions_and_rejects_nonsense() {
    let read = |text: &str| {
        respond(json!({"id": 3, "ask": "read", "variant": "international", "text": text}))
    };
    let game = &read("B:W31,32,K45:B19,K20")["answer"]["games"][0];
    assert_eq!(game["start"], "B:W31,32,K45:B19,K20");
    let error = read("W:W60:B1")["error"].to_string();
    assert!(error.contains("column 4: square 60 is not on the board"), "{error}");
    let error = read("hello")["error"].to_string();
    assert!(error.len() > 10, "{error}");
    let two = &read("1. 32-28 2-0 1. 33-28 1-1")["answer"];
    assert_eq!((&two["games"][1], &two["left_off"]), (&Value::Null, &json!(1)));
    // The moves before an error are kept.
    let broken = read("1. 32-28 19-23 2. 1-1000 *");
    assert_eq!(broken["answer"]["games"][0]["line"]["moves"].as_array().unwrap().len(), 2);
    assert_eq!(broken["answer"]["notes"].as_array().unwrap().len(), 1);
    // What follows it stays as a comment, and the result counts.
    let broken = read("1. 32-28 19-23\n2. 1-1000 {é} 14-19 (3. 37-32)\n3... 10-14 1-1\n\n");
    let game = &broken["answer"]["games"][0];
    let last = &game["line"]["moves"][1];
    assert_eq!(last["comments"], json!(["1-1000 (é) 14-19 (3. 37-32) 3... 10-14"]));
    assert_eq!(game["result"], "1-1");
}

#[test]
fn formats_search_lines_for_display() {
    let info = "info depth=12 mean-depth=3.1 score=0.35 nodes=1000 time=0.5 nps=2 pv=\"19-23 28x19x23 \
                14x23x19 33-28\" multipv=2";
    let place = json!({"id": 1, "ask": "lines", "variant": "international", "moves": ["32-28"],
        "infos": [info, "done", "info depth=1"]});
    let lines = answer(place);
    assert_eq!(lines.as_array().unwrap().len(), 1);
    assert_eq!(lines[0]["score"], "-0.35");
    assert!((0.3..0.5).contains(&lines[0]["chances"].as_f64().unwrap()));
    assert_eq!(lines[0]["text"], "1... 19-23 2. 28x19 14x23 3. 33-28");
    assert_eq!((&lines[0]["from"], &lines[0]["rank"]), (&json!(19), &json!(2)));
}

#[test]
fn a_review_marks_bad_moves() {
    let info = |score: &str, best: &str| vec![format!("info depth=9 score={score} pv={best}")];
    let request = json!({"id": 1, "ask": "review", "variant": "international",
        "moves": ["32-28", "18-23"], "names": ["A", "B"],
        "searches": [info("0", "33-28"), info("1", "18-23"), info("-1", "38-32")]});
    let game = answer(request.clone());
    assert_eq!(
        (&game["plies"][0]["mark"], &game["plies"][1]["mark"]),
        (&json!("??"), &Value::Null)
    );
    assert_eq!(game["plies"][0]["better"][0]["move"]["from"], 33);
    let mut short = request.clone();
    short["searches"] = json!([]);
    assert!(respond(short)["error"].to_string().contains("0 searches of 3 positions"));
    // The mark is clear, so the positions before and after it are searched again only once.
    let confirm = |rounds: [usize; 3]| {
        let mut request = request.clone();
        (request["ask"], request["rounds"]) = (json!("confirm"), json!(rounds));
        answer(request)
    };
    assert_eq!(confirm([0; 3]), json!({"round": 1, "plies": [0, 1], "factor": 3}));
    assert_eq!(confirm([1, 1, 0])["round"], 2);
    assert_eq!(confirm([2, 2, 0]), Value::Null);
}

#[test]
fn a_single_legal_move_needs_no_search() {
    let info = |score: &str, best: &str| vec![format!("info depth=9 score={score} pv={best}")];
    // White has to capture, and Black has to recapture.
    let searches = json!([info("0", "32-28"), [], [], info("0.5", "37-32")]);
    let moves = ["32-28", "19-23", "28x19x23"];
    let game = answer(json!({"id": 1, "ask": "review", "variant": "international",
        "moves": moves, "names": ["A", "B"], "searches": searches}));
    let scores: Vec<_> = (0..3).map(|ply| game["plies"][ply]["score"].clone()).collect();
    assert_eq!(scores[1..], [json!("-0.50"), json!("-0.50")]);
}

#[test]
fn looks_positions_up_in_book_and_bitbases() {
    let words = answer(json!({"id": 1, "ask": "words", "variant": "international"}));
    assert!(words["book"].as_array().unwrap().len() > 3);
    let place = json!({"id": 1, "ask": "words", "variant": "international", "start": "W:WK28:BK5"});
    assert_eq!(answer(place)["bitbases"], json!({"winner": "white", "moves": 2}));
}

#[test]
fn rejects_requests_that_are_too_large() {
    let mut api = PageApi::default();
    let read = |length| {
        let text = "x".repeat(length);
        json!({"id": 5, "ask": "read", "variant": "international", "text": text}).to_string()
    };
    for length in [MAX_TEXT + 1, MAX_REQUEST] {
        let reply = api.answer(&read(length));
        assert!(
            reply.starts_with("{\"id\":5,\"error\":") && reply.contains("larger than"),
            "{reply}"
        );
    }
    assert_eq!(answer(json!({"id": 1, "ask": "games"}))["max_text"], MAX_TEXT);
}

#[test]
fn rejects_games_that_are_too_long() {
    let read = |text: String| {
        let line = json!({"id": 5, "ask": "read", "variant": "international", "text": text});
        PageApi::default().answer(&line.to_string())
    };
    for text in ["$1 ", "(", "1. 32-28 19-23 2. 28x19 14x23 "].map(|part| part.repeat(250_000)) {
        let reply = read(text);
        assert!(reply.contains("error") && reply.contains("more than"), "{reply:.200}");
    }
    let notes = format!("1. 32-28 {}*", "oops ".repeat(1000));
    assert!(read(notes).len() < 50_000);
}

#[test]
fn error_responses_repeat_the_request_id() {
    let mut api = PageApi::default();
    for line in ["{", "{}", "{\"id\": -1}", "{\"id\": 1, \"ask\": \"nothing\"}"] {
        let reply = api.answer(line);
        assert!(PageApi::is_request(line) && reply.contains("error"), "{reply}");
    }
    assert!(api.answer("{\"id\": 77, \"ask\": \"nothing\"}").starts_with("{\"id\":77,"));
    let place = json!({"id": 8, "ask": "position", "variant": "chess"});
    assert!(respond(place)["error"].to_string().contains("chess"));
    let place = json!({"id": 8, "ask": "position", "variant": "killer", "moves": ["1-2"]});
    assert!(respond(place)["error"].to_string().contains("move 1"));
}

/// The API with an opened file whose text arrives in parts of `part` characters.
fn opened(text: &str, part: usize) -> PageApi {
    let mut api = PageApi::default();
    let mut ask = |request: Value| {
        let reply: Value = serde_json::from_str(&api.answer(&request.to_string())).unwrap();
        assert!(reply.get("error").is_none(), "{reply}");
    };
    ask(json!({"id": 1, "ask": "open", "variant": "international"}));
    let characters: Vec<_> = text.chars().collect();
    for part in characters.chunks(part) {
        let text: String = part.iter().collect();
        ask(json!({"id": 2, "ask": "add", "text": text, "last": false}));
    }
    ask(json!({"id": 3, "ask": "add", "text": "", "last": true}));
    api
}

const FILE: &str =
    "[Event \"Cup {A}\"]\n[White \"Méar\"]\n[Black \"Ben\"]\n[Date \"1995.04.??\"]\n\n\
    1. 32-28 {a comment\n[with a tag]} 19-23 2. 28x19 14x23 2-0 {Ben

[resigns]}\n\n\
    [White \"Carl\"]\n[Black \"Méar\"]\n\n1. 33-28 19-23 2. 28x19 14x23 1-1\n\n\
    [White \"Dan\"]\n[GameType \"25\"]\n\n1. c3-d4 d6-c5 *\n\n\
    1. 32-28 18-22 2. 28x99 0-2\n";

#[test]
fn games_of_a_file_are_the_same_however_its_text_arrives() {
    let whole = opened(FILE, FILE.len());
    for part in [1, 7, 100] {
        let api = opened(FILE, part);
        let texts = |api: &PageApi| format!("{:?}", api.collection);
        assert_eq!(texts(&api), texts(&whole), "{part}");
    }
}

#[test]
fn finds_games_by_player_event_result_date_and_position() {
    let mut api = opened(FILE, 100);
    let mut find = |query: Value, position: Value| -> Vec<u64> {
        let request = json!({"id": 9, "ask": "find", "query": query, "position": position,
            "offset": 0, "limit": 50});
        let reply: Value = serde_json::from_str(&api.answer(&request.to_string())).unwrap();
        let games = reply["answer"]["games"].as_array().unwrap_or_else(|| panic!("{reply}"));
        assert_eq!(reply["answer"]["count"], games.len());
        games.iter().map(|game| game["index"].as_u64().unwrap()).collect()
    };
    let anywhere = Value::Null;
    assert_eq!(find(json!({}), anywhere.clone()), [0, 1, 2, 3]);
    assert_eq!(find(json!({"player": "MÉAR"}), anywhere.clone()), [0, 1]);
    assert_eq!(find(json!({"event": "cup"}), anywhere.clone()), [0]);
    assert_eq!(find(json!({"result": "draw"}), anywhere.clone()), [1]);
    assert_eq!(find(json!({"since": "1995.04.20", "until": "1996"}), anywhere), [0]);
    let after = |moves: Value| json!({"variant": "international", "moves": moves});
    // Both games reach this position, by different moves; the Russian one is on another board.
    let moves = json!(["32-28", "19-23", "28x19x23"]);
    assert_eq!(find(json!({}), after(moves)), [0]);
    assert_eq!(find(json!({}), after(json!([]))), [0, 1, 3]);
    assert_eq!(find(json!({"player": "ben"}), after(json!(["32-28"]))), [0]);
    let request =
        json!({"id": 9, "ask": "find", "query": {"since": "spring"}, "offset": 0, "limit": 1});
    assert!(api.answer(&request.to_string()).contains("not a date"));
}

#[test]
fn explores_and_exports_the_games_of_a_file() {
    let mut api = opened(FILE, 100);
    let mut ask = |request: Value| -> Value {
        let mut reply: Value = serde_json::from_str(&api.answer(&request.to_string())).unwrap();
        assert!(reply.get("error").is_none(), "{reply}");
        reply["answer"].take()
    };
    let explored = ask(json!({"id": 1, "ask": "explore", "variant": "international"}));
    assert_eq!(explored["games"], 3);
    let book = answer(json!({"id": 1, "ask": "words", "variant": "international"}));
    assert_eq!(
        explored["moves"][0],
        json!({"hub": "32-28", "text": "32-28", "games": 2, "white": 1, "draws": 0, "black": 0,
            "score": book["book"].as_array().unwrap().iter().find(|mv| mv["hub"] == "32-28")
                .map(|mv| &mv["score"])})
    );
    let exported = ask(json!({"id": 2, "ask": "export", "query": {"player": "dan"}, "offset": 0}));
    let text = "[White \"Dan\"]\n[GameType \"25\"]\n\n1. c3-d4 d6-c5 *";
    assert_eq!(exported, json!({"games": [[2, text]], "next": null}));
    let game = ask(json!({"id": 3, "ask": "game", "index": 3}));
    assert_eq!(game["games"][0]["line"]["moves"].as_array().unwrap().len(), 2);
    assert_eq!(game["notes"].as_array().unwrap().len(), 1);
}

#[test]
fn the_explorer_shows_the_mean_of_the_evaluations_in_a_file() {
    let file = "[White \"A\"]\n\n1. 32-28 {[%eval 0.20]} 18-23 {[%eval -0.10]} *\n\n\
                [White \"B\"]\n\n1. 32-28 {good [%eval 0.31]} 19-23 {[%eval #5]} *\n\n\
                [White \"C\"]\n\n1. 32-28 17-22 *\n";
    let mut api = opened(file, 1000);
    let mut scores = |moves: &[&str]| {
        let request =
            json!({"id": 1, "ask": "explore", "variant": "international", "moves": moves});
        let reply: Value = serde_json::from_str(&api.answer(&request.to_string())).unwrap();
        let moves = reply["answer"]["moves"].as_array().unwrap().clone();
        moves
            .into_iter()
            .map(|mv| (mv["text"].to_string(), mv["score"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(scores(&[])[0].1, "+0.26");
    assert!(scores(&["32-28"]).contains(&("\"18-23\"".to_owned(), json!("-0.10"))));
}

#[test]
fn asks_for_a_file_and_names_encodings() {
    let request = json!({"id": 1, "ask": "game", "index": 0});
    assert_eq!(respond(request)["error"], "no file is open");
    let bytes = json!({"id": 1, "ask": "encoding", "bytes": "Gu\u{e8}ye"});
    assert_eq!(answer(bytes), "windows-1252");
}

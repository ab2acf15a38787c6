//! Every variant from end to end with the real program: a Hub session, an analysis, a match, DXP
//! where it has the board, bitbases and the book.

use std::collections::HashSet;
use std::thread;

use manoury::book::Book;
use manoury::erased::Position;
use manoury::notation::hub;
use manoury::rules::Variant;
use serde_json::Value;

use crate::dxp::program::Program;
use crate::engine::cli::{print, run};
use crate::engine::client::Client;

/// The first value of a name in a Hub line such as `done move=32-28`.
fn field<'a>(line: &'a str, name: &str) -> &'a str {
    let words = line.split(' ');
    let values = words.filter_map(|word| word.split_once('='));
    values.filter(|(key, _)| *key == name).map(|(_, value)| value).next().expect(line)
}

fn legal_moves(position: &Position) -> HashSet<String> {
    position.legal_moves().into_iter().map(hub::format_move).collect()
}

/// The engine answers with legal moves for eight plies.
fn hub_session(variant: Variant) {
    let mut client = Client::start(&["hub"]);
    client.send(b"hub\n");
    client.line_of("wait");
    client.send(
        format!("set-param name=tt-size value=16\nset-param name=variant value={variant}\ninit\n")
            .as_bytes(),
    );
    client.line_of("ready");
    let mut position = Position::start(variant);
    let start = hub::format_position(&position);
    let mut played = Vec::new();
    for _ in 0..8 {
        let moves = played.join(" ");
        client.send(
            format!("pos pos={start} moves=\"{moves}\"\nlevel depth=3\ngo think\n").as_bytes(),
        );
        let done = client.line_of("done");
        let mv = field(&done, "move").to_owned();
        let legal = position.legal_moves();
        let found = legal.into_iter().find(|&legal| hub::format_move(legal) == mv);
        position = position.after(found.unwrap_or_else(|| panic!("{variant}: {mv} after {moves}")));
        played.push(mv);
    }
}

fn analysis(variant: Variant) {
    let found = print(&format!("analyze --variant {variant} --depth 4 --tt-size 16 --json"), "");
    let found: Value = serde_json::from_str(found.lines().last().unwrap()).unwrap();
    let first = found["lines"][0]["pv"][0].as_str().unwrap_or_default();
    assert!(legal_moves(&Position::start(variant)).contains(first), "{variant}: {found}");
}

/// Two games between two programs end, and both programs keep to the rules.
fn match_of_two(variant: Variant) {
    let engine = format!("{} hub,param.tt-size=16", env!("CARGO_BIN_EXE_manoury"));
    let name = variant.to_string();
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_manoury"))
        .args(["match", "--variant", &name, "--games", "2", "--nodes", "300", "--json"])
        .args(["--engine", &engine, "--engine", &engine])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let pairing = &last["pairings"][0];
    let count = |name: &str| pairing[name].as_u64().unwrap_or_else(|| panic!("{last}"));
    assert_eq!(count("wins") + count("draws") + count("losses"), 2, "{variant}: {last}");
    assert!(!text.contains("illegal"), "{variant}: {text}");
}

/// A king against a king, and the book moves of the start position.
fn knowledge(variant: Variant) {
    let squares = variant.grid().squares();
    let fen = format!("W:WK{squares}:BK2");
    let probe = print(&format!("bitbase probe --variant {variant} --fen {fen} --json"), "");
    let probe: Value = serde_json::from_str(probe.trim()).unwrap();
    assert!(probe["value"].is_string(), "{variant}: {probe}");

    if Book::embedded(variant).is_none() {
        let refused = run(&format!("book probe --variant {variant}"), "");
        assert_eq!(refused.status.code(), Some(2), "{variant}");
        return;
    }
    let book = print(&format!("book probe --variant {variant} --json"), "");
    let book: Value = serde_json::from_str(book.trim()).unwrap();
    let moves = book["moves"].as_array().unwrap();
    assert!(!moves.is_empty(), "{variant}");
    let legal = legal_moves(&Position::start(variant));
    for mv in moves {
        assert!(legal.contains(mv["move"].as_str().unwrap()), "{variant}: {mv}");
    }
}

/// A game over DXP; a board that it does not have is refused.
fn dxp(variant: Variant) {
    let name = variant.to_string();
    if variant.grid().squares() != 50 {
        let refused = run(&format!("dxp --variant {variant}"), "");
        assert_eq!(refused.status.code(), Some(2), "{variant}");
        return;
    }
    let options = ["--variant", &name, "--games", "1"];
    let (listener, address) = Program::listen(&options);
    let wishes = ["--connect", &address, "--minutes", "0.01"];
    let caller = Program::start(&[&wishes, &options[..]].concat());
    for program in [caller, listener] {
        let left = program.wait();
        assert_eq!(left.code, Some(0), "{variant}: {}", left.errors);
        assert!(left.output.contains("games=1 "), "{variant}: {}", left.output);
        assert!(left.output.contains("unknown=0"), "{variant}: {}", left.output);
    }
}

#[test]
fn each_game_is_played() {
    for &variant in Variant::ALL {
        hub_session(variant);
        analysis(variant);
        match_of_two(variant);
        knowledge(variant);
    }
}

#[test]
fn each_game_is_played_over_dxp() {
    // The programs pause after each move, so the games are played at the same time.
    thread::scope(|scope| {
        for &variant in Variant::ALL {
            scope.spawn(move || dxp(variant));
        }
    });
}

//! How connections are made and closed.

use std::fs;
use std::net::TcpListener;
use std::thread;

use manoury::erased::Game;
use manoury::notation::pdn;
use manoury::rules::Variant;

use crate::dxp::peer::Peer;
use crate::dxp::program::Program;

/// Plays two games of the program against itself.
fn play_itself(listener: &str, caller: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pdn");
    let (first, address) =
        Program::listen(&[listener, "--games", "2", "--minutes", "0.02", "--name", "First"]);
    let second = Program::start(&[
        "--connect",
        &address,
        caller,
        "--games",
        "2",
        "--minutes",
        "0.02",
        "--pdn",
        file.to_str().unwrap(),
    ]);
    let (first, second) = (first.wait(), second.wait());
    for left in [&first, &second] {
        assert_eq!(left.code, Some(0), "{}{}", left.output, left.errors);
        assert_eq!(left.errors, "");
        assert!(
            left.output.contains("games=2 ") && left.output.contains("unknown=0"),
            "{}",
            left.output
        );
    }
    // Both report the same games.
    let plies = |text: &str| -> Vec<String> {
        text.lines().filter_map(|line| Some(line.split_once(" plies")?.0.to_owned())).collect()
    };
    assert_eq!(plies(&first.output), plies(&second.output));
    let games: Vec<_> = pdn::read(Variant::International, &fs::read(&file).unwrap());
    assert_eq!(games.len(), 2);
    for game in games {
        assert!(game.unwrap().game().plies() > 20);
    }
}

#[test]
fn plays_itself_in_all_roles() {
    // The programs pause after each move, so both pairs play at the same time.
    thread::scope(|scope| {
        scope.spawn(|| play_itself("--follower", "--initiator"));
        scope.spawn(|| play_itself("--initiator", "--follower"));
    });
}

#[test]
fn a_listener_accepts_opponents_in_turn() {
    // With its book it could move before it sees that the first peer has left.
    let (program, address) = Program::listen(&["--games", "2", "--no-book"]);
    // The first peer disconnects during a game, which counts as a lost connection; the second
    // before any game, which does not count.
    let mut peer = Peer::connect(&address);
    peer.ask('W', "999000A");
    drop(peer);
    drop(Peer::connect(&address));
    let mut peer = Peer::connect(&address);
    peer.say("E01");
    assert_eq!(peer.hear(), None);
    let mut peer = Peer::connect(&address);
    peer.ask('Z', "001000A");
    peer.say("E11");
    peer.expect("E01");
    let left = program.wait();
    assert_eq!(left.code, Some(1));
    assert!(
        left.output.contains("1. Manoury 0.1.0 - Peer * 0 plies, connection lost"),
        "{}",
        left.output
    );
    assert!(left.output.contains("2. Peer - Manoury 0.1.0 0-2"), "{}", left.output);
}

/// DXP cannot resume a game, and the first program may still be playing. A program that connects
/// meanwhile must be told why it has to wait.
#[test]
fn a_program_that_connects_during_a_game_is_told_to_wait() {
    let (program, address) = Program::listen(&["--games", "2", "--no-book"]);
    let mut first = Peer::connect(&address);
    first.ask('Z', "999000A");
    let mut second = Peer::connect(&address);
    let notice = second.hear().unwrap();
    assert!(notice.starts_with("CAnother game is in progress."), "{notice}");
    first.say("E11");
    first.expect("E01");
    drop(first);
    second.ask('Z', "001000A");
    second.say("E11");
    second.expect("E01");
    let left = program.wait();
    assert_eq!(left.code, Some(0), "{}{}", left.output, left.errors);
    assert!(left.output.contains("games=2 wins=2"), "{}", left.output);
}

#[test]
fn reconnects_after_a_lost_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let program = Program::start(&["--connect", &address, "--games", "2", "--minutes", "1"]);
    for is_last in [false, true] {
        let mut peer = Peer::accept(&listener);
        assert!(peer.hear().unwrap().starts_with("R01"));
        peer.say(&format!("A{:32}0", "Peer"));
        if is_last {
            peer.say("E11");
            peer.expect("E01");
        } else {
            peer.take_move(&mut Game::new(Variant::International));
        }
    }
    let left = program.wait();
    let expected = "1. Manoury 0.1.0 - Peer * 1 plies, connection lost\n\
                    2. Peer - Manoury 0.1.0 0-2 0 plies, White resigns\n\
                    games=2 wins=1 draws=0 losses=0 unknown=1\n";
    assert_eq!((left.output.as_str(), left.code), (expected, Some(1)));
}

#[test]
fn an_initiator_reports_a_refusal() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let program = Program::start(&["--connect", &address]);
    let mut peer = Peer::accept(&listener);
    assert!(peer.hear().unwrap().starts_with("R01"));
    peer.say(&format!("A{:32}2", "Peer"));
    let left = program.wait();
    assert_eq!(
        (left.code, left.errors.as_str()),
        (Some(1), "the opponent does not support this game\n")
    );
}

#[test]
#[cfg(unix)]
fn signals_end_the_game_with_a_message() {
    for (signal, is_thinking) in [("INT", true), ("TERM", true), ("INT", false)] {
        let (program, address) = Program::listen(&["--no-book"]);
        let mut peer = Peer::connect(&address);
        peer.ask(if is_thinking { 'W' } else { 'Z' }, "999000A");
        program.signal(signal);
        peer.expect("E01");
        let left = program.wait();
        assert_eq!(left.code, Some(0));
        assert!(left.output.contains("0 plies, interrupted"), "{}", left.output);
    }
    let (program, _) = Program::listen(&["--games", "1"]);
    program.signal("TERM");
    let left = program.wait();
    assert_eq!((left.code, left.errors.as_str()), (Some(1), "interrupted\n"));
}

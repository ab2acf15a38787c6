//! Games, message by message.

use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use manoury::erased::Game;
use manoury::rules::Variant;

use crate::dxp::peer::Peer;
use crate::dxp::program::Program;

/// A position in DXP notation: white men on 28 and 33, a black man on `black`.
fn position(side: char, black: usize) -> String {
    let letter = |square| match square {
        28 | 33 => 'w',
        square if square == black => 'z',
        _ => 'e',
    };
    let squares: String = (1..=50).map(letter).collect();
    format!("{side}{squares}")
}

/// A game at its start.
fn new_game() -> Game {
    Game::new(Variant::International)
}

fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (listener, address)
}

#[test]
fn several_games_on_one_connection_as_follower() {
    let (program, address) = Program::listen(&["--games", "3"]);
    let mut peer = Peer::connect(&address);
    let mut game = new_game();
    // The program plays Black, with half a minute.
    peer.ask('Z', "0.5000A");
    peer.make_move(&mut game, "32-28");
    peer.take_move(&mut game);
    peer.say("E10");
    peer.expect("E00");
    // It plays White, in a position that it wins at once.
    peer.ask('W', &format!(".01000B{}", position('W', 23)));
    peer.hear().filter(|text| text.starts_with("M00002819")).expect("the capture");
    peer.say("E10");
    peer.expect("E00");
    // It plays Black, in a position that is already lost.
    peer.ask('Z', &format!("005075B{}", position('Z', 99)));
    peer.expect("E11");
    peer.say("E01");
    let left = program.wait();
    let lines: Vec<_> = left.output.lines().collect();
    assert_eq!(
        lines,
        [
            "1. Peer - Manoury 0.1.0 0-2 2 plies, White resigns",
            "2. Manoury 0.1.0 - Peer 2-0 1 plies, Black resigns",
            "3. Peer - Manoury 0.1.0 2-0 0 plies, no pieces left",
            "games=3 wins=2 draws=0 losses=1 unknown=0",
        ]
    );
    assert_eq!((left.code, left.errors.as_str()), (Some(0), ""));
}

#[test]
fn asks_for_games_as_initiator() {
    let (listener, address) = listener();
    let program = Program::start(&[
        "--connect",
        &address,
        "--games",
        "2",
        "--minutes",
        "0.1",
        "--moves",
        "1",
        "--name",
        "Tester",
        "--chat",
        "good luck",
    ]);
    let mut peer = Peer::accept(&listener);
    for (side, end) in [("Z", "E00"), ("W", "E01")] {
        peer.expect("Cgood luck");
        peer.expect(&format!("R01{:32}{side}0.1001A", "Tester"));
        peer.say(&format!("A{:32}0", "Peer"));
        let mut game = new_game();
        if side == "Z" {
            peer.take_move(&mut game);
            peer.make_any_move(&mut game);
        } else {
            peer.make_any_move(&mut game);
            peer.take_move(&mut game);
            // It is this side's turn to end the game. The program does not wait for it forever.
        }
        peer.expect(end);
        peer.say(end);
    }
    assert_eq!(peer.hear(), None);
    let left = program.wait();
    let expected = "1. Tester - Peer * 2 plies, move limit reached\n\
                    2. Peer - Tester * 2 plies, move limit reached\n\
                    games=2 wins=0 draws=0 losses=0 unknown=2\n";
    assert_eq!((left.output.as_str(), left.code), (expected, Some(0)));
}

#[test]
fn moves_can_be_taken_back() {
    let (program, address) = Program::listen(&["--games", "1"]);
    let mut peer = Peer::connect(&address);
    let mut game = new_game();
    peer.ask('Z', "001000A");
    for _ in 0..3 {
        peer.make_any_move(&mut game);
        peer.take_move(&mut game);
    }
    // Back to Black's second move, a move of the program, which then moves again.
    peer.say("B002Z");
    peer.expect("K0");
    for _ in 0..3 {
        game.undo();
    }
    peer.take_move(&mut game);
    // Back to White's first move.
    peer.say("B001W");
    peer.expect("K0");
    let mut game = new_game();
    peer.make_move(&mut game, "34-29");
    peer.take_move(&mut game);
    // Moves that have not been reached.
    peer.say("B009W");
    peer.expect("K2");
    peer.say("B000W");
    peer.expect("K2");
    peer.make_any_move(&mut game);
    peer.take_move(&mut game);
    peer.say("E21");
    peer.expect("E01");
    let left = program.wait();
    assert!(left.output.contains("1-1 4 plies, White declares a draw"), "{}", left.output);
}

#[test]
fn stray_messages_during_a_search_do_not_restart_it() {
    let _clock = crate::clock();
    let (program, address) = Program::listen(&["--games", "1", "--no-book", "--move-time", "2"]);
    let mut peer = Peer::connect(&address);
    let began = Instant::now();
    peer.ask('W', "000000A");
    // Acknowledgements that were not asked for.
    for _ in 0..3 {
        thread::sleep(Duration::from_millis(600));
        peer.say("K0");
    }
    peer.take_move(&mut new_game());
    assert!(began.elapsed() < Duration::from_millis(3300), "{:?}", began.elapsed());
    peer.say("E10");
    peer.expect("E00");
    assert_eq!(program.wait().code, Some(0));
}

#[test]
fn takes_back_during_a_search_unless_disabled() {
    for (arguments, answer) in
        [(&["--games", "1"][..], "K0"), (&["--games", "1", "--no-takeback"], "K1")]
    {
        let (program, address) = Program::listen(&[arguments, &["--no-book"]].concat());
        let mut peer = Peer::connect(&address);
        let mut game = new_game();
        // With this much time it thinks for a long time.
        peer.ask('Z', "999000A");
        peer.make_move(&mut game, "32-28");
        peer.say("B001W");
        peer.expect(answer);
        peer.say("E01");
        peer.expect("E01");
        let plies = if answer == "K0" { "0 plies" } else { "1 plies" };
        let left = program.wait();
        assert!(left.output.contains(plies), "{}", left.output);
    }
}

#[test]
fn an_unlimited_game_has_a_limit_per_move() {
    let (_program, address) = Program::listen(&["--move-time", "0.1"]);
    let mut peer = Peer::connect(&address);
    peer.ask('W', "000000A");
    peer.take_move(&mut new_game());
}

#[test]
fn ignores_nonsense_and_chat() {
    let (program, address) = Program::listen(&["--games", "1"]);
    let mut peer = Peer::connect(&address);
    let long = "x".repeat(5000);
    let words = ["", "nonsense", &long, "Chello there", "K0", "E00", "M0000322800", "R02"];
    words.iter().for_each(|word| peer.say(word));
    let mut game = new_game();
    peer.ask('Z', ".05000A");
    words[..5].iter().for_each(|word| peer.say(word));
    peer.make_move(&mut game, "32-28");
    words[..5].iter().for_each(|word| peer.say(word));
    peer.take_move(&mut game);
    (0..500).for_each(|_| peer.say("Cflood"));
    peer.say("E31");
    peer.expect("E01");
    let left = program.wait();
    assert_eq!(left.code, Some(0));
    let floods = left.errors.matches("chat: flood").count();
    assert!((1..=50).contains(&floods), "{}", left.errors);
    assert!(left.output.contains("2-0 2 plies, White claims a win"), "{}", left.output);
    assert_eq!(left.errors.matches("chat: hello there").count(), 3, "{}", left.errors);
    assert!(left.errors.contains("ignored: message longer than 1024 bytes"), "{}", left.errors);
}

#[test]
fn illegal_moves_end_the_game() {
    // With its book it could move before the second of two moves in a row arrives.
    let (program, address) = Program::listen(&["--games", "2", "--no-book"]);
    let mut peer = Peer::connect(&address);
    peer.ask('Z', "001000A");
    peer.say("M0000322700");
    peer.hear().filter(|text| text.starts_with('M')).expect("32-27 is possible");
    peer.say("M0000332200");
    peer.expect("E00");
    peer.say("E00");
    // Two moves in a row; the second arrives while the program thinks.
    peer.ask('Z', "999000A");
    peer.say("M0000322800");
    peer.say("M0000332900");
    peer.expect("E01");
    peer.say("E01");
    let left = program.wait();
    assert_eq!(left.code, Some(1));
    assert!(left.output.contains("* 2 plies, 33-22"), "{}", left.output);
    assert!(left.output.contains("* 1 plies, move out of turn: 33-29"), "{}", left.output);
    assert!(left.errors.contains("games aborted: 2"), "{}", left.errors);
}

#[test]
fn another_request_replaces_the_game() {
    let (program, address) = Program::listen(&["--games", "2"]);
    let mut peer = Peer::connect(&address);
    for _ in 0..2 {
        peer.ask('Z', "001000A");
    }
    peer.say("E01");
    peer.expect("E01");
    let left = program.wait();
    assert!(
        left.output.contains("1. Peer - Manoury 0.1.0 * 0 plies, White requested another game"),
        "{}",
        left.output
    );
}

#[test]
fn another_version_is_answered() {
    let (_program, address) = Program::listen(&[]);
    let mut peer = Peer::connect(&address);
    peer.say(&format!("R02{:32}Z005000A and more", "Peer"));
    let answer = peer.hear().unwrap();
    assert!(answer.starts_with("AManoury") && answer.ends_with('1'), "{answer}");
    peer.ask('Z', "005000A");
}

#[test]
fn rejects_illegal_positions() {
    let (_program, address) = Program::listen(&[]);
    let mut peer = Peer::connect(&address);
    peer.say(&format!("R01{:32}Z005000BW{}", "Peer", "x".repeat(50)));
    let answer = peer.hear().unwrap();
    assert!(answer.starts_with("AManoury") && answer.ends_with('2'), "{answer}");
    peer.ask('Z', "005000A");
}

#[test]
fn the_book_answers_at_once() {
    let (program, address) = Program::listen(&["--games", "1"]);
    let mut peer = Peer::connect(&address);
    let began = Instant::now();
    // With this much time it would think for minutes.
    peer.ask('W', "999000A");
    peer.take_move(&mut new_game());
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    peer.say("E01");
    peer.expect("E01");
    program.wait();
}

//! Engines that speak DXP.

use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use manoury::arena::client::{
    self, Client, EngineFault, EngineReply, GameEnd, GameStart, MoveRequest,
};
use manoury::arena::spec::{EngineSpec, Protocol};
use manoury::arena::time_control::{Periods, TimeControl};
use manoury::board::Side;
use manoury::game::GameResult;

use super::{FIRST, SECOND, by_nodes, context, fault_of_start, game, moved, spec, think, turn};
use crate::arena::engine::{PATIENCE, Witness, assert_gone, assert_lives};

fn dxp_spec(is_server: bool, chat: &[&str], witness: &Witness) -> EngineSpec {
    let mode = if is_server { "dxp-server" } else { "dxp-client" };
    let mut spec = EngineSpec { protocol: Protocol::Dxp, ..spec(mode, witness) };
    spec.command.push("{port}".to_owned());
    spec.dxp.is_server = is_server;
    spec.dxp.chat = chat.iter().map(|text| (*text).to_owned()).collect();
    spec
}

fn minutes(minutes: f64) -> TimeControl {
    TimeControl { game: Some(Periods::from(60.0 * minutes).into()), ..TimeControl::default() }
}

/// A DXP engine playing White in a game that has begun.
fn dxp_game(chat: &[&str]) -> (Box<dyn Client>, TcpStream) {
    let witness = Witness::new();
    let mut client = client::start(&dxp_spec(true, chat, &witness), &context()).unwrap();
    client.new_game(&game(minutes(5.0))).unwrap();
    (client, witness.process())
}

#[test]
fn plays_dxp_from_both_sides() {
    for is_server in [true, false] {
        let witness = Witness::new();
        let spec = dxp_spec(is_server, &["hello"], &witness);
        let mut client = client::start(&spec, &context()).unwrap();
        let unsuitable = client.new_game(&by_nodes());
        assert!(matches!(unsuitable, Err(EngineFault::Unsuitable(_))), "{unsuitable:?}");

        client.new_game(&game(minutes(5.0))).unwrap();
        assert_eq!(client.identity(), "Follower");
        let answer = think(&mut *client).unwrap();
        assert_eq!(answer.reply, moved(FIRST));
        assert_eq!(answer.report.time, Some(Duration::from_secs(7)));
        let second = MoveRequest { last: Some(SECOND), ..turn(PATIENCE) };
        assert_eq!(client.think(&second).unwrap().reply, moved("32-27"));
        let end = GameEnd { last: None, is_to_move: false, result: GameResult::Draw };
        client.end_game(&end).unwrap();

        // A second game, from another position, as Black.
        let position = format!("Bb{}w{}", "e".repeat(20), "e".repeat(28));
        let start = GameStart {
            position: &position,
            is_initial: false,
            side: Side::White,
            time_control: minutes(0.5),
        };
        client.new_game(&start).unwrap();
        let turn = MoveRequest { position: &position, last: Some("1-6"), ..turn(PATIENCE) };
        assert_eq!(client.think(&turn).unwrap().reply, moved("22-17"));
        // The engine captures the man while the arena ends the game.
        let end = GameEnd { last: Some("6-11"), is_to_move: true, result: GameResult::Win };
        client.end_game(&end).unwrap();
        client.quit();
        assert_gone(witness.process());
    }
}

#[test]
fn dxp_engines_can_end_games() {
    for (chat, reply) in [
        ("resign", EngineReply::Resignation),
        ("draw", EngineReply::DrawClaim),
        ("win", EngineReply::WinClaim),
    ] {
        let (mut client, _) = dxp_game(&[chat]);
        assert_eq!(think(&mut *client).unwrap().reply, reply);
        let end = GameEnd { last: None, is_to_move: true, result: GameResult::Draw };
        client.end_game(&end).unwrap();
        client.new_game(&game(minutes(5.0))).unwrap();
        assert_eq!(think(&mut *client).unwrap().reply, reply);
    }
}

#[test]
fn dxp_engines_cannot_take_back_moves() {
    let (mut client, _) = dxp_game(&["back"]);
    assert_eq!(think(&mut *client).unwrap().reply, moved(FIRST));
}

#[test]
fn an_aborted_game_ends_before_the_next() {
    let (mut client, process) = dxp_game(&[]);
    client.new_game(&game(minutes(5.0))).unwrap();
    assert_eq!(think(&mut *client).unwrap().reply, moved(FIRST));
    drop(client);
    assert_gone(process);
}

#[test]
fn reports_dxp_faults() {
    let (mut client, _) = dxp_game(&["close"]);
    assert_eq!(think(&mut *client), Err(EngineFault::Crash("exit code 4".to_owned())));
    let (mut client, _) = dxp_game(&["nonsense"]);
    assert!(matches!(think(&mut *client), Err(EngineFault::Protocol(_))));
    let (mut client, process) = dxp_game(&["hang"]);
    assert_eq!(client.think(&turn(Duration::from_millis(50))), Err(EngineFault::Hang));
    drop(client);
    assert_gone(process);
}

#[test]
fn reports_dxp_engines_that_do_not_play() {
    let witness = Witness::new();
    let new_game = |chat: &str, start_limit| {
        let spec = EngineSpec { start_limit, ..dxp_spec(true, &[chat], &witness) };
        let mut client = client::start(&spec, &context()).unwrap();
        client.new_game(&game(minutes(5.0))).unwrap_err().to_string()
    };
    let fault = new_game("refuse", PATIENCE);
    assert!(fault.contains("refuses this game; it said \"stale"), "{fault}");
    let fault = new_game("silent", Duration::from_secs(2));
    assert!(fault.contains("no answer"), "{fault}");

    // It does not listen, it ends, it never connects.
    let dumb = |mode: &str, is_server| {
        let mut spec = dxp_spec(is_server, &[], &witness);
        spec.command[1] = mode.to_owned();
        spec.start_limit = Duration::from_millis(500);
        fault_of_start(&spec).to_string()
    };
    for (fault, word) in [
        (dumb("silent", true), "no connection"),
        (dumb("exit-at-start", true), "exit code 3"),
        (dumb("silent", false), "timed out"),
        (dumb("exit-at-start", false), "exit code 3"),
    ] {
        assert!(fault.contains(word), "{fault}");
    }
}

#[test]
fn a_dxp_engine_may_run_elsewhere() {
    let witness = Witness::new();
    // The engine of another arena, as far as this one knows.
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let program = spec("dxp-server", &witness).command;
    let mut engine = std::process::Command::new(&program[0])
        .args(["dxp-server", &witness.port(), &port.to_string()])
        .spawn()
        .unwrap();
    let mut spec = dxp_spec(true, &[], &witness);
    spec.command.clear();
    spec.dxp.port = Some(port);
    let mut client = client::start(&spec, &context()).unwrap();
    client.new_game(&game(minutes(5.0))).unwrap();
    assert_eq!(think(&mut *client).unwrap().reply, moved(FIRST));
    client.quit();
    assert_lives(&witness.process());
    engine.kill().unwrap();
    engine.wait().unwrap();
}

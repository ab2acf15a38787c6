//! Engines that speak Hub, of both versions.

use std::time::{Duration, Instant};

use manoury::arena::client::{self, EngineFault, EngineReply, GameEnd, MoveRequest};
use manoury::arena::spec::Protocol;
use manoury::arena::time_control::{ClockTime, MoveLimits, TimeControl};
use manoury::game::GameResult;

use super::{FIRST, SECOND, by_nodes, context, game, moved, spec, start, think, turn};
use crate::arena::engine::{PATIENCE, Witness, assert_gone};

#[test]
fn plays_hub_2() {
    let witness = Witness::new();
    let mut spec = spec("fine", &witness);
    spec.params = vec![("threads".to_owned(), "2".to_owned())];
    let mut client = client::start(&spec, &context()).unwrap();
    assert_eq!((client.name(), client.identity()), ("Faulty", "Faulty 1.0"));
    for _ in 0..2 {
        client.new_game(&by_nodes()).unwrap();
        let answer = think(&mut *client).unwrap();
        assert_eq!(answer.reply, moved(FIRST));
        assert!(answer.time < PATIENCE);
        let report = answer.report;
        assert_eq!((report.depth, report.score, report.nodes), (Some(3), Some(0.25), Some(77)));
        assert_eq!(report.pv, "level nodes=9");
        let moves = [FIRST.to_owned()];
        let second = MoveRequest { moves: &moves, last: Some(FIRST), ..turn(PATIENCE) };
        assert_eq!(client.think(&second).unwrap().reply, moved(SECOND));
        let end = GameEnd { last: None, is_to_move: true, result: GameResult::Draw };
        client.end_game(&end).unwrap();
    }
    client.quit();
    assert_gone(witness.process());
}

#[test]
fn passes_on_answers_for_the_referee() {
    let reply = |mode| think(&mut *start(mode).0).unwrap();
    assert_eq!(reply("illegal").reply, moved("1-50"));
    assert_eq!(reply("empty").reply, EngineReply::NoMove);
    let complaint = reply("complains");
    assert_eq!(complaint.reply, EngineReply::NoMove);
    assert_eq!(complaint.report.error.as_deref(), Some("bad position"));
    let late = reply("late");
    assert_eq!(late.reply, moved(FIRST));
    assert!(late.time >= Duration::from_millis(300), "{late:?}");
}

#[test]
fn ignores_stale_answers() {
    let (mut client, _) = start("twice");
    for _ in 0..3 {
        client.new_game(&by_nodes()).unwrap();
        assert_eq!(think(&mut *client).unwrap().reply, moved(FIRST));
    }
}

#[test]
fn an_engine_without_pings_is_waited_for_once() {
    let (mut client, _) = start("no-pong");
    let begin = Instant::now();
    for _ in 0..20 {
        client.new_game(&by_nodes()).unwrap();
        assert_eq!(think(&mut *client).unwrap().reply, moved(FIRST));
    }
    assert!(begin.elapsed() < Duration::from_secs(10));
}

#[test]
fn plays_hub_1() {
    let witness = Witness::new();
    let mut spec = spec("hub1", &witness);
    spec.protocol = Protocol::Hub1;
    spec.params = vec![("book".to_owned(), "false".to_owned())];
    let mut client = client::start(&spec, &context()).unwrap();
    assert_eq!(client.identity(), "Faulty 1");
    let unsuitable = client.new_game(&by_nodes());
    assert!(matches!(unsuitable, Err(EngineFault::Unsuitable(_))), "{unsuitable:?}");
    let control = TimeControl { depth: Some(5), ..TimeControl::default() };
    client.new_game(&game(control)).unwrap();
    let moves = [FIRST.to_owned()];
    let clock = ClockTime {
        remaining: Duration::from_millis(61_500),
        increment: Duration::from_millis(500),
        delay: Duration::ZERO,
        moves: Some(40),
    };
    let limits = MoveLimits { depth: Some(5), clock: Some(clock), ..MoveLimits::default() };
    let turn = MoveRequest { moves: &moves, limits, ..turn(PATIENCE) };
    let answer = client.think(&turn).unwrap();
    assert_eq!(answer.reply, moved(SECOND));
    let report = answer.report;
    assert_eq!((report.depth, report.score, report.nodes), (Some(9), Some(-0.25), Some(1234)));
    assert_eq!(report.time, Some(Duration::from_millis(500)));
    assert_eq!(report.pv, "book false depth 5,level 40 61500 500");
    client.quit();
    assert_gone(witness.process());
}

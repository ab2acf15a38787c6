//! Faults during a game, and processes that must not outlive the engine.

use std::time::{Duration, Instant};

use manoury::arena::client::{self, EngineFault, MoveRequest};

use super::{FIRST, by_nodes, context, moved, spec, start, think, turn};
use crate::arena::engine::{PATIENCE, Witness, assert_gone, assert_lives};

#[test]
fn names_faults_in_play() {
    for (mode, fault) in [
        ("exit", EngineFault::Crash("exit code 3".to_owned())),
        ("flood", EngineFault::Flood),
        ("flood-without-lines", EngineFault::Flood),
        #[cfg(unix)]
        ("abort", EngineFault::Crash("signal 6".to_owned())),
    ] {
        let (mut client, process) = start(mode);
        client.new_game(&by_nodes()).unwrap();
        assert_eq!(think(&mut *client), Err(fault), "{mode}");
        drop(client);
        assert_gone(process);
    }
}

#[test]
fn a_crash_is_noticed_at_once() {
    let (mut client, _) = start("exit");
    let long = Duration::MAX;
    assert!(matches!(client.think(&turn(long)), Err(EngineFault::Crash(_))));
}

#[test]
fn an_engine_that_does_not_answer_is_told_to_stop() {
    let short = Duration::from_millis(100);
    let (mut client, _) = start("after-stop");
    let answer = client.think(&turn(short)).unwrap();
    assert_eq!(answer.reply, moved(FIRST));
    assert!(answer.time >= short);

    let (mut client, process) = start("hang");
    assert_eq!(client.think(&turn(short)), Err(EngineFault::Hang));
    drop(client);
    assert_gone(process);
}

#[test]
fn an_engine_that_does_not_read_does_not_block_the_arena() {
    let (mut client, process) = start("hang");
    let moves = vec!["32-28".to_owned(); 200_000];
    let long = MoveRequest { moves: &moves, ..turn(Duration::from_millis(50)) };
    // The first request fills the pipe.
    assert_eq!(client.think(&turn(Duration::ZERO)), Err(EngineFault::Hang));
    assert_eq!(client.think(&long), Err(EngineFault::Hang));
    drop(client);
    assert_gone(process);
}

#[test]
fn detects_an_engine_that_floods_its_output() {
    let (mut client, process) = start("flood-when-idle");
    assert_eq!(think(&mut *client).unwrap().reply, moved(FIRST));
    // On a busy machine the flood may take a while.
    let deadline = Instant::now() + PATIENCE;
    let fault = loop {
        match client.new_game(&by_nodes()) {
            Err(fault) => break fault,
            Ok(()) => assert!(Instant::now() < deadline, "no fault"),
        }
    };
    assert_eq!(fault, EngineFault::Flood);
    drop(client);
    assert_gone(process);
}

#[test]
fn no_process_is_left() {
    for (mode, is_asked) in [
        ("fine", false),
        ("fine", true),
        ("child", false),
        ("child", true),
        ("ignores-quit", false),
        ("ignores-quit", true),
    ] {
        let witness = Witness::new();
        let client = client::start(&spec(mode, &witness), &context()).unwrap();
        let mut processes = vec![witness.process()];
        if mode == "child" {
            processes.push(witness.process());
        }
        processes.iter().for_each(assert_lives);
        if is_asked {
            client.quit();
        } else {
            drop(client);
        }
        processes.into_iter().for_each(assert_gone);
    }
}

//! Engines with all faults, through every protocol: the arena names the fault, and nothing stays
//! behind.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use manoury::arena::client::{self, Answer, Client, End, Fault, Occasion, Said, Start, Turn};
use manoury::arena::interrupt::Interrupt;
use manoury::arena::spec::{EngineSpec, Protocol};
use manoury::arena::stats::GameScore;
use manoury::arena::time_control::{ClockTime, GameTime, MoveLimits, TimeControl};
use manoury::board::Side;
use manoury::rules::Variant;

use super::engine::{PATIENCE, Witness, assert_gone, assert_lives, faulty_engine};

const START: &str = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

/// The first legal moves of the test engine, from the start position.
const FIRST: &str = "31-26";
const SECOND: &str = "16-21";

fn occasion() -> Occasion {
    Occasion { variant: Variant::International, interrupt: Interrupt::default() }
}

/// The test engine in one of its modes.
fn spec(mode: &str, witness: &Witness) -> EngineSpec {
    let engine = faulty_engine();
    let command = [engine.to_str().unwrap(), mode, &witness.port()].map(str::to_owned).to_vec();
    EngineSpec { command, start_limit: PATIENCE, ..EngineSpec::default() }
}

/// An engine that must start, and the connection of its process.
fn start(mode: &str) -> (Box<dyn Client>, TcpStream) {
    let witness = Witness::new();
    let client = client::start(&spec(mode, &witness), &occasion()).unwrap();
    (client, witness.process())
}

fn fault_of_start(spec: &EngineSpec) -> Fault {
    match client::start(spec, &occasion()) {
        Ok(_) => panic!("it has started"),
        Err(fault) => fault,
    }
}

fn nodes(nodes: u64) -> MoveLimits {
    MoveLimits { nodes: Some(nodes), ..MoveLimits::default() }
}

fn turn(patience: Duration) -> Turn<'static> {
    Turn { position: START, wolf: "", moves: &[], last: None, limits: nodes(9), patience }
}

fn think(client: &mut dyn Client) -> Result<Answer, Fault> {
    client.think(&turn(PATIENCE))
}

fn moved(mv: &str) -> Said {
    Said::Move(mv.to_owned())
}

fn game(time_control: TimeControl) -> Start<'static> {
    Start { position: START, is_initial: true, side: Side::White, time_control }
}

fn by_nodes() -> Start<'static> {
    game(TimeControl { nodes: Some(9), ..TimeControl::default() })
}

#[test]
fn plays_hub_2() {
    let witness = Witness::new();
    let mut spec = spec("fine", &witness);
    spec.params = vec![("threads".to_owned(), "2".to_owned())];
    let mut client = client::start(&spec, &occasion()).unwrap();
    assert_eq!(client.identity(), "Faulty 1.0");
    for _ in 0..2 {
        client.new_game(&by_nodes()).unwrap();
        let answer = think(&mut *client).unwrap();
        assert_eq!(answer.said, moved(FIRST));
        assert!(answer.time < PATIENCE);
        let report = answer.report;
        assert_eq!((report.depth, report.score, report.nodes), (Some(3), Some(0.25), Some(77)));
        assert_eq!(report.pv, "level nodes=9");
        let moves = [FIRST.to_owned()];
        let second = Turn { moves: &moves, last: Some(FIRST), ..turn(PATIENCE) };
        assert_eq!(client.think(&second).unwrap().said, moved(SECOND));
        let end = End { last: None, is_to_move: true, result: GameScore::Draw };
        client.end_game(&end).unwrap();
    }
    client.quit();
    assert_gone(witness.process());
}

#[test]
fn names_faults_in_play() {
    for (mode, fault) in [
        ("exit", Fault::Crash("exit code 3".to_owned())),
        ("flood", Fault::Flood),
        ("flood-without-lines", Fault::Flood),
        #[cfg(unix)]
        ("abort", Fault::Crash("signal 6".to_owned())),
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
    assert!(matches!(client.think(&turn(long)), Err(Fault::Crash(_))));
}

#[test]
fn passes_on_answers_for_the_referee() {
    let said = |mode| think(&mut *start(mode).0).unwrap();
    assert_eq!(said("illegal").said, moved("1-50"));
    assert_eq!(said("empty").said, Said::Nothing);
    let complaint = said("complains");
    assert_eq!(complaint.said, Said::Nothing);
    assert_eq!(complaint.report.error.as_deref(), Some("bad position"));
    let late = said("late");
    assert_eq!(late.said, moved(FIRST));
    assert!(late.time >= Duration::from_millis(300), "{late:?}");
}

#[test]
fn an_engine_that_does_not_answer_is_told_to_stop() {
    let short = Duration::from_millis(100);
    let (mut client, _) = start("after-stop");
    let answer = client.think(&turn(short)).unwrap();
    assert_eq!(answer.said, moved(FIRST));
    assert!(answer.time >= short);

    let (mut client, process) = start("hang");
    assert_eq!(client.think(&turn(short)), Err(Fault::Hang));
    drop(client);
    assert_gone(process);
}

#[test]
fn an_engine_that_does_not_read_does_not_block_the_arena() {
    let (mut client, process) = start("hang");
    let moves = vec!["32-28".to_owned(); 200_000];
    let long = Turn { moves: &moves, ..turn(Duration::from_millis(50)) };
    // What it was told first fills its pipe.
    assert_eq!(client.think(&turn(Duration::ZERO)), Err(Fault::Hang));
    assert_eq!(client.think(&long), Err(Fault::Hang));
    drop(client);
    assert_gone(process);
}

#[test]
fn an_old_answer_is_not_taken_for_a_new_one() {
    let (mut client, _) = start("twice");
    for _ in 0..3 {
        client.new_game(&by_nodes()).unwrap();
        assert_eq!(think(&mut *client).unwrap().said, moved(FIRST));
    }
}

#[test]
fn an_engine_that_floods_when_idle_is_found_out() {
    let (mut client, process) = start("flood-when-idle");
    assert_eq!(think(&mut *client).unwrap().said, moved(FIRST));
    // It may need some time for it on a busy machine.
    let deadline = Instant::now() + PATIENCE;
    let fault = loop {
        match client.new_game(&by_nodes()) {
            Err(fault) => break fault,
            Ok(()) => assert!(Instant::now() < deadline, "no fault"),
        }
    };
    assert_eq!(fault, Fault::Flood);
    drop(client);
    assert_gone(process);
}

#[test]
fn engines_that_do_not_start_are_named() {
    for (mode, word) in [
        ("exit-at-start", "exit code 3"),
        ("silent", "no \"wait\" in time; it said nothing"),
        ("never-ready", "no memory"),
        #[cfg(unix)]
        ("abort-at-start", "signal 6"),
    ] {
        let witness = Witness::new();
        let mut spec = spec(mode, &witness);
        if !mode.ends_with("at-start") {
            spec.start_limit = Duration::from_millis(500);
        }
        let fault = fault_of_start(&spec);
        assert!(matches!(fault, Fault::NoStart(_)), "{fault}");
        assert!(fault.to_string().contains(word), "{fault}");
        assert_gone(witness.process());
    }
    let witness = Witness::new();
    assert_eq!(fault_of_start(&spec("flood-at-start", &witness)), Fault::Flood);
    assert_gone(witness.process());
}

#[test]
fn slow_engines_start_within_their_limit() {
    let witness = Witness::new();
    let mut slow = spec("slow-start", &witness);
    slow.command.push("300".to_owned());
    let begin = Instant::now();
    client::start(&slow, &occasion()).unwrap();
    assert!(begin.elapsed() >= Duration::from_millis(300));
    slow.command[3] = "60000".to_owned();
    slow.start_limit = Duration::from_millis(200);
    assert!(matches!(fault_of_start(&slow), Fault::NoStart(_)));
}

#[test]
fn engines_that_cannot_play_are_unsuitable() {
    let witness = Witness::new();
    let with = |name: &str, value: &str| EngineSpec {
        params: vec![(name.to_owned(), value.to_owned())],
        ..spec("fine", &witness)
    };
    let program =
        |program: &str| EngineSpec { command: vec![program.to_owned()], ..EngineSpec::default() };
    let elsewhere = EngineSpec { dir: Some("/no/such/folder".into()), ..spec("fine", &witness) };
    for (spec, word) in [
        (program("./no/such/program"), "cannot be started"),
        (program("no-such-program-anywhere"), "cannot be started"),
        (elsewhere, "/no/such/folder"),
        (with("hash", "1"), "variant, threads"),
    ] {
        let fault = fault_of_start(&spec);
        assert!(matches!(fault, Fault::Unsuitable(_)), "{fault}");
        assert!(fault.to_string().contains(word), "{fault}");
    }
    for (mode, variant, is_suitable) in [
        ("fine", Variant::Breakthrough, true),
        ("fine", Variant::Frisian, false),
        ("no-params", Variant::International, true),
        ("no-params", Variant::Breakthrough, false),
        ("hub1", Variant::Frisian, false),
    ] {
        let mut spec = spec(mode, &witness);
        if mode == "hub1" {
            spec.protocol = Protocol::Hub1;
        }
        let result = client::start(&spec, &Occasion { variant, ..occasion() }).map(|_| ());
        let is_refused = matches!(result, Err(Fault::Unsuitable(_)));
        assert_eq!(!is_refused, is_suitable, "{mode} {variant} {result:?}");
    }
}

#[test]
fn an_engine_without_pings_is_waited_for_once() {
    let (mut client, _) = start("no-pong");
    let begin = Instant::now();
    for _ in 0..20 {
        client.new_game(&by_nodes()).unwrap();
        assert_eq!(think(&mut *client).unwrap().said, moved(FIRST));
    }
    assert!(begin.elapsed() < Duration::from_secs(10));
}

#[test]
fn nothing_stays_behind() {
    for (mode, is_asked) in [
        ("fine", false),
        ("fine", true),
        ("child", false),
        ("child", true),
        ("ignores-quit", false),
        ("ignores-quit", true),
    ] {
        let witness = Witness::new();
        let client = client::start(&spec(mode, &witness), &occasion()).unwrap();
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

#[test]
fn children_of_a_crashed_engine_neither_hide_nor_survive_it() {
    let witness = Witness::new();
    let fault = fault_of_start(&spec("child-holds-output", &witness));
    assert!(fault.to_string().contains("exit code 3"), "{fault}");
    assert_gone(witness.process());
    assert_gone(witness.process());
}

#[cfg(unix)]
#[test]
fn an_engine_that_closes_its_output_has_crashed() {
    let script = "read hub; echo wait; read init; echo ready; exec >&-; sleep 60";
    let command = ["sh", "-c", script].map(str::to_owned).to_vec();
    let spec = EngineSpec { command, start_limit: PATIENCE, ..EngineSpec::default() };
    let fault = fault_of_start(&spec);
    assert_eq!(fault, Fault::NoStart("it closed its output".to_owned()));
}

#[cfg(unix)]
#[test]
fn programs_are_found_here_and_in_their_folder() {
    let witness = Witness::new();
    let absolute = spec("fine", &witness);
    let engine = PathBuf::from(&absolute.command[0]);
    let relative = |program: String, dir: &std::path::Path| {
        let mut spec = EngineSpec { dir: Some(dir.to_owned()), ..absolute.clone() };
        spec.command[0] = program;
        client::start(&spec, &occasion()).map(|_| ())
    };
    let folder = engine.parent().unwrap();
    assert_eq!(relative("./faulty_engine".to_owned(), folder), Ok(()));
    let from_here = engine.strip_prefix(std::env::current_dir().unwrap());
    if let Ok(from_here) = from_here {
        assert_eq!(relative(from_here.to_str().unwrap().to_owned(), folder), Ok(()));
    }
}

#[test]
fn plays_hub_1() {
    let witness = Witness::new();
    let mut spec = spec("hub1", &witness);
    spec.protocol = Protocol::Hub1;
    spec.params = vec![("book".to_owned(), "false".to_owned())];
    let mut client = client::start(&spec, &occasion()).unwrap();
    assert_eq!(client.identity(), "Faulty 1");
    let unsuitable = client.new_game(&by_nodes());
    assert!(matches!(unsuitable, Err(Fault::Unsuitable(_))), "{unsuitable:?}");
    let control = TimeControl { depth: Some(5), ..TimeControl::default() };
    client.new_game(&game(control)).unwrap();
    let moves = [FIRST.to_owned()];
    let clock = ClockTime {
        remaining: Duration::from_millis(61_500),
        increment: Duration::from_millis(500),
        moves: Some(40),
    };
    let limits = MoveLimits { depth: Some(5), clock: Some(clock), ..MoveLimits::default() };
    let turn = Turn { moves: &moves, limits, ..turn(PATIENCE) };
    let answer = client.think(&turn).unwrap();
    assert_eq!(answer.said, moved(SECOND));
    let report = answer.report;
    assert_eq!((report.depth, report.score, report.nodes), (Some(9), Some(-0.25), Some(1234)));
    assert_eq!(report.time, Some(Duration::from_millis(500)));
    assert_eq!(report.pv, "book false depth 5,level 40 61500 500");
    client.quit();
    assert_gone(witness.process());
}

// DXP

fn dxp_spec(is_server: bool, chat: &[&str], witness: &Witness) -> EngineSpec {
    let mode = if is_server { "dxp-server" } else { "dxp-client" };
    let mut spec = EngineSpec { protocol: Protocol::Dxp, ..spec(mode, witness) };
    spec.command.push("{port}".to_owned());
    spec.dxp.is_server = is_server;
    spec.dxp.chat = chat.iter().map(|text| (*text).to_owned()).collect();
    spec
}

fn minutes(minutes: f64) -> TimeControl {
    let time = GameTime { time: 60.0 * minutes, increment: 0.0, moves: None };
    TimeControl { game: Some(time), ..TimeControl::default() }
}

/// A DXP engine in a game in which it has White.
fn dxp_game(chat: &[&str]) -> (Box<dyn Client>, TcpStream) {
    let witness = Witness::new();
    let mut client = client::start(&dxp_spec(true, chat, &witness), &occasion()).unwrap();
    client.new_game(&game(minutes(5.0))).unwrap();
    (client, witness.process())
}

#[test]
fn plays_dxp_from_both_sides() {
    for is_server in [true, false] {
        let witness = Witness::new();
        let spec = dxp_spec(is_server, &["hello"], &witness);
        let mut client = client::start(&spec, &occasion()).unwrap();
        let unsuitable = client.new_game(&by_nodes());
        assert!(matches!(unsuitable, Err(Fault::Unsuitable(_))), "{unsuitable:?}");

        client.new_game(&game(minutes(5.0))).unwrap();
        assert_eq!(client.identity(), "Follower");
        let answer = think(&mut *client).unwrap();
        assert_eq!(answer.said, moved(FIRST));
        assert_eq!(answer.report.time, Some(Duration::from_secs(7)));
        let second = Turn { last: Some(SECOND), ..turn(PATIENCE) };
        assert_eq!(client.think(&second).unwrap().said, moved("32-27"));
        let end = End { last: None, is_to_move: false, result: GameScore::Draw };
        client.end_game(&end).unwrap();

        // A second game, from another position, as Black.
        let position = format!("Bb{}w{}", "e".repeat(20), "e".repeat(28));
        let start = Start {
            position: &position,
            is_initial: false,
            side: Side::White,
            time_control: minutes(0.5),
        };
        client.new_game(&start).unwrap();
        let turn = Turn { position: &position, last: Some("1-6"), ..turn(PATIENCE) };
        assert_eq!(client.think(&turn).unwrap().said, moved("22-17"));
        // It takes the man while the arena ends the game.
        let end = End { last: Some("6-11"), is_to_move: true, result: GameScore::Win };
        client.end_game(&end).unwrap();
        client.quit();
        assert_gone(witness.process());
    }
}

#[test]
fn dxp_engines_can_end_games() {
    for (chat, said) in
        [("resign", Said::Resigns), ("draw", Said::ClaimsDraw), ("win", Said::ClaimsWin)]
    {
        let (mut client, _) = dxp_game(&[chat]);
        assert_eq!(think(&mut *client).unwrap().said, said);
        let end = End { last: None, is_to_move: true, result: GameScore::Draw };
        client.end_game(&end).unwrap();
        client.new_game(&game(minutes(5.0))).unwrap();
        assert_eq!(think(&mut *client).unwrap().said, said);
    }
}

#[test]
fn dxp_engines_cannot_go_back() {
    let (mut client, _) = dxp_game(&["back"]);
    assert_eq!(think(&mut *client).unwrap().said, moved(FIRST));
}

#[test]
fn a_game_that_is_broken_off_is_ended_before_the_next() {
    let (mut client, process) = dxp_game(&[]);
    client.new_game(&game(minutes(5.0))).unwrap();
    assert_eq!(think(&mut *client).unwrap().said, moved(FIRST));
    drop(client);
    assert_gone(process);
}

#[test]
fn dxp_faults_are_named() {
    let (mut client, _) = dxp_game(&["close"]);
    assert_eq!(think(&mut *client), Err(Fault::Crash("exit code 4".to_owned())));
    let (mut client, _) = dxp_game(&["nonsense"]);
    assert!(matches!(think(&mut *client), Err(Fault::Protocol(_))));
    let (mut client, process) = dxp_game(&["hang"]);
    assert_eq!(client.think(&turn(Duration::from_millis(50))), Err(Fault::Hang));
    drop(client);
    assert_gone(process);
}

#[test]
fn dxp_engines_that_do_not_play_are_named() {
    let witness = Witness::new();
    let new_game = |chat: &str, start_limit| {
        let spec = EngineSpec { start_limit, ..dxp_spec(true, &[chat], &witness) };
        let mut client = client::start(&spec, &occasion()).unwrap();
        client.new_game(&game(minutes(5.0))).unwrap_err().to_string()
    };
    let fault = new_game("refuse", PATIENCE);
    assert!(fault.contains("refuses this game; it said \"stale"), "{fault}");
    let fault = new_game("silent", Duration::from_secs(2));
    assert!(fault.contains("no answer"), "{fault}");

    // It does not listen at all, it ends, it never connects.
    let dumb = |mode: &str, is_server| {
        let mut spec = dxp_spec(is_server, &[], &witness);
        spec.command[1] = mode.to_owned();
        spec.start_limit = Duration::from_millis(500);
        fault_of_start(&spec).to_string()
    };
    for (fault, word) in [
        (dumb("silent", true), "no connection"),
        (dumb("exit-at-start", true), "exit code 3"),
        (dumb("silent", false), "not in time"),
        (dumb("exit-at-start", false), "exit code 3"),
    ] {
        assert!(fault.contains(word), "{fault}");
    }
}

#[test]
fn a_dxp_engine_may_run_elsewhere() {
    let witness = Witness::new();
    // Another arena's engine, as far as this one is concerned.
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
    let mut client = client::start(&spec, &occasion()).unwrap();
    client.new_game(&game(minutes(5.0))).unwrap();
    assert_eq!(think(&mut *client).unwrap().said, moved(FIRST));
    client.quit();
    assert_lives(&witness.process());
    engine.kill().unwrap();
    engine.wait().unwrap();
}

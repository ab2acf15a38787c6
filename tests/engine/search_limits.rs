//! The limits of a search, and how it ends.

use std::thread;
use std::time::{Duration, Instant};

use manoury::engine::{Engine, EngineOptions};
use manoury::erased::Game;
use manoury::rules::Variant;
use manoury::search::{Clock, Control, Info, Limits, Mode};

use crate::engine::searching::{
    depth, engine_at, go, move_time, new_engine, options, search, with_mode,
};

const ONE_KING_EACH: &str = "W:WK46:BK1";
const ONLY_MOVE: &str = "W:W46:B1,2,3";
const WON: &str = "W:WK28,47:B45";

#[test]
fn node_limits_are_exact() {
    for limit in [0, 1, 2, 10, 999, 1_000, 54_321] {
        let limits = Limits { nodes: Some(limit), ..Limits::default() };
        let mut engine = new_engine(Variant::International);
        let (best, infos) = go(&mut engine, limits, &Control::new());
        assert!(best.mv.is_some() && !infos.is_empty());
        assert!(best.info.nodes <= limit);
    }
}

/// With dozens of kings, the lines of captures are beyond counting; a search to depth 1 must end all
/// the same.
#[test]
fn a_board_full_of_kings_is_searched_to_depth_1() {
    let squares = "BWBeBWBWBBBWeWWWBWBWBWBWBWBWWWBWBWBWBWBWBWBWBWBWBW";
    let kings = |colour| {
        let of_colour = squares.chars().zip(1..).filter(|(square, _)| *square == colour);
        of_colour.map(|(_, number)| format!("K{number}")).collect::<Vec<_>>().join(",")
    };
    let fen = format!("W:W{}:B{}", kings('W'), kings('B'));
    let mut engine = engine_at(Variant::International, &fen);
    let (best, _) = go(&mut engine, depth(1), &Control::new());
    assert!(best.mv.is_some() && best.info.depth == 1);
    assert!(best.info.nodes < 2_000_000, "{}", best.info.nodes);
}

/// No iteration starts after a soft limit is reached, but the last one is completed.
#[test]
fn soft_node_limits_end_between_iterations() {
    for limit in [1, 300, 5_000] {
        let limits = Limits { soft_nodes: Some(limit), ..Limits::default() };
        let (best, _) = go(&mut new_engine(Variant::International), limits, &Control::new());
        assert!(best.info.nodes >= limit, "{limit}");
        let to_depth = |plies| {
            let mut engine = new_engine(Variant::International);
            go(&mut engine, depth(plies), &Control::new()).0
        };
        let same = to_depth(best.info.depth);
        assert_eq!((best.mv, best.info.nodes), (same.mv, same.info.nodes), "{limit}");
        assert_eq!(best.info.score, same.info.score, "{limit}");
        if best.info.depth > 1 {
            assert!(to_depth(best.info.depth - 1).info.nodes < limit, "{limit}");
        }
    }
}

#[test]
fn depth_limits_are_kept() {
    for limit in [1, 2, 7] {
        let mut engine = new_engine(Variant::International);
        let (best, _) = go(&mut engine, depth(limit), &Control::new());
        assert_eq!(best.info.depth, limit);
    }
}

/// The tolerated delay beyond a limit, for busy machines.
const TOLERANCE: Duration = Duration::from_millis(100);

#[test]
fn time_limits_are_kept() {
    let _clock = crate::clock();
    let clock = |milliseconds| Limits {
        clock: Some(Clock { remaining: Duration::from_millis(milliseconds), ..Clock::default() }),
        ..Limits::default()
    };
    let limits = [
        (move_time(0), 0),
        (move_time(10), 10),
        (move_time(200), 200),
        (clock(0), 0),
        (clock(1), 1),
        (clock(300), 100),
        (clock(3_000), 1_000),
    ];
    for (limits, most) in limits {
        let mut engine = new_engine(Variant::International);
        let began = Instant::now();
        let (best, _) = go(&mut engine, limits, &Control::new());
        assert!(best.mv.is_some());
        let took = began.elapsed();
        assert!(took <= Duration::from_millis(most) + TOLERANCE, "{took:?} for {limits:?}");
    }
}

#[test]
fn a_whole_game_in_a_second_is_not_lost_on_time() {
    let _clock = crate::clock();
    /// The time that each move loses in transmission.
    const ON_THE_WAY: Duration = Duration::from_millis(4);
    let mut engine = new_engine(Variant::International);
    let mut game = Game::new(Variant::International);
    let mut left = [Duration::from_secs(1); 2];
    while game.outcome().is_none() && game.plies() < 200 {
        let side = game.position().side().index();
        let began = Instant::now();
        engine.set_game(game.clone());
        let clock = Clock { remaining: left[side], ..Clock::default() };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        game.play(go(&mut engine, limits, &Control::new()).0.mv.unwrap());
        let ply = game.plies();
        left[side] = left[side]
            .checked_sub(began.elapsed() + ON_THE_WAY)
            .unwrap_or_else(|| panic!("out of time at ply {ply}"));
    }
    assert!(left.iter().all(|left| *left < Duration::from_millis(700)), "{left:?}");
}

#[test]
fn a_stop_ends_the_search_at_once() {
    let _clock = crate::clock();
    let modes = [Mode::Think, Mode::Ponder, Mode::Analyze];
    for (mode, threads) in modes.into_iter().flat_map(|mode| [(mode, 1), (mode, 4)]) {
        let control = Control::new();
        let stopper = control.clone();
        let thread = thread::spawn(move || {
            thread::sleep(Duration::from_millis(100));
            stopper.stop();
            Instant::now()
        });
        let mut engine =
            Engine::new(Variant::International, EngineOptions { threads, ..options() });
        let (best, _) = go(&mut engine, with_mode(mode, Limits::default()), &control);
        let stopped = thread.join().unwrap();
        assert!(best.mv.is_some());
        assert!(stopped.elapsed() < TOLERANCE);
    }
}

#[test]
fn a_stop_before_the_search_still_gives_a_move_and_a_score() {
    let control = Control::new();
    control.stop();
    let mut engine = new_engine(Variant::International);
    let (best, infos) = go(&mut engine, Limits::default(), &control);
    assert!(best.mv.is_some() && !infos.is_empty());
}

#[test]
fn an_only_move_is_played_at_once_but_analyzed() {
    let mut engine = engine_at(Variant::International, ONLY_MOVE);
    assert_eq!(engine.game().position().legal_moves().len(), 1);
    let began = Instant::now();
    let (best, infos) = go(&mut engine, move_time(5_000), &Control::new());
    assert!(began.elapsed() < Duration::from_secs(1));
    assert!(best.mv.is_some() && !infos.is_empty());
    let (best, _) = go(&mut engine, with_mode(Mode::Analyze, depth(6)), &Control::new());
    assert_eq!(best.info.depth, 6);
}

/// Runs a search on a separate thread and waits. Returns whether it was still running before
/// `release`, and the information it reported in total.
fn held_back(
    fen: &'static str,
    limits: Limits,
    release: impl FnOnce(&Control),
) -> (bool, Vec<Info>) {
    let control = Control::new();
    let handle = control.clone();
    let thread =
        thread::spawn(move || go(&mut engine_at(Variant::International, fen), limits, &handle).1);
    thread::sleep(Duration::from_millis(300));
    let is_held = !thread.is_finished();
    release(&control);
    (is_held, thread.join().unwrap())
}

#[test]
fn a_ponder_search_waits_for_the_ponder_hit() {
    for limits in [depth(3), move_time(1), move_time(0)] {
        let limits = with_mode(Mode::Ponder, limits);
        let (is_held, _) = held_back(WON, limits, Control::ponder_hit);
        assert!(is_held, "{limits:?}");
        let (is_held, _) = held_back(ONLY_MOVE, limits, Control::ponder_hit);
        assert!(is_held, "{limits:?}");
        let (is_held, _) = held_back(WON, limits, Control::stop);
        assert!(is_held, "{limits:?}");
    }
}

#[test]
fn infinite_analysis_is_idle_when_finished() {
    for fen in [WON, ONE_KING_EACH] {
        for mode in [Mode::Think, Mode::Analyze] {
            let limits = with_mode(mode, Limits::default());
            let (is_held, infos) = held_back(fen, limits, Control::stop);
            assert!(is_held);
            assert!(infos.len() < 250, "{} infos", infos.len());
        }
    }
}

#[test]
fn a_proven_result_ends_thinking() {
    let began = Instant::now();
    let best = search(Variant::International, WON, move_time(30_000));
    assert!(best.info.score.is_decisive(), "{}", best.info.score);
    assert!(began.elapsed() < Duration::from_secs(20));
}

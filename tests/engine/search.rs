//! The search behind the engine: what it finds, what it keeps to, how it ends.

use std::thread;
use std::time::{Duration, Instant};

use manoury::board::{Board10, Geometry, Kind, Move, Side};
use manoury::engine::{Engine, Options};
use manoury::game::Game;
use manoury::movegen::{has_capture, legal_moves};
use manoury::position::{Position, Setup};
use manoury::rules::{
    Breakthrough, English, Frisian, International, Losing, Rules, Variant, VariantVisitor,
};
use manoury::score::Score;
use manoury::search::{Best, Clock, Control, Info, Limits, Mode};

/// One thread, a small transposition table, nothing that is known beforehand.
pub(crate) fn options() -> Options {
    Options { tt_size: 18, bb_size: 0, ..Options::default() }
}

const ONE_KING_EACH: &str = "W:WK46:BK1";
const ONLY_MOVE: &str = "W:W46:B1,2,3";
const WON: &str = "W:WK28,47:B45";

/// A position of a simple FEN, `W:W31,K32:B1`.
fn position<R: Rules>(fen: &str) -> Position<R> {
    let mut parts = fen.split(':');
    let side = |part: &str| match part.as_bytes()[0] {
        b'W' => Side::White,
        _ => Side::Black,
    };
    let mut setup = Setup::empty(side(parts.next().unwrap()));
    for part in parts {
        for square in part[1..].split_terminator(',') {
            let kind = match square.starts_with('K') {
                true => Kind::King,
                false => Kind::Man,
            };
            let number = square.trim_start_matches('K').parse().unwrap();
            setup.put(side(part), kind, R::Geometry::square(number).unwrap());
        }
    }
    setup.position().unwrap()
}

fn engine<R: Rules>(fen: &str) -> Engine<R> {
    let mut engine = Engine::new(options());
    engine.set_game(Game::new(position(fen)));
    engine
}

pub(crate) fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn move_time(milliseconds: u64) -> Limits {
    Limits { move_time: Some(Duration::from_millis(milliseconds)), ..Limits::default() }
}

pub(crate) fn with_mode(mode: Mode, limits: Limits) -> Limits {
    Limits { mode, ..limits }
}

/// A search with all it has reported.
pub(crate) fn go<R: Rules>(
    engine: &mut Engine<R>,
    limits: Limits,
    control: &Control,
) -> (Best<R::Geometry>, Vec<Info<R::Geometry>>) {
    let mut infos = Vec::new();
    let best = engine.go(limits, control, &mut |info| infos.push(info.clone()));
    check(engine.game().position(), &best, &infos);
    (best, infos)
}

/// What holds for every search.
fn check<R: Rules>(root: &Position<R>, best: &Best<R::Geometry>, infos: &[Info<R::Geometry>]) {
    let Some(mv) = best.mv else {
        assert!(legal_moves(root).is_empty() && infos.is_empty());
        return;
    };
    assert_eq!(infos.last(), Some(&best.info));
    assert_eq!(best.info.pv[0], mv);
    for info in infos {
        assert!(info.depth >= 1 && info.mean_depth.is_finite());
        play_out(root, &info.pv);
    }
    if let Some(ponder) = best.ponder {
        play_out(root, &[mv, ponder]);
    }
    let pairs = infos.windows(2);
    for pair in pairs {
        assert!(pair[0].depth <= pair[1].depth && pair[0].nodes <= pair[1].nodes);
    }
}

/// The position after legal moves.
fn play_out<R: Rules>(root: &Position<R>, moves: &[Move<R::Geometry>]) -> Position<R> {
    moves.iter().fold(*root, |position, &mv| {
        assert!(legal_moves(&position).contains(&mv), "{mv:?} in\n{position}");
        position.after(mv)
    })
}

fn search<R: Rules>(fen: &str, limits: Limits) -> Best<R::Geometry> {
    go(&mut engine::<R>(fen), limits, &Control::new()).0
}

fn numbers<G: Geometry>(mv: Option<Move<G>>) -> (u8, u8) {
    let mv = mv.unwrap();
    (G::number(mv.from), G::number(mv.to))
}

/// A sequence of numbers that look random, by SplitMix64.
pub(crate) fn random_numbers(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % below as u64) as usize
    }
}

/// Positions with a sacrifice that wins pieces by force, and how many in the end; a king is three.
const COMBINATIONS: &[(&str, (u8, u8), i32)] = &[
    ("W:W26,27,32,33,37,38,42,47,48,49,50:B1,4,5,6,8,9,11,16,17,18,19,23", (33, 29), 4),
    (
        "B:W25,26,27,34,38,39,40,41,44,46,47,48,49,50:B1,2,3,4,5,8,9,10,12,13,14,15,16,17,24",
        (24, 29),
        3,
    ),
    ("W:W27,28,29,31,32,33,35,38,39,43,48,49:B2,3,10,11,14,16,17,18,20,21,24", (29, 23), 3),
    ("W:W27,28,29,33,37,40,43,47,49:B4,5,8,14,16,17,18,26", (27, 21), 3),
];

#[test]
fn finds_combinations() {
    for &(fen, mv, gain) in COMBINATIONS {
        let root = position::<International>(fen);
        let lead = |position: &Position<International>| {
            let worth = |side| position.pieces(side).len() + 2 * position.kings(side).len();
            worth(root.side()) as i32 - worth(root.side().opponent()) as i32
        };
        let best = search::<International>(fen, depth(10));
        assert_eq!(numbers(best.mv), mv, "{fen}");
        let mut now = root;
        let is_won = best.info.pv.iter().any(|&mv| {
            let is_forced = now.side() == root.side() || legal_moves(&now).len() == 1;
            assert!(is_forced, "{fen}");
            now = now.after(mv);
            lead(&now) - lead(&root) >= gain && !has_capture(&now)
        });
        assert!(is_won, "{fen}");
    }
}

#[test]
fn a_finished_game_has_no_move() {
    for mode in [Mode::Think, Mode::Analyze] {
        let best = search::<International>("B:W28:B", with_mode(mode, Limits::default()));
        assert_eq!((best.mv, best.info.score), (None, Score::loss_in(0)));
        let best = search::<Losing>("W:W26:B21,17", with_mode(mode, Limits::default()));
        assert_eq!((best.mv, best.info.score), (None, Score::win_in(0)));
        let best = search::<Breakthrough>("W:W26:BK50", with_mode(mode, Limits::default()));
        assert_eq!((best.mv, best.info.score), (None, Score::loss_in(0)));
    }
}

#[test]
fn the_same_search_has_the_same_nodes() {
    let run = || {
        let mut engine = Engine::<International>::new(options());
        let mut infos = go(&mut engine, depth(9), &Control::new()).1;
        infos.iter_mut().for_each(|info| info.time = Duration::ZERO);
        infos
    };
    assert_eq!(run(), run());
}

#[test]
fn a_new_game_forgets_the_table() {
    let mut engine = Engine::<International>::new(options());
    let nodes =
        |engine: &mut Engine<International>| go(engine, depth(10), &Control::new()).0.info.nodes;
    let first = nodes(&mut engine);
    assert_ne!(nodes(&mut engine), first, "nothing was there to forget");
    engine.new_game();
    assert_eq!(nodes(&mut engine), first);
}

#[test]
fn two_engines_do_not_disturb_each_other() {
    let nodes = || {
        let mut engine = Engine::<Frisian>::new(options());
        go(&mut engine, depth(7), &Control::new()).0.info.nodes
    };
    let alone = nodes();
    let other = thread::spawn(|| search::<English>("B:W21,22,23,24:B1,2", depth(9)));
    assert_eq!(nodes(), alone);
    other.join().unwrap();
}

#[test]
fn node_limits_are_exact() {
    for limit in [0, 1, 2, 10, 999, 1_000, 54_321] {
        let limits = Limits { nodes: Some(limit), ..Limits::default() };
        let mut engine = Engine::<International>::new(options());
        let (best, infos) = go(&mut engine, limits, &Control::new());
        assert!(best.mv.is_some() && !infos.is_empty());
        assert!(best.info.nodes <= limit);
    }
}

/// No iteration begins after a soft limit, but the last one is whole.
#[test]
fn soft_node_limits_end_between_iterations() {
    for limit in [1, 300, 5_000] {
        let limits = Limits { soft_nodes: Some(limit), ..Limits::default() };
        let (best, _) = go(&mut Engine::<International>::new(options()), limits, &Control::new());
        assert!(best.info.nodes >= limit, "{limit}");
        let to_depth = |plies| {
            let mut engine = Engine::<International>::new(options());
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
        let mut engine = Engine::<International>::new(options());
        let (best, _) = go(&mut engine, depth(limit), &Control::new());
        assert_eq!(best.info.depth, limit);
    }
}

/// Time beyond a limit that a busy machine is forgiven.
const TOLERANCE: Duration = Duration::from_millis(100);

#[test]
fn time_limits_are_kept() {
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
        let mut engine = Engine::<International>::new(options());
        let began = Instant::now();
        let (best, _) = go(&mut engine, limits, &Control::new());
        assert!(best.mv.is_some());
        let took = began.elapsed();
        assert!(took <= Duration::from_millis(most) + TOLERANCE, "{took:?} for {limits:?}");
    }
}

#[test]
fn a_whole_game_in_a_second_is_not_lost_on_time() {
    /// What a move loses on its way to the clock.
    const ON_THE_WAY: Duration = Duration::from_millis(4);
    let mut engine = Engine::<International>::new(options());
    let mut game = Game::<International>::default();
    let mut left = [Duration::from_secs(1); 2];
    while game.outcome().is_none() && game.moves().len() < 200 {
        let side = game.position().side().index();
        let began = Instant::now();
        engine.set_game(game.clone());
        let clock = Clock { remaining: left[side], ..Clock::default() };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        game.play(go(&mut engine, limits, &Control::new()).0.mv.unwrap());
        let ply = game.moves().len();
        left[side] = left[side]
            .checked_sub(began.elapsed() + ON_THE_WAY)
            .unwrap_or_else(|| panic!("out of time at ply {ply}"));
    }
    assert!(left.iter().all(|left| *left < Duration::from_millis(700)), "{left:?}");
}

#[test]
fn a_stop_ends_the_search_at_once() {
    let modes = [Mode::Think, Mode::Ponder, Mode::Analyze];
    for (mode, threads) in modes.into_iter().flat_map(|mode| [(mode, 1), (mode, 4)]) {
        let control = Control::new();
        let stopper = control.clone();
        let thread = thread::spawn(move || {
            thread::sleep(Duration::from_millis(100));
            stopper.stop();
            Instant::now()
        });
        let mut engine = Engine::<International>::new(Options { threads, ..options() });
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
    let mut engine = Engine::<International>::new(options());
    let (best, infos) = go(&mut engine, Limits::default(), &control);
    assert!(best.mv.is_some() && !infos.is_empty());
}

#[test]
fn an_only_move_is_played_at_once_but_analyzed() {
    let mut engine = engine::<International>(ONLY_MOVE);
    assert_eq!(legal_moves(engine.game().position()).len(), 1);
    let began = Instant::now();
    let (best, infos) = go(&mut engine, move_time(5_000), &Control::new());
    assert!(began.elapsed() < Duration::from_secs(1));
    assert!(best.mv.is_some() && !infos.is_empty());
    let (best, _) = go(&mut engine, with_mode(Mode::Analyze, depth(6)), &Control::new());
    assert_eq!(best.info.depth, 6);
}

/// Runs a search on a thread of its own, waits, and returns whether it was still running then, with
/// what it gave after `release`.
fn held_back<R: Rules>(
    fen: &'static str,
    limits: Limits,
    release: impl FnOnce(&Control),
) -> (bool, Vec<Info<R::Geometry>>) {
    let control = Control::new();
    let handle = control.clone();
    let thread = thread::spawn(move || go(&mut engine::<R>(fen), limits, &handle).1);
    thread::sleep(Duration::from_millis(300));
    let is_held = !thread.is_finished();
    release(&control);
    (is_held, thread.join().unwrap())
}

#[test]
fn a_ponder_search_waits_for_the_ponder_hit() {
    for limits in [depth(3), move_time(1), move_time(0)] {
        let limits = with_mode(Mode::Ponder, limits);
        let (is_held, _) = held_back::<International>(WON, limits, Control::ponder_hit);
        assert!(is_held, "{limits:?}");
        let (is_held, _) = held_back::<International>(ONLY_MOVE, limits, Control::ponder_hit);
        assert!(is_held, "{limits:?}");
        let (is_held, _) = held_back::<International>(WON, limits, Control::stop);
        assert!(is_held, "{limits:?}");
    }
}

#[test]
fn endless_analysis_is_quiet_when_all_is_known() {
    for fen in [WON, ONE_KING_EACH] {
        for mode in [Mode::Think, Mode::Analyze] {
            let limits = with_mode(mode, Limits::default());
            let (is_held, infos) = held_back::<International>(fen, limits, Control::stop);
            assert!(is_held);
            assert!(infos.len() < 250, "{} infos", infos.len());
        }
    }
}

#[test]
fn a_proven_result_ends_thinking() {
    let began = Instant::now();
    let best = search::<International>("W:WK28,47:B45", move_time(30_000));
    assert!(best.info.score.is_decisive(), "{}", best.info.score);
    assert!(began.elapsed() < Duration::from_secs(20));
}

/// A game from a position by the from and to of its moves.
fn game<R: Rules>(fen: &str, moves: &[(u8, u8)]) -> Game<R> {
    let mut game = Game::new(position(fen));
    for &pair in moves {
        let mut legal = legal_moves(game.position()).into_iter();
        let mv = legal.find(|&mv| numbers(Some(mv)) == pair).unwrap();
        game.play(mv);
    }
    game
}

/// The result of a search of a game, and of its last position without the game.
fn with_and_without_game(game: Game<International>, limits: Limits) -> [Best<Board10>; 2] {
    let alone = Game::new(*game.position());
    [game, alone].map(|game| {
        let mut engine = Engine::new(options());
        engine.set_game(game);
        go(&mut engine, limits, &Control::new()).0
    })
}

#[test]
fn a_repetition_of_the_game_is_a_draw() {
    let moves = [(47, 42), (4, 10), (42, 47), (10, 4)];
    let game = game("W:WK47,36,26:BK4,1,2,3,16,6", &moves);
    let [with, without] = with_and_without_game(game, depth(6));
    assert_eq!(numbers(with.mv), (47, 42));
    assert_eq!(with.info.score, Score::DRAW);
    assert!(without.info.score < Score(-50), "{}", without.info.score);
}

#[test]
fn a_move_limit_is_a_draw() {
    // Two kings against one: five moves each.
    let moves =
        [(47, 24), (3, 17), (48, 43), (17, 6), (24, 8), (6, 33), (8, 13), (33, 29), (13, 36)];
    let [with, without] = with_and_without_game(game("W:WK47,K48:BK3", &moves), depth(5));
    assert_eq!(with.info.score, Score::DRAW);
    assert_ne!(without.info.score, Score::DRAW);
}

struct RandomOpponent;

impl VariantVisitor for RandomOpponent {
    type Output = [usize; 3];

    /// Games against random moves, to the end: won, drawn, lost.
    fn visit<R: Rules>(self) -> [usize; 3] {
        let mut results = [0; 3];
        for number in 0..4 {
            let mut random = random_numbers(number);
            let us = Side::ALL[number as usize % 2];
            let mut engine = Engine::<R>::new(options());
            let mut game = Game::<R>::default();
            let outcome = loop {
                // Frisian has no rule of repetition.
                if let Some(outcome) = game.outcome() {
                    break outcome.winner;
                }
                if game.moves().len() > 400 {
                    break None;
                }
                let mv = if game.position().side() == us {
                    engine.set_game(game.clone());
                    go(&mut engine, depth(4), &Control::new()).0.mv.unwrap()
                } else {
                    let moves = legal_moves(game.position());
                    moves[random(moves.len())]
                };
                assert!(game.try_play(mv));
            };
            let index = match outcome {
                Some(winner) if winner == us => 0,
                None => 1,
                Some(_) => 2,
            };
            results[index] += 1;
        }
        results
    }
}

#[test]
fn every_game_is_played_to_the_end_and_beats_random_moves() {
    for variant in Variant::ALL {
        let [won, drawn, lost] = variant.visit(RandomOpponent);
        assert!(won >= 3 && lost == 0, "{variant}: {won} won, {drawn} drawn, {lost} lost");
    }
}

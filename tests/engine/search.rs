//! Results of searches.

use std::thread;
use std::time::Duration;

use manoury::board::{Move, Side};
use manoury::engine::{Engine, EngineOptions};
use manoury::erased::{Game, Position};
use manoury::rules::Variant;
use manoury::score::Score;
use manoury::search::{Control, Limits, Mode, SearchResult};
use manoury::weights::WeightsSource;

use crate::engine::searching::{
    depth, go, new_engine, options, position, random_numbers, search, with_mode,
};

/// The squares that a move leaves and reaches.
fn ends(mv: Move) -> (u8, u8) {
    (mv.from, mv.to)
}

/// Positions with a sacrifice that wins material by force: the first move, and the gain in men; a
/// king counts as three.
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
        let root = position(Variant::International, fen);
        let lead = |position: &Position| {
            let worth = |side| position.pieces(side).len() + 2 * position.kings(side).len();
            worth(root.side()) as i32 - worth(root.side().opponent()) as i32
        };
        let best = search(Variant::International, fen, depth(10));
        assert_eq!(best.mv.map(ends), Some(mv), "{fen}");
        let mut now = root;
        let is_won = best.info.pv.iter().any(|&mv| {
            let is_forced = now.side() == root.side() || now.legal_moves().len() == 1;
            assert!(is_forced, "{fen}");
            now = now.after(mv);
            lead(&now) - lead(&root) >= gain && !now.has_capture()
        });
        assert!(is_won, "{fen}");
    }
}

#[test]
fn a_finished_game_has_no_move() {
    for mode in [Mode::Think, Mode::Analyze] {
        let best = search(Variant::International, "B:W28:B", with_mode(mode, Limits::default()));
        assert_eq!((best.mv, best.info.score), (None, Score::loss_in(0)));
        let best = search(Variant::Losing, "W:W26:B21,17", with_mode(mode, Limits::default()));
        assert_eq!((best.mv, best.info.score), (None, Score::win_in(0)));
        let best = search(Variant::Breakthrough, "W:W26:BK50", with_mode(mode, Limits::default()));
        assert_eq!((best.mv, best.info.score), (None, Score::loss_in(0)));
    }
}

#[test]
fn the_same_search_has_the_same_nodes() {
    let run = || {
        let mut engine = new_engine(Variant::International);
        let mut infos = go(&mut engine, depth(9), &Control::new()).1;
        infos.iter_mut().for_each(|info| info.time = Duration::ZERO);
        infos
    };
    assert_eq!(run(), run());
}

#[test]
fn a_new_game_clears_the_table() {
    let mut engine = new_engine(Variant::International);
    let nodes = |engine: &mut Engine| go(engine, depth(10), &Control::new()).0.info.nodes;
    let first = nodes(&mut engine);
    assert_ne!(nodes(&mut engine), first, "nothing was there to forget");
    engine.new_game();
    assert_eq!(nodes(&mut engine), first);
}

#[test]
fn two_engines_are_independent() {
    let nodes = || {
        let mut engine = new_engine(Variant::Frisian);
        go(&mut engine, depth(7), &Control::new()).0.info.nodes
    };
    let alone = nodes();
    let other = thread::spawn(|| search(Variant::English, "B:W21,22,23,24:B1,2", depth(9)));
    assert_eq!(nodes(), alone);
    other.join().unwrap();
}

/// A game of international draughts: the first position, and the squares that each move leaves and
/// reaches.
fn game(fen: &str, moves: &[(u8, u8)]) -> Game {
    let mut game = Game::from_position(position(Variant::International, fen));
    for &pair in moves {
        let mut legal = game.position().legal_moves().into_iter();
        let mv = legal.find(|&mv| ends(mv) == pair).unwrap();
        game.play(mv);
    }
    game
}

/// The result of a search of a game, and of its last position without the moves before it. The
/// weights are hand-crafted, as a learned network may evaluate an even position as a draw.
fn with_and_without_game(game: Game, limits: Limits) -> [SearchResult; 2] {
    let alone = Game::from_position(*game.position());
    [game, alone].map(|game| {
        let weights = WeightsSource::HandCrafted;
        let mut engine = Engine::new(game.variant(), EngineOptions { weights, ..options() });
        engine.set_game(game);
        go(&mut engine, limits, &Control::new()).0
    })
}

#[test]
fn a_repetition_of_the_game_is_a_draw() {
    let moves = [(47, 42), (4, 10), (42, 47), (10, 4)];
    let game = game("W:WK47,36,26:BK4,1,2,3,16,6", &moves);
    let [with, without] = with_and_without_game(game, depth(6));
    assert_eq!(with.mv.map(ends), Some((47, 42)));
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

/// Plays four games against random moves to the end. Returns how many were won, drawn and lost.
fn against_random_moves(variant: Variant) -> [usize; 3] {
    let mut results = [0; 3];
    for number in 0..4 {
        let mut random = random_numbers(number);
        let us = Side::ALL[number as usize % 2];
        let mut engine = new_engine(variant);
        let mut game = Game::new(variant);
        let outcome = loop {
            // Frisian has no repetition rule.
            if let Some(outcome) = game.outcome() {
                break outcome.winner;
            }
            if game.plies() > 400 {
                break None;
            }
            let mv = if game.position().side() == us {
                engine.set_game(game.clone());
                go(&mut engine, depth(4), &Control::new()).0.mv.unwrap()
            } else {
                let moves = game.position().legal_moves();
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

#[test]
fn beats_random_moves_in_every_variant() {
    for &variant in Variant::ALL {
        let [won, drawn, lost] = against_random_moves(variant);
        assert!(won >= 3 && lost == 0, "{variant}: {won} won, {drawn} drawn, {lost} lost");
    }
}

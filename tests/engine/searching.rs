//! Searches with checks that hold for every search, and what they need.

use std::time::Duration;

use manoury::board::{Kind, Move, Side};
use manoury::engine::{Engine, EngineOptions};
use manoury::erased::Position;
use manoury::position::Setup;
use manoury::rules::Variant;
use manoury::search::{Control, Info, Limits, Mode, SearchResult};

/// One thread, a small transposition table, no bitbases and no book.
pub(crate) fn options() -> EngineOptions {
    EngineOptions { tt_size: 18, bb_size: 0, ..EngineOptions::default() }
}

/// The position of a simple FEN, `W:W31,K32:B1`.
pub(crate) fn position(variant: Variant, fen: &str) -> Position {
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
            setup.put(side(part), kind, number);
        }
    }
    Position::from_setup(variant, &setup).unwrap()
}

/// An engine at the start position.
pub(crate) fn new_engine(variant: Variant) -> Engine {
    Engine::new(variant, options())
}

pub(crate) fn engine_at(variant: Variant, fen: &str) -> Engine {
    let mut engine = new_engine(variant);
    engine.set_position(position(variant, fen));
    engine
}

pub(crate) fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

pub(crate) fn move_time(milliseconds: u64) -> Limits {
    Limits { move_time: Some(Duration::from_millis(milliseconds)), ..Limits::default() }
}

pub(crate) fn with_mode(mode: Mode, limits: Limits) -> Limits {
    Limits { mode, ..limits }
}

/// Searches and checks the result. Returns it with all reported information.
pub(crate) fn go(
    engine: &mut Engine,
    limits: Limits,
    control: &Control,
) -> (SearchResult, Vec<Info>) {
    let mut infos = Vec::new();
    let best = engine.go(limits, control, &mut |info| infos.push(info.clone()));
    check(engine.game().position(), &best, &infos);
    (best, infos)
}

/// Checks what holds for every search.
fn check(root: &Position, best: &SearchResult, infos: &[Info]) {
    let Some(mv) = best.mv else {
        assert!(!root.has_move() && infos.is_empty());
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

/// Plays moves, which must be legal.
fn play_out(root: &Position, moves: &[Move]) -> Position {
    moves.iter().fold(*root, |position, &mv| {
        assert!(position.legal_moves().contains(&mv), "{mv:?} in\n{position}");
        position.after(mv)
    })
}

pub(crate) fn search(variant: Variant, fen: &str, limits: Limits) -> SearchResult {
    go(&mut engine_at(variant, fen), limits, &Control::new()).0
}

/// A pseudorandom sequence by SplitMix64; each call returns a number below its argument.
pub(crate) fn random_numbers(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % below as u64) as usize
    }
}

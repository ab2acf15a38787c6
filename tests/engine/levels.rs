//! Levels of strength, and the handicaps that lidraughts asks for.

use manoury::book::Book;
use manoury::engine::{BookOptions, Engine, EngineOptions, Level, Strength};
use manoury::erased::{Game, Position};
use manoury::notation::fen;
use manoury::rules::Variant;
use manoury::search::{Control, Info, Limits, Mode, Quiescence, SearchResult};

fn engine(variant: Variant, level: u8) -> Engine {
    with_strength(variant, Level::new(level).unwrap().into(), 1)
}

fn with_strength(variant: Variant, strength: Strength, seed: u64) -> Engine {
    let options =
        EngineOptions { tt_size: 12, strength, seed: Some(seed), ..EngineOptions::default() };
    Engine::new(variant, options)
}

fn go(engine: &mut Engine, limits: Limits) -> (SearchResult, Vec<Info>) {
    let mut infos = Vec::new();
    let best = engine.go(limits, &Control::new(), &mut |info| infos.push(info.clone()));
    (best, infos)
}

#[test]
fn a_level_needs_no_limit_and_reports_its_move() {
    for &variant in Variant::ALL {
        for level in [1, 5, 10] {
            let mut engine = engine(variant, level);
            let (best, infos) = go(&mut engine, Limits::default());
            let mv = best.mv.unwrap();
            assert!(Position::start(variant).legal_moves().contains(&mv));
            let [info] = &infos[..] else { panic!("{infos:?}") };
            assert_eq!(info.pv.first(), Some(&mv), "{variant}, level {level}");
        }
    }
}

#[test]
fn a_forced_move_is_played_at_once() {
    let position = fen::parse(Variant::International, "W:W32,38,43,48:B28,17,11,2").unwrap();
    assert_eq!(position.legal_moves().len(), 1);
    let mut engine = engine(Variant::International, 13);
    engine.set_position(position);
    assert_eq!(go(&mut engine, Limits::default()).0.info.depth, 1);
}

#[test]
fn a_level_knows_the_first_moves_of_the_book() {
    let options = |level| EngineOptions {
        tt_size: 12,
        strength: Level::new(level).unwrap().into(),
        book: Some(BookOptions::default()),
        ..EngineOptions::default()
    };
    for (level, plies, is_book) in [(1, 0, false), (9, 0, true), (9, 4, true), (9, 6, false)] {
        let mut engine = Engine::new(Variant::International, options(level));
        let book = Book::embedded(Variant::International).unwrap();
        let mut game = Game::new(Variant::International);
        for _ in 0..plies {
            game.play(book.moves(game.position())[0].mv);
        }
        engine.set_game(game);
        let (best, _) = go(&mut engine, Limits::default());
        assert_eq!(best.info.nodes == 0, is_book, "level {level} after {plies} plies");
    }
}

#[test]
fn an_analysis_is_at_full_strength() {
    let limits = Limits { depth: Some(6), mode: Mode::Analyze, ..Limits::default() };
    let (weak, infos) = go(&mut engine(Variant::International, 1), limits);
    let (strong, _) = go(&mut engine(Variant::International, 14), limits);
    assert_eq!((weak.mv, weak.info.nodes), (strong.mv, strong.info.nodes));
    assert!(infos.len() > 1);
}

#[test]
fn choices_vary_with_the_seed_only() {
    let moves = |seed| {
        let mut engine = with_strength(Variant::International, Strength::MIN, seed);
        (0..8).map(|_| go(&mut engine, Limits::default()).0.mv).collect::<Vec<_>>()
    };
    assert_eq!(moves(3), moves(3));
    assert_ne!(moves(3), moves(4));
}

/// The points of the first of two levels in some games, of 2 for each.
fn points(levels: [u8; 2], games: usize) -> usize {
    let mut engines = levels.map(|level| engine(Variant::International, level));
    let mut points = 0;
    for number in 0..games {
        let mut game = Game::new(Variant::International);
        while game.outcome().is_none() && game.plies() < 200 {
            let mover = (game.plies() + number) % 2;
            engines[mover].set_game(game.clone());
            game.play(go(&mut engines[mover], Limits::default()).0.mv.unwrap());
        }
        let first = [manoury::board::Side::White, manoury::board::Side::Black][number % 2];
        points += match game.outcome().map(|outcome| outcome.winner) {
            Some(Some(winner)) => 2 * usize::from(winner == first),
            _ => 1,
        };
    }
    points
}

#[test]
fn higher_levels_win() {
    for levels in [[3, 1], [5, 3], [11, 9]] {
        let points = points(levels, 20);
        assert!(points >= 28, "{levels:?}: {points} of 40 points");
    }
}

#[test]
fn lines_are_limited_in_length() {
    for &variant in Variant::ALL {
        for plies in [1, 3] {
            let limits = Limits { nodes: Some(3000), plies: Some(plies), ..Limits::default() };
            let (best, infos) = go(&mut engine(variant, 14), limits);
            assert!(best.mv.is_some());
            assert!(
                infos.iter().all(|info| info.pv.len() <= plies as usize),
                "{variant} {infos:?}"
            );
        }
    }
}

#[test]
fn handicaps_hide_captures() {
    // 33-28 is an exchange: Black captures, and White captures back.
    let position = fen::parse(Variant::International, "W:W33,38,43,48:B22,17,11,2").unwrap();
    let offer =
        position.sorted_moves().into_iter().find(|mv| (mv.from, mv.to) == (33, 28)).unwrap();
    let score = |quiescence| {
        let mut engine = engine(Variant::International, 14);
        engine.set_position(position.after(offer));
        let limits = Limits { depth: Some(1), quiescence, ..Limits::default() };
        i32::from(go(&mut engine, limits).0.info.score.0)
    };
    // That White captures back is beyond the horizon.
    let [quiet, stand_pat, blind] =
        [Quiescence::Full, Quiescence::StandPat, Quiescence::Off].map(score);
    assert!(blind > quiet + 50, "{blind} {quiet}");
    assert!(stand_pat <= blind, "{stand_pat} {blind}");
}

#[test]
fn a_weak_search_does_not_affect_a_strong_one() {
    // Both share a table; the keys differ.
    let limits = |quiescence| Limits { depth: Some(7), quiescence, ..Limits::default() };
    let mut shared = engine(Variant::International, 14);
    let alone = go(&mut engine(Variant::International, 14), limits(Quiescence::Full)).0.info;
    go(&mut shared, limits(Quiescence::Off));
    let after = go(&mut shared, limits(Quiescence::Full)).0.info;
    assert_eq!(after.depth, alone.depth);
    // With the entries of the weak search there would be next to nothing to search.
    assert!(after.nodes > alone.nodes / 2, "{} of {}", after.nodes, alone.nodes);
}

//! Edge openings, in which one side is ahead: the built-in sets, and the search for new openings.

use std::collections::HashSet;

use manoury::arena::openings::edge::{EdgeOpening, EdgeSettings, find, has_set};
use manoury::arena::openings::{Opening, OpeningSource};
use manoury::board::Side;
use manoury::engine::{Engine, EngineOptions, Resources};
use manoury::erased::{Game, Position};
use manoury::position::Setup;
use manoury::rules::Variant::{self, International, Italian, Russian};
use manoury::runtime::interrupt::Interrupt;
use manoury::runtime::progress::ProgressCounter;
use manoury::score::Score;
use manoury::search::{Control, Limits, Mode};
use manoury::weights;
use rayon::ThreadPoolBuilder;

use super::{fault, names};

fn set(variant: Variant) -> Vec<Opening> {
    OpeningSource::Edge.openings(variant).unwrap()
}

fn variants_with_a_set() -> impl Iterator<Item = Variant> {
    Variant::ALL.iter().copied().filter(|&variant| has_set(variant))
}

/// Checks that a game is an opening: 6 to 14 plies, and no capture for either side.
fn check(game: &Game) {
    let replayed = game.moves().into_iter().fold(Game::new(game.variant()), |mut game, mv| {
        assert!(game.try_play(mv));
        game
    });
    let position = game.position();
    assert_eq!(replayed.position(), position);
    assert!((6..=14).contains(&game.plies()), "{position}");
    assert!(!position.has_capture() && !position.is_threatened(), "{position}");
    assert_eq!(game.outcome(), None, "{position}");
}

/// The position with White to move, the same for one with reversed colours.
fn with_white_to_move(position: &Position) -> Position {
    let setup = position.setup();
    let grid = position.grid();
    let rotated = |side: Side| {
        let kinds = setup.pieces[side.index()];
        kinds.map(|set| set.numbers().map(|square| grid.rotated(square)).collect())
    };
    let setup = match setup.side {
        Side::White => setup,
        Side::Black => {
            Setup { side: Side::White, pieces: [rotated(Side::Black), rotated(Side::White)] }
        }
    };
    Position::from_setup(position.variant(), &setup).unwrap()
}

fn are_distinct<'a>(games: impl Iterator<Item = &'a Game>) -> bool {
    let mut seen = HashSet::new();
    games.into_iter().all(|game| seen.insert(with_white_to_move(game.position())))
}

#[test]
fn the_sets_are_openings() {
    for variant in variants_with_a_set() {
        let openings = set(variant);
        let expected = if variant == International { 4000 } else { 1000 };
        assert_eq!(openings.len(), expected, "{variant}");
        openings.iter().for_each(|opening| check(&opening.game));
        assert!(are_distinct(openings.iter().map(|opening| &opening.game)), "{variant}");
        assert_eq!(names(&openings[..2]), ["edge 1", "edge 2"]);
    }
}

/// The lists of numbers stand for the same games forever: interrupted matches rely on them.
#[test]
fn sets_never_change() {
    let opening = &set(International)[0];
    let expected = "31-27 19-24 36-31 18-23 34-29 23x34x29 39x19x24x34 13x24x19 32-28 24-30 \
                    35x24x30 20x29x24 33x24x29";
    assert_eq!(super::moves(opening), expected);
}

#[test]
fn rejects_variants_without_a_set() {
    let message = fault(OpeningSource::Edge.openings(Variant::Losing));
    assert!(message.contains("no edge openings for losing"), "{message}");
    assert!(message.contains("`manoury openings --variant losing --out FILE`"), "{message}");
    assert_eq!(variants_with_a_set().count(), 6);
}

/// White's leads in the first openings of a set, in hundredths of a man.
fn leads(variant: Variant, count: usize) -> Vec<i16> {
    let resources = Resources::embedded(variant, weights::embedded(variant));
    let options = EngineOptions { tt_size: 16, ..EngineOptions::default() };
    let mut engine = Engine::with_resources(variant, resources, options);
    let limits = Limits { soft_nodes: Some(5000), mode: Mode::Analyze, ..Limits::default() };
    let lead = |opening: Opening| {
        let side = opening.game.position().side();
        engine.new_game();
        engine.set_game(opening.game);
        let score = engine.go(limits, &Control::new(), &mut |_| {}).info.score;
        if side == Side::White { score.0 } else { -score.0 }
    };
    set(variant).into_iter().take(count).map(lead).collect()
}

/// The sets stay as they are while networks change, so a lead may be outside the window of
/// `scripts/edge_openings.sh`, by which it was chosen.
#[test]
fn one_side_is_ahead_in_the_sets() {
    for variant in variants_with_a_set() {
        let (least, most) = match variant {
            International => (20, 110),
            _ => (20, 200),
        };
        let leads = leads(variant, 100);
        let fitting = leads.iter().filter(|lead| (least..=most).contains(&lead.abs())).count();
        assert!(fitting >= 90, "{variant}: {leads:?}");
        let white = leads.iter().filter(|&&lead| lead > 0).count();
        assert!((30..=70).contains(&white), "{variant}: {leads:?}");
    }
}

fn found(variant: Variant, settings: &EdgeSettings, threads: usize) -> Vec<EdgeOpening> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let counter = ProgressCounter::new(0, 0, Interrupt::default());
    let evaluation = weights::embedded(variant);
    let openings = find(variant, settings, &evaluation, &pool, &counter);
    assert_eq!(counter.done(), openings.len() as u64);
    openings
}

#[test]
fn openings_depend_on_the_settings_only() {
    for variant in [International, Russian, Italian] {
        let settings =
            EdgeSettings { count: 21, ahead: Score(50)..=Score(150), nodes: 500, seed: 5 };
        let openings = found(variant, &settings, 1);
        let numbers = |openings: &[EdgeOpening]| -> Vec<_> {
            openings.iter().map(|opening| (opening.number, opening.lead)).collect()
        };
        assert_eq!(numbers(&openings), numbers(&found(variant, &settings, 3)), "{variant}");
        let other = EdgeSettings { seed: 6, ..settings.clone() };
        assert_ne!(numbers(&openings), numbers(&found(variant, &other, 2)), "{variant}");

        assert_eq!(openings.len(), 21);
        openings.iter().for_each(|opening| check(&opening.game));
        assert!(are_distinct(openings.iter().map(|opening| &opening.game)));
        let leads: Vec<_> = openings.iter().map(|opening| opening.lead.0).collect();
        assert!(leads.iter().all(|lead| (50..=150).contains(&lead.abs())), "{leads:?}");
        let white = leads.iter().filter(|&&lead| lead > 0).count();
        assert!((10..=11).contains(&white), "{leads:?}");
    }
}

#[test]
fn an_interruption_ends_the_search() {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let settings =
        EdgeSettings { count: 1_000_000, ahead: Score(0)..=Score(1), nodes: 1000, seed: 1 };
    let interrupt = Interrupt::default();
    interrupt.set();
    let evaluation = weights::embedded(International);
    let counter = ProgressCounter::new(0, 0, interrupt);
    let openings = find(International, &settings, &evaluation, &pool, &counter);
    assert!(openings.is_empty());
}

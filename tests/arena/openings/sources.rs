//! The computed and the embedded sources, against plain enumeration.

use std::collections::{BTreeMap, HashSet};

use manoury::arena::openings::{OpeningError, Source};
use manoury::game::Game;
use manoury::movegen::{has_capture, legal_moves};
use manoury::notation::hub;
use manoury::rules::{International, Rules, Variant, VariantVisitor};

use super::{fault, moves, names, positions};

/// A sequence of moves, each as its squares.
type Sequence = Vec<(u8, u8, Vec<u8>)>;

/// Every sequence of moves of that length that leads to a position without a pending capture, by
/// the position as text.
fn sequences<R: Rules>(plies: u8) -> BTreeMap<String, Vec<Sequence>> {
    fn walk<R: Rules>(game: &mut Game<R>, plies: u8, found: &mut BTreeMap<String, Vec<Sequence>>) {
        if plies == 0 {
            if !has_capture(game.position()) {
                let sequence = game.moves().iter().map(|mv| mv.numbers()).collect();
                found.entry(hub::format_position(game.position())).or_default().push(sequence);
            }
            return;
        }
        for mv in legal_moves(game.position()) {
            game.play(mv);
            walk(game, plies - 1, found);
            game.undo();
        }
    }
    let mut found = BTreeMap::new();
    walk(&mut Game::<R>::default(), plies, &mut found);
    found
}

/// Compares the openings of a number of plies with all sequences; returns how many there are.
struct Plies(u8);

impl VariantVisitor for Plies {
    type Output = usize;

    fn visit<R: Rules>(self) -> usize {
        let expected = sequences::<R>(self.0);
        let openings = Source::Plies(self.0).openings::<R>().unwrap();
        let mut last = None;
        for (opening, number) in openings.iter().zip(1..) {
            assert_eq!(opening.name, format!("{}-ply {number}", self.0));
            let ways = &expected[&hub::format_position(opening.game.position())];
            let way: Sequence = opening.game.moves().iter().map(|mv| mv.numbers()).collect();
            assert_eq!(Some(&way), ways.iter().min(), "{} {}", R::VARIANT, moves(opening));
            assert!(last < Some(way.clone()), "in order, so each position comes once");
            last = Some(way);
        }
        assert_eq!(openings.len(), expected.len(), "{}", R::VARIANT);
        openings.len()
    }
}

#[test]
fn plies_are_all_quiet_positions() {
    for (variant, counts) in [
        (Variant::International, [66, 264, 1054]),
        (Variant::Frisian, [66, 227, 822]),
        (Variant::Frysk, [81, 369, 1681]),
        (Variant::Russian, [38, 120, 418]),
        (Variant::English, [38, 120, 406]),
        (Variant::Canadian, [102, 500, 2334]),
    ] {
        let found = [2, 3, 4].map(|plies| variant.visit(Plies(plies)));
        assert_eq!(found, counts, "{variant}");
    }
}

#[test]
fn every_variant_has_two_ply_openings() {
    for variant in Variant::ALL {
        assert!(variant.visit(Plies(2)) > 30, "{variant}");
    }
}

#[test]
fn the_start_position_is_one_opening() {
    let openings = Source::Start.openings::<International>().unwrap();
    assert_eq!(names(&openings), ["start"]);
    assert_eq!(moves(&openings[0]), "");
}

#[test]
fn ballots_are_all_pairs_of_moves_but_two() {
    let openings = Source::Ballots.openings::<International>().unwrap();
    let ballots: HashSet<String> = openings.iter().map(moves).collect();
    let distinct: HashSet<_> = positions(&openings).into_iter().collect();
    assert_eq!((openings.len(), ballots.len(), distinct.len()), (79, 79, 79));
    assert_eq!(openings[16].name, "ballot 17");

    let mut missing = Vec::new();
    let mut game = Game::<International>::default();
    for first in legal_moves(game.position()) {
        game.play(first);
        for second in legal_moves(game.position()) {
            let pair = format!("{} {}", hub::format_move(first), hub::format_move(second));
            if !ballots.contains(&pair) {
                missing.push(pair);
            }
        }
        game.undo();
    }
    missing.sort();
    assert_eq!(missing, ["31-27 16-21", "32-27 16-21"]);
}

#[test]
fn ballots_and_two_plies_differ_by_exchanges() {
    let ballots = positions(&Source::Ballots.openings::<International>().unwrap());
    let quiet = positions(&Source::Plies(2).openings::<International>().unwrap());
    assert!(quiet.iter().all(|position| ballots.contains(position)));
    let exchanges = ballots.iter().filter(|position| has_capture(position)).count();
    assert_eq!(ballots.len(), quiet.len() + exchanges);
}

struct Ballots;

impl VariantVisitor for Ballots {
    type Output = Result<usize, OpeningError>;

    fn visit<R: Rules>(self) -> Self::Output {
        Ok(Source::Ballots.openings::<R>()?.len())
    }
}

#[test]
fn ballots_are_for_games_that_start_alike() {
    for &variant in Variant::ALL {
        let found = variant.visit(Ballots);
        match variant {
            Variant::International
            | Variant::Killer
            | Variant::Breakthrough
            | Variant::Losing
            | Variant::Frisian => assert_eq!(found.unwrap(), 79, "{variant}"),
            _ => {
                let message = fault(found);
                assert!(message.contains(&format!("cannot be played in {variant}")), "{message}");
            }
        }
    }
}

#[test]
fn names_of_sources() {
    for (text, source) in [
        ("start", Source::Start),
        ("2-ply", Source::Plies(2)),
        ("3-ply", Source::Plies(3)),
        ("4-ply", Source::Plies(4)),
        ("ballots", Source::Ballots),
        ("games/a.pdn", Source::File("games/a.pdn".into())),
        ("./start", Source::File("./start".into())),
    ] {
        assert_eq!(text.parse::<Source>().unwrap(), source);
        assert_eq!(source.to_string(), text);
    }
    assert!(fault("".parse::<Source>()).contains("ballots"));
}

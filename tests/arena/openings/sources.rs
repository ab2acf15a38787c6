//! The computed and the embedded sources, compared with plain enumeration.

use std::collections::{BTreeMap, HashSet};

use manoury::arena::openings::OpeningSource;
use manoury::board::Side;
use manoury::erased::Game;
use manoury::notation::hub;
use manoury::rules::Variant::{self, International};

use super::{fault, moves, names, positions};

/// A sequence of moves, each as the numbers of its squares.
type Sequence = Vec<(u8, u8, Vec<u8>)>;

/// Every sequence of `plies` moves that leads to a position without a pending capture, by the
/// position in Hub notation.
fn sequences(variant: Variant, plies: u8) -> BTreeMap<String, Vec<Sequence>> {
    fn walk(game: &mut Game, plies: u8, found: &mut BTreeMap<String, Vec<Sequence>>) {
        if plies == 0 {
            if !game.position().has_capture() {
                let sequence = game.moves().iter().map(|mv| mv.numbers()).collect();
                found.entry(hub::format_position(game.position())).or_default().push(sequence);
            }
            return;
        }
        for mv in game.position().legal_moves() {
            game.play(mv);
            walk(game, plies - 1, found);
            game.undo();
        }
    }
    let mut found = BTreeMap::new();
    walk(&mut Game::new(variant), plies, &mut found);
    found
}

/// Compares the openings after a number of plies with all sequences. Returns the number of
/// openings.
fn count_openings(variant: Variant, plies: u8) -> usize {
    let expected = sequences(variant, plies);
    let openings = OpeningSource::Plies(plies).openings(variant).unwrap();
    let mut last = None;
    for (opening, number) in openings.iter().zip(1..) {
        assert_eq!(opening.name, format!("{plies}-ply {number}"));
        let ways = &expected[&hub::format_position(opening.game.position())];
        let way: Sequence = opening.game.moves().iter().map(|mv| mv.numbers()).collect();
        assert_eq!(Some(&way), ways.iter().min(), "{variant} {}", moves(opening));
        assert!(last < Some(way.clone()), "in order, so each position comes once");
        last = Some(way);
    }
    assert_eq!(openings.len(), expected.len(), "{variant}");
    openings.len()
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
        (Variant::Turkish, [56, 344, 2086]),
    ] {
        let found = [2, 3, 4].map(|plies| count_openings(variant, plies));
        assert_eq!(found, counts, "{variant}");
    }
}

#[test]
fn every_variant_has_two_ply_openings() {
    for variant in Variant::ALL {
        assert!(count_openings(*variant, 2) > 30, "{variant}");
    }
}

#[test]
fn the_start_position_is_one_opening() {
    let openings = OpeningSource::Start.openings(International).unwrap();
    assert_eq!(names(&openings), ["start"]);
    assert_eq!(moves(&openings[0]), "");
}

#[test]
fn ballots_are_all_pairs_of_moves_but_two() {
    let openings = OpeningSource::Ballots.openings(International).unwrap();
    let ballots: HashSet<String> = openings.iter().map(moves).collect();
    let distinct: HashSet<_> = positions(&openings).into_iter().collect();
    assert_eq!((openings.len(), ballots.len(), distinct.len()), (79, 79, 79));
    assert_eq!(openings[16].name, "ballot 17");

    let mut missing = Vec::new();
    let mut game = Game::new(International);
    for first in game.position().legal_moves() {
        game.play(first);
        for second in game.position().legal_moves() {
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
    let ballots = positions(&OpeningSource::Ballots.openings(International).unwrap());
    let quiet = positions(&OpeningSource::Plies(2).openings(International).unwrap());
    assert!(quiet.iter().all(|position| ballots.contains(position)));
    let exchanges = ballots.iter().filter(|position| position.has_capture()).count();
    assert_eq!(ballots.len(), quiet.len() + exchanges);
}

#[test]
fn every_game_has_ballots() {
    for (variants, count, most_plies) in [
        ("international killer bt losing frisian", 79, 2),
        ("frysk", 369, 3),
        ("brazilian", 723, 6),
        ("russian", 734, 6),
        ("english", 156, 3),
        ("italian", 174, 3),
        ("spanish german czech pool", 107, 3),
        ("canadian", 458, 3),
        ("turkish", 332, 3),
    ] {
        for variant in variants.split(' ').map(|name| name.parse().unwrap()) {
            let openings = OpeningSource::Ballots.openings(variant).unwrap();
            let distinct: HashSet<_> = positions(&openings).into_iter().collect();
            assert_eq!((openings.len(), distinct.len()), (count, count), "{variant}");
            assert!(openings.iter().all(|opening| opening.game.outcome().is_none()), "{variant}");
            let plies = openings.iter().map(|opening| opening.game.plies());
            assert_eq!(plies.max(), Some(most_plies), "{variant}");
        }
    }
}

#[test]
fn flying_men_are_positions_from_which_no_move_was_made() {
    for (variant, flying) in [(Variant::Russian, 390), (Variant::Brazilian, 387)] {
        let openings = OpeningSource::Ballots.openings(variant).unwrap();
        let flown = openings.iter().filter(|opening| opening.game.plies() == 0);
        assert_eq!(flown.clone().count(), flying);
        for position in positions(&flown.cloned().collect::<Vec<_>>()) {
            assert!(Side::ALL.iter().all(|&side| position.men(side).len() == 12), "{variant}");
            assert_eq!(position.side(), Side::White);
        }
    }
}

/// ACF's number 6 is drawn only since the list has 156 ballots; number 3 is barred.
#[test]
fn english_ballots_leave_out_the_barred() {
    let openings = OpeningSource::Ballots.openings(Variant::English).unwrap();
    let ballots: Vec<_> = openings.iter().map(moves).collect();
    assert!(ballots.contains(&"9-13 22-18 10-14".to_owned()));
    assert!(!ballots.contains(&"9-13 21-17 10-14".to_owned()));
}

#[test]
fn names_of_sources() {
    for (text, source) in [
        ("start", OpeningSource::Start),
        ("2-ply", OpeningSource::Plies(2)),
        ("3-ply", OpeningSource::Plies(3)),
        ("4-ply", OpeningSource::Plies(4)),
        ("ballots", OpeningSource::Ballots),
        ("edge", OpeningSource::Edge),
        ("games/a.pdn", OpeningSource::File { path: "games/a.pdn".into(), plies: None }),
        ("./start", OpeningSource::File { path: "./start".into(), plies: None }),
    ] {
        assert_eq!(text.parse::<OpeningSource>().unwrap(), source);
        assert_eq!(source.to_string(), text);
    }
    assert!(fault("".parse::<OpeningSource>()).contains("ballots"));
}

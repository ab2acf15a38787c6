//! Drawing: no repetition, reproducible by seed, a smaller draw is a prefix of a larger one.

use std::collections::HashSet;

use manoury::arena::openings::{MAX_RANDOM_PLIES, Opening, OpeningSequence, OpeningSource, draw};
use manoury::rules::Variant::{self, Canadian, Frisian, International, Losing, Russian};
use proptest::prelude::*;
use proptest::sample::select;

use super::{fault, file, moves, names, positions};

fn drawn(
    variant: Variant,
    source: &OpeningSource,
    random_plies: usize,
    seed: u64,
    count: usize,
) -> OpeningSequence {
    draw(variant, source, random_plies, seed, count).unwrap()
}

fn are_distinct(openings: &[Opening]) -> bool {
    let set: HashSet<_> = positions(openings).into_iter().collect();
    set.len() == openings.len()
}

#[test]
fn each_round_has_every_opening_once() {
    let OpeningSequence { openings, distinct, .. } =
        drawn(International, &OpeningSource::Ballots, 0, 7, 200);
    assert_eq!((openings.len(), distinct), (200, 79));
    let rounds: Vec<_> = openings.chunks(79).collect();
    assert!(rounds.iter().all(|round| are_distinct(round)));
    assert_ne!(names(rounds[0]), names(rounds[1]), "each round has its own order");
    assert_eq!(drawn(International, &OpeningSource::Ballots, 0, 7, 20).distinct, 20);
}

#[test]
fn no_edge_opening_is_repeated_before_all_have_been_played() {
    let OpeningSequence { openings, distinct, .. } =
        drawn(International, &OpeningSource::Edge, 0, 7, 4100);
    assert_eq!((openings.len(), distinct), (4100, 4000));
    let (first, second) = openings.split_at(4000);
    assert!(are_distinct(first) && are_distinct(second));
    assert_ne!(names(&first[..100]), names(second));
}

#[test]
fn every_source_draws_distinct_openings() {
    fn check(variant: Variant, source: &OpeningSource) {
        let all = source.openings(variant).unwrap().len();
        let OpeningSequence { openings, distinct, .. } = drawn(variant, source, 0, 3, all);
        assert_eq!((openings.len(), distinct), (all, all), "{source}");
        assert!(are_distinct(&openings), "{source}");
        let OpeningSequence { openings, distinct, .. } = drawn(variant, source, 6, 3, 300);
        assert_eq!((openings.len(), distinct), (300, 300), "{source}");
        assert!(are_distinct(&openings), "{source}");
        let quiet = |opening: &Opening| {
            !opening.game.position().has_capture() && opening.game.outcome().is_none()
        };
        assert!(openings.iter().all(quiet), "{source}");
    }
    let fen = "W:W31-50:B1-20\nW:W31,33-50,28:B1-20\nW:W31-50:B1-20\n# the first again\n";
    let source = OpeningSource::File { path: file("draw", "some.fen", fen), plies: None };
    check(International, &source);
    for source in ["start", "2-ply", "3-ply", "4-ply", "ballots"] {
        let source = source.parse().unwrap();
        check(International, &source);
        check(Frisian, &source);
        check(Losing, &source);
        check(Russian, &source);
        check(Canadian, &source);
    }
}

/// The openings drawn by a seed must never change: interrupted matches rely on them.
#[test]
fn the_draw_of_a_seed_never_changes() {
    let ballots = drawn(International, &OpeningSource::Ballots, 0, 1, 5).openings;
    let numbers = [61, 10, 26, 40, 45];
    assert_eq!(names(&ballots), numbers.map(|number| format!("ballot {number}")));
    let random = drawn(International, &OpeningSource::Start, 4, 1, 3).openings;
    let random: Vec<_> = random.iter().map(moves).collect();
    let expected = [
        "34-30 19-24 30x19x24 14x23x19",
        "31-26 17-21 26x17x21 11x22x17",
        "33-29 18-23 29x18x23 13x22x18",
    ];
    assert_eq!(random, expected);
}

#[test]
fn seeds_differ() {
    let order = |seed| {
        let openings = drawn(International, &OpeningSource::Plies(3), 0, seed, 20).openings;
        openings.iter().map(moves).collect::<Vec<_>>()
    };
    assert_ne!(order(1), order(2));
}

#[test]
fn random_plies_follow_every_opening_in_turn() {
    let openings = drawn(International, &OpeningSource::Ballots, 5, 2, 158).openings;
    let (first, second) = openings.split_at(79);
    for round in [first, second] {
        let starts: HashSet<_> = round.iter().map(|opening| opening.game.positions()[2]).collect();
        assert_eq!(starts.len(), 79);
        assert!(round.iter().all(|opening| opening.game.plies() == 7));
    }
    let name = &openings[0].name;
    assert!(name.starts_with("ballot ") && name.ends_with(" + 5 random"), "{name}");
}

#[test]
fn draws_all_openings_and_fails_beyond_them() {
    // There are 9 positions after one ply, and 81 after two; in 66 of those White has no capture.
    for (plies, all) in [(1, 9), (2, 66), (3, 264)] {
        let drawn = drawn(International, &OpeningSource::Start, plies, 5, all);
        assert!(are_distinct(&drawn.openings));
        let message = fault(draw(International, &OpeningSource::Start, plies, 5, all + 1));
        assert!(
            message.starts_with(&format!("start: only {all} of {} different", all + 1)),
            "{message}"
        );
    }
}

#[test]
fn skips_exhausted_openings() {
    // White has one move in the first position and many in the second.
    let fen = "W:W26:B1\nW:W31-50:B1-20\n";
    let source = OpeningSource::File { path: file("exhausted", "two.fen", fen), plies: None };
    let openings = drawn(International, &source, 1, 1, 10).openings;
    let first = openings.iter().filter(|opening| opening.name == "two.fen:1 + 1 random");
    assert_eq!(first.count(), 1);
}

#[test]
fn too_many_random_plies_are_a_fault() {
    let plies = MAX_RANDOM_PLIES + 1;
    let message = fault(draw(International, &OpeningSource::Start, plies, 1, 1));
    assert!(message.contains("at most 100 random plies, not 101"), "{message}");
    let message = fault(draw(International, &OpeningSource::Start, usize::MAX, 1, 1));
    assert!(message.contains("at most"), "{message}");
}

#[test]
fn draws_no_openings_on_request() {
    for plies in [0, 3] {
        let drawn = drawn(International, &OpeningSource::Start, plies, 1, 0);
        assert!(drawn.openings.is_empty());
        assert_eq!(drawn.distinct, 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_smaller_draw_is_a_prefix_of_a_larger(
        source in select(vec!["start", "2-ply", "3-ply", "ballots"]),
        random_plies in select(vec![0usize, 4, 7]),
        seed in any::<u64>(),
        count in 0usize..200,
        more in 0usize..200,
    ) {
        let source = source.parse().unwrap();
        let draw = |count| {
            let openings = drawn(International, &source, random_plies, seed, count).openings;
            openings.into_iter().map(|opening| (moves(&opening), opening.name)).collect::<Vec<_>>()
        };
        let (few, many) = (draw(count), draw(count + more));
        prop_assert_eq!(few.len(), count);
        prop_assert_eq!(&few[..], &many[..count]);
    }
}

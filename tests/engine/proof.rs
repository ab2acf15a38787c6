//! What the search proves about the end of a game, against trying everything.

use std::collections::HashMap;

use manoury::board::{Geometry, Kind, Side};
use manoury::engine::{Engine, Options};
use manoury::game::Game;
use manoury::movegen::legal_moves;
use manoury::position::{Position, Setup};
use manoury::rules::{Breakthrough, English, Frisian, Goal, International, Losing, Rules};
use manoury::score::Score;
use manoury::search::{Control, Mode};

use crate::search::{self, go, options, random_numbers, with_mode};

/// The plies to the end with best play, positive if the side to move wins, `None` if it takes more
/// than `depth` plies or is drawn: by trying everything.
fn plies_to_end<R: Rules>(
    position: &Position<R>,
    depth: u32,
    known: &mut HashMap<(Position<R>, u32), Option<i32>>,
) -> Option<i32> {
    let moves = legal_moves(position);
    if moves.is_empty() {
        return Some(if R::GOAL == Goal::Lose { 1 } else { -1 });
    }
    if depth == 0 {
        return None;
    }
    if let Some(&value) = known.get(&(*position, depth)) {
        return value;
    }
    // Values are one more than the plies, so that an end at once has a sign.
    let replies: Vec<_> =
        moves.iter().map(|&mv| plies_to_end(&position.after(mv), depth - 1, known)).collect();
    let wins = replies.iter().flatten().filter(|&&reply| reply < 0);
    let value = match wins.map(|reply| 1 - reply).min() {
        Some(win) => Some(win),
        None if replies.iter().all(|reply| reply.is_some()) => {
            replies.iter().flatten().map(|reply| -1 - reply).min()
        }
        None => None,
    };
    known.insert((*position, depth), value);
    value
}

/// Compares the scores of small positions with [`plies_to_end`]: for those whose end is at most
/// `depth` plies away the search to `more` plies must prove the same result, never earlier than
/// possible. Returns how many there were and how many took just the plies of best play.
fn compare_with_brute_force<R: Rules>(
    options: &Options,
    more: u32,
    pieces: usize,
    depth: u32,
) -> (usize, usize) {
    let mut random = random_numbers(7);
    let (mut decided, mut shortest) = (0, 0);
    for _ in 0..200 {
        let Some(position) = random_position::<R>(pieces, &mut random) else {
            continue;
        };
        let Some(value) = plies_to_end(&position, depth, &mut HashMap::new()) else {
            continue;
        };
        let mut engine = Engine::new(options.clone());
        engine.set_game(Game::new(position));
        // To think would be to play an only move at once.
        let limits = with_mode(Mode::Analyze, search::depth(depth + more));
        let (best, _) = go(&mut engine, limits, &Control::new());
        let score = best.info.score;
        let plies = i32::from(Score::WIN.0 - score.0.abs());
        let is_right = score.is_decisive() && (score > Score::DRAW) == (value > 0);
        assert!(is_right, "{}: {score}, not {value}\n{position}", R::VARIANT);
        assert!(plies >= value.abs() - 1, "{}: {score}\n{position}", R::VARIANT);
        decided += 1;
        shortest += usize::from(plies == value.abs() - 1);
    }
    (decided, shortest)
}

/// A position with some pieces of each side anywhere, `None` if it is not legal.
fn random_position<R: Rules>(
    pieces: usize,
    random: &mut impl FnMut(usize) -> usize,
) -> Option<Position<R>> {
    let mut setup = Setup::empty(Side::ALL[random(2)]);
    for side in Side::ALL {
        for _ in 0..1 + random(pieces) {
            let kind = [Kind::Man, Kind::Man, Kind::King][random(3)];
            let square = R::Geometry::square(1 + random(R::Geometry::SQUARES)).unwrap();
            setup.put(side, kind, square);
        }
    }
    setup.position().ok()
}

/// [`compare_with_brute_force`] in games of all kinds.
fn compare_all(options: &Options, more: u32) {
    let all = [
        compare_with_brute_force::<International>(options, more, 3, 5),
        compare_with_brute_force::<English>(options, more, 3, 5),
        compare_with_brute_force::<Losing>(options, more, 3, 5),
        compare_with_brute_force::<Breakthrough>(options, more, 3, 5),
        compare_with_brute_force::<Frisian>(options, more, 3, 5),
    ];
    for (decided, shortest) in all {
        assert!(decided >= 20 && shortest * 20 >= decided * 19, "{all:?}");
    }
}

/// A search that leaves nothing out: it need not go much deeper than the result is away.
fn full_width(mut options: Options) -> Options {
    let params = &mut options.params;
    for (name, value) in [
        ("reduction_depth", 20),
        ("hashless_plies", 0),
        ("late_depth", 0),
        ("futility_depth", 0),
        ("static_depth", 0),
        ("razor_depth", 0),
    ] {
        assert!(params.set(name, value), "{name}");
    }
    options
}

/// Plies beyond the result that a full search and a selective one may take to prove it.
const FULL: u32 = 4;
const SELECTIVE: u32 = 12;

#[test]
fn proven_scores_are_those_of_trying_everything() {
    compare_all(&full_width(options()), FULL);
    compare_all(&options(), SELECTIVE);
}

#[test]
fn proven_scores_are_the_same_without_a_transposition_table() {
    let options = Options { tt_size: 0, ..options() };
    compare_all(&full_width(options.clone()), FULL);
    compare_all(&options, SELECTIVE);
}

#[test]
fn proven_scores_are_the_same_with_many_threads() {
    let options = Options { threads: 4, ..options() };
    compare_all(&full_width(options.clone()), FULL);
    compare_all(&options, SELECTIVE);
}

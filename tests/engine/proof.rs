//! Proven scores, compared with an exhaustive search.

use std::collections::HashMap;
use std::sync::LazyLock;

use manoury::board::{Kind, Side};
use manoury::engine::{Engine, EngineOptions};
use manoury::erased::Position;
use manoury::position::Setup;
use manoury::rules::Variant;
use manoury::score::Score;
use manoury::search::{Control, Mode};

use crate::engine::searching::{self, go, options, random_numbers, with_mode};

/// One more than the plies to the end with best play, positive if the side to move wins; `None` if
/// the end takes more than `depth` plies or the game is drawn. Searches all moves.
fn plies_to_end(
    position: &Position,
    depth: u32,
    known: &mut HashMap<(Position, u32), Option<i32>>,
) -> Option<i32> {
    if let Some(outcome) = position.outcome() {
        return Some(if outcome.winner == Some(position.side()) { 1 } else { -1 });
    }
    let moves = position.legal_moves();
    if depth == 0 {
        return None;
    }
    if let Some(&value) = known.get(&(*position, depth)) {
        return value;
    }
    // Values are one more than the plies so that an immediate end has a sign.
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

/// Positions of a game whose end is at most [`DEPTH`] plies away, and their [`plies_to_end`].
struct NearEnds {
    variant: Variant,
    positions: Vec<(Position, i32)>,
}

impl NearEnds {
    fn of(variant: Variant) -> Self {
        let mut random = random_numbers(7);
        let drawn_by_lot = (0..300).filter_map(|_| random_position(variant, 3, &mut random));
        let with_value = |position| {
            plies_to_end(&position, DEPTH, &mut HashMap::new()).map(|value| (position, value))
        };
        Self { variant, positions: drawn_by_lot.filter_map(with_value).collect() }
    }

    /// Compares the scores of a search that is `more` plies deeper: it must prove the same result,
    /// never in fewer plies than possible. Returns the number of positions, and the number proven
    /// in exactly the plies of best play.
    fn compare(&self, options: &EngineOptions, more: u32) -> (usize, usize) {
        let variant = self.variant;
        let mut shortest = 0;
        for &(position, value) in &self.positions {
            let mut engine = Engine::new(variant, options.clone());
            engine.set_position(position);
            // When thinking, the engine would play an only move at once.
            let limits = with_mode(Mode::Analyze, searching::depth(DEPTH + more));
            let (best, _) = go(&mut engine, limits, &Control::new());
            let score = best.info.score;
            let plies = i32::from(Score::WIN.0 - score.0.abs());
            let is_right = score.is_decisive() && (score > Score::DRAW) == (value > 0);
            assert!(is_right, "{variant}: {score}, not {value}\n{position}");
            assert!(plies >= value.abs() - 1, "{variant}: {score}\n{position}");
            shortest += usize::from(plies == value.abs() - 1);
        }
        (self.positions.len(), shortest)
    }
}

/// Those of games of all kinds. All tests share them: it is the exhaustive search that takes long.
static NEAR_ENDS: LazyLock<[NearEnds; 5]> = LazyLock::new(|| {
    [
        Variant::International,
        Variant::English,
        Variant::Losing,
        Variant::Breakthrough,
        Variant::Frisian,
    ]
    .map(NearEnds::of)
});

/// A position with 1 to `pieces` random pieces of each side, `None` if it is not legal.
fn random_position(
    variant: Variant,
    pieces: usize,
    random: &mut impl FnMut(usize) -> usize,
) -> Option<Position> {
    let squares = usize::from(variant.grid().squares());
    let mut setup = Setup::empty(Side::ALL[random(2)]);
    for side in Side::ALL {
        for _ in 0..1 + random(pieces) {
            let kind = [Kind::Man, Kind::Man, Kind::King][random(3)];
            setup.put(side, kind, 1 + random(squares) as u8);
        }
    }
    Position::from_setup(variant, &setup).ok()
}

/// Compares all [`NEAR_ENDS`].
fn compare_all(options: &EngineOptions, more: u32) {
    let all = NEAR_ENDS.each_ref().map(|ends| ends.compare(options, more));
    for (decided, shortest) in all {
        assert!(decided >= 30 && shortest * 20 >= decided * 19, "{all:?}");
    }
}

/// EngineOptions for a search without pruning, which needs to be only a little deeper than the result.
fn full_width(mut options: EngineOptions) -> EngineOptions {
    let params = &mut options.params;
    for (name, value) in [
        ("reduction_depth", 20),
        ("hashless_plies", 0),
        ("futility_depth", 0),
        ("static_depth", 0),
        ("razor_depth", 0),
    ] {
        assert!(params.set(name, value), "{name}");
    }
    options
}

/// The most plies to the end of a position.
const DEPTH: u32 = 5;
/// The plies beyond the result that a full search may need to prove it.
const FULL: u32 = 4;
/// The same for a selective search.
const SELECTIVE: u32 = 12;

#[test]
fn proven_scores_are_those_of_an_exhaustive_search() {
    compare_all(&full_width(options()), FULL);
    compare_all(&options(), SELECTIVE);
}

#[test]
fn proven_scores_are_the_same_without_a_transposition_table() {
    let options = EngineOptions { tt_size: 0, ..options() };
    compare_all(&full_width(options.clone()), FULL);
    compare_all(&options, SELECTIVE);
}

#[test]
fn proven_scores_are_the_same_with_many_threads() {
    let options = EngineOptions { threads: 4, ..options() };
    compare_all(&full_width(options.clone()), FULL);
    compare_all(&options, SELECTIVE);
}

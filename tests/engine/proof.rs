//! Proven scores, compared with an exhaustive search.

use std::sync::LazyLock;

use manoury::board::{Kind, Side};
use manoury::engine::{Engine, EngineOptions};
use manoury::erased::Position;
use manoury::position::Setup;
use manoury::rules::Variant;
use manoury::score::Score;
use manoury::search::{Control, Mode};

use crate::engine::searching::{self, go, options, random_numbers, with_mode};

/// Whether the side to move wins in at most `plies` against any defence.
fn wins_within(position: &Position, plies: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner == Some(position.side());
    }
    let wins = |&mv: &_| loses_within(&position.after(mv), plies - 1);
    plies > 0 && position.legal_moves().iter().any(wins)
}

/// Whether the side to move loses in at most `plies` whatever it plays.
fn loses_within(position: &Position, plies: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner == Some(position.side().opponent());
    }
    let loses = |&mv: &_| wins_within(&position.after(mv), plies - 1);
    plies > 0 && position.legal_moves().iter().all(loses)
}

/// The plies to the end with best play, and whether the side to move wins; `None` if the end takes
/// more than [`DEPTH`] plies or the game is drawn.
fn end(position: &Position) -> Option<(u32, bool)> {
    (0..=DEPTH).find_map(|plies| {
        let is_win = wins_within(position, plies);
        (is_win || loses_within(position, plies)).then_some((plies, is_win))
    })
}

/// Positions of a variant with their [`end`].
struct NearEnds {
    variant: Variant,
    positions: Vec<(Position, (u32, bool))>,
}

impl NearEnds {
    fn of(variant: Variant) -> Self {
        let mut random = random_numbers(7);
        let random_positions = (0..300).filter_map(|_| random_position(variant, 3, &mut random));
        let with_end = |position| Some((position, end(&position)?));
        Self { variant, positions: random_positions.filter_map(with_end).collect() }
    }

    /// Compares the scores of a search that is `more` plies deeper: it must prove the same result,
    /// never in fewer plies than possible. Returns the number of positions, and the number proven
    /// in exactly the plies of best play.
    fn compare(&self, options: &EngineOptions, more: u32) -> (usize, usize) {
        let variant = self.variant;
        let mut engine = Engine::new(variant, options.clone());
        // When thinking, the engine would play an only move at once.
        let limits = with_mode(Mode::Analyze, searching::depth(DEPTH + more));
        let mut shortest = 0;
        for &(position, (fewest, is_win)) in &self.positions {
            engine.new_game();
            engine.set_position(position);
            let (best, _) = go(&mut engine, limits, &Control::new());
            let score = best.info.score;
            let plies = u32::from(Score::WIN.0.abs_diff(score.0.abs()));
            let is_right = score.is_decisive() && (score > Score::DRAW) == is_win;
            assert!(is_right, "{variant}: {score}, not {fewest} plies, win: {is_win}\n{position}");
            assert!(plies >= fewest, "{variant}: {score}\n{position}");
            shortest += usize::from(plies == fewest);
        }
        (self.positions.len(), shortest)
    }
}

/// Those of variants of all kinds, shared by all tests.
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

/// Options for a search without pruning, which needs to be only a little deeper than the result.
fn full_width(mut options: EngineOptions) -> EngineOptions {
    let params = &mut options.params;
    for (name, value) in [
        ("reduction_depth", 20),
        ("iir_reduction", 0),
        ("futility_depth", 0),
        ("rfp_depth", 0),
        ("razor_depth", 0),
    ] {
        assert!(params.set(name, value), "{name}");
    }
    options
}

/// The maximum distance to the end of a position, in plies.
const DEPTH: u32 = 5;
/// The plies beyond the result that a full search may need to prove it.
const FULL: u32 = 4;
/// The same for a selective search.
const SELECTIVE: u32 = 12;

#[test]
fn proven_scores_match_an_exhaustive_search() {
    compare_all(&full_width(options()), FULL);
    compare_all(&options(), SELECTIVE);
}

#[test]
fn proven_scores_match_without_a_transposition_table() {
    let options = EngineOptions { tt_size: 0, ..options() };
    compare_all(&full_width(options.clone()), FULL);
    compare_all(&options, SELECTIVE);
}

#[test]
fn proven_scores_match_with_four_threads() {
    let options = EngineOptions { threads: 4, ..options() };
    compare_all(&full_width(options.clone()), FULL);
    compare_all(&options, SELECTIVE);
}

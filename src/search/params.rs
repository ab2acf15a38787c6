//! The numbers the search is tuned by, each in one place. Depths are in plies, scores in hundredths
//! of a man.
//!
//! What a tuner may change is a field of [`Params`], declared with default, range and step; what it
//! may not is a constant.

use std::time::Duration;

/// The greatest depth of iterative deepening.
pub(super) const MAX_DEPTH: u32 = 99;
/// The greatest distance from the root; there the evaluation decides.
pub(super) const MAX_PLY: usize = 128;

/// The greatest history value of a move, positive or negative.
pub(super) const HISTORY_LIMIT: i32 = 1 << 13;
/// Entries of the correction history of one side, a power of two.
pub(super) const CORRECTION_ENTRIES: usize = 1 << 14;
/// The greatest correction, in the units of [`CORRECTION_UNIT`].
pub(super) const CORRECTION_LIMIT: i32 = 64 * CORRECTION_UNIT;
/// What one hundredth of a man counts in the correction history.
pub(super) const CORRECTION_UNIT: i32 = 256;

/// Moves that are noted as being searched by some thread, a power of two.
pub(super) const BUSY_ENTRIES: usize = 1 << 12;

/// The draw limits of endings are looked at with no more pieces than this.
pub(super) const ENDING_PIECES: usize = 7;

/// Nodes between two looks at the clock and the stop signal.
pub(super) const NODES_PER_CHECK: u64 = 256;

/// How often a finished search that must wait looks whether it may return.
pub(super) const WAIT_STEP: Duration = Duration::from_millis(1);

/// What an only move may take, and a move when the clock is all but run out.
pub(super) const INSTANT: Duration = Duration::from_micros(500);

/// What a time for one move gives up for the way between the engine and the clock, at most.
pub(super) const MOVE_OVERHEAD: Duration = Duration::from_millis(10);
/// It gives up no more than one in so many parts.
pub(super) const MOVE_OVERHEAD_SHARE: u32 = 20;

/// What each move of a game loses on that way.
pub(super) const GAME_OVERHEAD: Duration = Duration::from_millis(5);
/// The moves for which a game clock keeps that back, at most: a long game has more than 100, most
/// of them before it becomes tight.
pub(super) const RESERVE_MOVES: u32 = 80;
/// What a game clock keeps back besides: on a machine with more to do than it can, the engine may
/// stand still for so long.
pub(super) const GAME_RESERVE: Duration = Duration::from_millis(150);
/// One part of the clock in so many can be spent even if that leaves less than the reserve.
pub(super) const RESERVE_SHARE: u32 = 10;

/// The moves that the clock of a game is shared by at the start. Games between engines go on for 60
/// moves a side then, for 30 with half of the pieces, for 10 to 20 with few.
pub(super) const MOST_MOVES: f64 = 40.0;
/// The moves that it is shared by with no piece left; in between in proportion to the pieces.
pub(super) const FEWEST_MOVES: f64 = 12.0;

/// The soft limit: no iteration begins after this part of the time that a move has on average. The
/// last iteration goes on beyond it, by a third of the whole as measured.
pub(super) const SOFT_FACTOR: f64 = 0.8;
/// The hard limit: a move may take so many times its average time ..
pub(super) const HARD_FACTOR: f64 = 4.0;
/// .. and one in so many parts of the time that can be spent, unless there are fewer moves to go.
pub(super) const HARD_SHARE: f64 = 3.0;

/// The soft limit changes with each iteration that confirms the best move by this factor ..
pub(super) const CALM_FACTOR: f64 = 0.9;
/// .. with each that changes it by this one, counted from the soft limit itself or more ..
pub(super) const UNREST_FACTOR: f64 = 1.25;
/// .. and stays in this range.
pub(super) const UNREST_LEAST: f64 = 0.5;
/// See [`UNREST_LEAST`].
pub(super) const UNREST_MOST: f64 = 2.0;
/// A score below the expected one lengthens the soft limit: by once itself for a fall so deep ..
pub(super) const FALL_UNIT: f64 = 50.0;
/// .. but by no more than this part of itself.
pub(super) const FALL_MOST: f64 = 0.8;
/// All together lengthens the soft limit at most by this factor.
pub(super) const PACE_MOST: f64 = 2.5;

/// A number that a tuner may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tunable {
    /// Its name.
    pub name: &'static str,
    /// What it is without tuning.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
    /// The least change that a match can be expected to show.
    pub step: i32,
}

macro_rules! params {
    ($($name:ident: $default:literal in $min:literal..=$max:literal step $step:literal, $doc:literal;)*) => {
        /// What a tuner may change. [`Params::TUNABLES`] has the ranges.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct Params {
            $(#[doc = $doc] pub $name: i32,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Params { $($name: $default,)* }
            }
        }

        impl Params {
            /// Every number with its range, in the order of the fields.
            pub const TUNABLES: &'static [Tunable] = &[$(Tunable {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                step: $step,
            },)*];

            /// The numbers, in the order of [`Params::TUNABLES`].
            pub fn values(&self) -> impl Iterator<Item = i32> {
                [$(self.$name,)*].into_iter()
            }

            /// Sets a number by its name; out of range it becomes the end of the range. Returns
            /// `false` if there is no such name.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value.clamp($min, $max),)*
                    _ => return false,
                }
                true
            }
        }
    };
}

params! {
    aspiration_depth: 4 in 1..=20 step 1, "The first depth searched with a window around the last score.";
    aspiration_delta: 15 in 2..=100 step 3, "The first distance of that window from the last score.";
    aspiration_growth: 250 in 120..=400 step 30, "By how much a window grows that was too narrow, in percent.";

    reduction_depth: 2 in 1..=20 step 1, "The least depth at which late moves are searched less deep.";
    reduction_moves: 2 in 1..=20 step 1, "How many moves come before a late one.";
    reduction_base: 30 in -200..=300 step 15, "Late move reductions: plies of any late move, in percent.";
    reduction_slope: 70 in 0..=150 step 5, "Late move reductions: plies for ln(depth) ln(move number), in percent.";
    reduction_pv: 100 in 0..=300 step 20, "Late move reductions: plies less on the principal variation, in percent.";
    reduction_cut: 100 in 0..=300 step 20, "Late move reductions: plies more where a cut is expected, in percent.";
    reduction_history: 8000 in 1000..=40000 step 800, "Late move reductions: the history that is worth a ply.";
    reduction_killer: 100 in 0..=300 step 20, "Late move reductions: plies less for killer and counter moves, in percent.";
    reduction_threat: 100 in 0..=300 step 20, "Late move reductions: plies less where the opponent threatens a capture, in percent.";
    reduction_improving: 50 in 0..=300 step 20, "Late move reductions: plies more where the evaluation does not rise, in percent.";
    reduction_offer: 0 in -200..=300 step 20, "Late move reductions: plies less for moves that let the opponent capture, in percent.";

    offers_late: 0 in 0..=1 step 1, "Whether moves that let the opponent capture are pruned as others are.";

    busy_depth: 2 in 1..=99 step 1, "Threads: the least depth at which a move that another thread is at is put off.";

    history_bonus: 16 in 1..=100 step 3, "History: the bonus for depth squared.";
    history_most: 1600 in 100..=8000 step 150, "History: the greatest bonus.";
    continuation_weight: 100 in 0..=300 step 15, "History: weight of what followed the last two moves, in percent.";
    killer_rank: 8000 in 0..=30000 step 1000, "Move order: the worth of a killer move, in history.";
    counter_rank: 4000 in 0..=30000 step 1000, "Move order: the worth of a counter move, in history.";

    late_depth: 0 in 0..=12 step 1, "Late move pruning: the greatest depth.";
    late_base: 3 in 0..=20 step 1, "Late move pruning: moves searched at any depth.";
    late_slope: 40 in 0..=400 step 15, "Late move pruning: moves searched for depth squared, in percent.";

    futility_depth: 4 in 0..=12 step 1, "Futility pruning: the greatest depth.";
    futility_base: 60 in 0..=400 step 10, "Futility pruning: the margin at depth 0.";
    futility_slope: 40 in 0..=200 step 8, "Futility pruning: the margin for each ply.";

    static_depth: 4 in 0..=12 step 1, "Reverse futility pruning: the greatest depth.";
    static_base: 30 in 0..=400 step 8, "Reverse futility pruning: the margin at depth 0.";
    static_slope: 40 in 0..=200 step 8, "Reverse futility pruning: the margin for each ply.";

    razor_depth: 3 in 0..=8 step 1, "Razoring: the greatest depth.";
    razor_base: 100 in 0..=400 step 15, "Razoring: the margin at depth 0.";
    razor_slope: 50 in 0..=300 step 10, "Razoring: the margin for each ply.";

    probcut_depth: 99 in 3..=99 step 1, "ProbCut: the least depth.";
    probcut_base: 0 in 0..=200 step 5, "ProbCut: the margin at depth 0.";
    probcut_slope: 10 in 0..=100 step 2, "ProbCut: the margin for each ply.";
    probcut_share: 40 in 10..=90 step 4, "ProbCut: the depth of its search, in percent.";

    hashless_depth: 4 in 1..=99 step 1, "Internal iterative reduction: the least depth.";
    hashless_plies: 1 in 0..=3 step 1, "Internal iterative reduction: plies.";

    singular_depth: 99 in 4..=99 step 1, "Singular extension: the least depth.";
    singular_margin: 200 in 0..=1000 step 25, "Singular extension: the margin for each ply, in percent of a hundredth.";
    singular_share: 45 in 10..=90 step 4, "Singular extension: the depth of its search, in percent.";
    multicut: 1 in 0..=1 step 1, "Multi-cut: whether a second move that fails high cuts.";
    only_reply: 1 in 0..=1 step 1, "Whether an only move costs no depth.";

    correction_weight: 100 in 0..=300 step 10, "Correction history: its share of the evaluation, in percent.";

    threat_plies: 0 in 0..=4 step 1, "Quiescence: plies searched where the opponent threatens a capture.";
    offer_plies: 0 in 0..=4 step 1, "Quiescence: plies in which men are offered.";
    offer_margin: 300 in 0..=1000 step 20, "Quiescence: men are offered down to so much below alpha.";
}

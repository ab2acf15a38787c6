//! The numbers that control the search. Depths are in plies, scores in hundredths of a man.
//!
//! Those a tuner may change are fields of [`Params`], declared with default, range and step; the
//! others are constants.

use std::time::Duration;

/// The maximum depth of iterative deepening.
pub(super) const MAX_DEPTH: u32 = 99;
/// The maximum ply from the root; nodes there get the static evaluation.
pub(super) const MAX_PLY: usize = 128;

/// The limit of a history value, positive or negative.
pub(super) const HISTORY_LIMIT: i32 = 1 << 13;
/// Entries of the correction history per side, a power of two.
pub(super) const CORRECTION_ENTRIES: usize = 1 << 14;
/// The largest correction, in units of 1/[`CORRECTION_UNIT`] hundredths of a man.
pub(super) const CORRECTION_LIMIT: i32 = 64 * CORRECTION_UNIT;
/// One hundredth of a man in the correction history.
pub(super) const CORRECTION_UNIT: i32 = 256;

/// Entries of the cache of static evaluations of a thread, 8 bytes each. A power of two of at least
/// 2^15: the 15 lowest bits of a key are only in the index.
pub(super) const CACHED_EVALUATIONS: usize = 1 << 15;

/// Entries of the table of moves being searched, a power of two.
pub(super) const BUSY_ENTRIES: usize = 1 << 12;

/// The draw limits of endings are checked at this many pieces or fewer.
pub(super) const ENDING_PIECES: usize = 7;

/// Nodes between checks of the clock and the stop signal.
pub(super) const NODES_PER_CHECK: u64 = 256;

/// How often a finished search that has to wait checks whether it may return.
pub(super) const WAIT_STEP: Duration = Duration::from_millis(1);

/// The time for an only move, and for any move when the clock has all but run out.
pub(super) const INSTANT: Duration = Duration::from_micros(500);

/// The overhead deducted from a move time, for the way between the engine and the clock, at most.
pub(super) const MOVE_OVERHEAD: Duration = Duration::from_millis(10);
/// The overhead is at most one part in this many of the move time.
pub(super) const MOVE_OVERHEAD_SHARE: u32 = 20;

/// The overhead of each move of a game, on the same way.
pub(super) const GAME_OVERHEAD: Duration = Duration::from_millis(5);
/// The most moves whose overhead a game clock keeps back: a long game has more than 100, but most
/// of them before time gets short.
pub(super) const RESERVE_MOVES: u32 = 80;
/// A further reserve of the game clock: on an overloaded machine the engine may stall this long.
pub(super) const GAME_RESERVE: Duration = Duration::from_millis(150);
/// One part in this many of the clock is spendable even if that cuts into the reserve.
pub(super) const RESERVE_SHARE: u32 = 10;

/// The number of moves the game clock is divided by at the start. Games between engines last 60
/// more moves a side from there, 30 with half of the pieces, 10 to 20 with few.
pub(super) const MAX_MOVES: f64 = 40.0;
/// The number it is divided by with no pieces left; in between it depends linearly on the pieces.
pub(super) const MIN_MOVES: f64 = 12.0;

/// Soft limit: no new iteration starts past this share of the average time per move. The last
/// iteration overruns it, by a third of the whole as measured.
pub(super) const SOFT_FACTOR: f64 = 0.8;
/// Hard limit: at most this multiple of the average time per move ..
pub(super) const HARD_FACTOR: f64 = 4.0;
/// .. and at most one part in this many of the spendable time, unless fewer moves are to go.
pub(super) const HARD_SHARE: f64 = 3.0;

/// Each iteration that confirms the best move scales the soft limit by this factor ..
pub(super) const CALM_FACTOR: f64 = 0.9;
/// .. each that changes it by this one, starting from at least the unscaled limit ..
pub(super) const UNREST_FACTOR: f64 = 1.25;
/// .. and the product stays in this range.
pub(super) const MIN_UNREST: f64 = 0.5;
/// See [`MIN_UNREST`].
pub(super) const MAX_UNREST: f64 = 2.0;
/// A score below the expected one extends the soft limit: a fall by this much would double it ..
pub(super) const FALL_UNIT: f64 = 50.0;
/// .. but the extension is at most this share of the limit.
pub(super) const MAX_FALL: f64 = 0.8;
/// All together extend the soft limit by at most this factor.
pub(super) const MAX_PACE: f64 = 2.5;

/// A parameter that a tuner may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tunable {
    /// Its name.
    pub name: &'static str,
    /// Its value without tuning.
    pub default: i32,
    /// The smallest sensible value.
    pub min: i32,
    /// The largest sensible value.
    pub max: i32,
    /// The smallest change that a match can be expected to reveal.
    pub step: i32,
}

macro_rules! params {
    ($($name:ident: $default:literal in $min:literal..=$max:literal step $step:literal, $doc:literal;)*) => {
        /// The tunable parameters; [`Params::TUNABLES`] has their ranges.
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
            /// Every parameter with its range, in the order of the fields.
            pub const TUNABLES: &'static [Tunable] = &[$(Tunable {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                step: $step,
            },)*];

            /// The values, in the order of [`Params::TUNABLES`].
            pub fn values(&self) -> impl Iterator<Item = i32> {
                [$(self.$name,)*].into_iter()
            }

            /// Sets a parameter by name, clamped to its range. Returns `false` if there is no such
            /// name.
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
    aspiration_depth: 4 in 1..=20 step 1, "Aspiration windows: the minimum depth.";
    aspiration_delta: 5 in 2..=100 step 3, "Aspiration windows: the initial distance of the bounds from the last score.";
    aspiration_growth: 250 in 120..=400 step 30, "Aspiration windows: the factor on that distance after a fail high or low, in percent.";

    reduction_depth: 2 in 1..=20 step 1, "Late move reductions: the minimum depth.";
    reduction_moves: 2 in 1..=20 step 1, "Late move reductions: the number of moves before the first reduced one.";
    reduction_base: 30 in -200..=300 step 15, "Late move reductions: plies for any late move, in percent.";
    reduction_slope: 85 in 0..=150 step 5, "Late move reductions: plies per ln(depth) ln(move number), in percent.";
    reduction_pv: 100 in 0..=300 step 20, "Late move reductions: plies less on the principal variation, in percent.";
    reduction_cut: 100 in 0..=300 step 20, "Late move reductions: plies more at expected cut nodes, in percent.";
    reduction_history: 8000 in 1000..=40000 step 800, "Late move reductions: the history value worth one ply.";
    reduction_killer: 100 in 0..=300 step 20, "Late move reductions: plies less for killer and counter moves, in percent.";
    reduction_threat: 100 in 0..=300 step 20, "Late move reductions: plies less where the opponent threatens a capture, in percent.";
    reduction_improving: 50 in 0..=300 step 20, "Late move reductions: plies more where the static evaluation is not rising, in percent.";
    reduction_offer: -50 in -200..=300 step 20, "Late move reductions: plies less for moves that let the opponent capture, in percent.";

    busy_depth: 2 in 1..=99 step 1, "Threads: the minimum depth at which moves that other threads are searching are put off.";
    open_depth: 4 in 1..=99 step 1, "Threads: the minimum depth of nodes that are left once another thread has finished them.";

    history_bonus: 16 in 1..=100 step 3, "History: the bonus per depth squared.";
    history_most: 1600 in 100..=8000 step 150, "History: the maximum bonus.";
    continuation_weight: 100 in 0..=300 step 15, "History: the weight of the continuation history of the last two moves, in percent.";
    killer_rank: 8000 in 0..=30000 step 1000, "Move ordering: the bonus of a killer move, in units of history.";
    counter_rank: 4000 in 0..=30000 step 1000, "Move ordering: the bonus of a counter move, in units of history.";

    futility_depth: 4 in 0..=12 step 1, "Futility pruning: the maximum depth.";
    futility_base: 35 in 0..=400 step 10, "Futility pruning: the margin at depth 0.";
    futility_slope: 31 in 0..=200 step 8, "Futility pruning: the margin per ply of depth.";

    static_depth: 4 in 0..=12 step 1, "Reverse futility pruning: the maximum depth.";
    static_base: 23 in 0..=400 step 8, "Reverse futility pruning: the margin at depth 0.";
    static_slope: 21 in 0..=200 step 8, "Reverse futility pruning: the margin per ply of depth.";
    static_improving: 21 in 0..=100 step 5, "Reverse futility pruning: by how much the margin is smaller where the static evaluation is rising.";

    razor_depth: 3 in 0..=8 step 1, "Razoring: the maximum depth.";
    razor_base: 96 in 0..=400 step 15, "Razoring: the margin at depth 0.";
    razor_slope: 55 in 0..=300 step 10, "Razoring: the margin per ply of depth.";

    hashless_depth: 3 in 1..=99 step 1, "Internal iterative reduction: the minimum depth.";
    hashless_plies: 1 in 0..=3 step 1, "Internal iterative reduction: the reduction in plies.";

    singular_depth: 6 in 4..=99 step 1, "Singular extension: the minimum depth.";
    singular_margin: 212 in 0..=1000 step 25, "Singular extension: the margin per ply of depth, in percent of a hundredth of a man.";
    singular_share: 45 in 10..=90 step 4, "Singular extension: the depth of its search, in percent of the full depth.";
    singular_less: 1 in 0..=3 step 1, "Singular extension: plies less for a hash move that is not singular but fails high by its entry.";
    multicut: 1 in 0..=1 step 1, "Multi-cut: whether a second move that fails high cuts off the node.";
    only_reply: 1 in 0..=1 step 1, "Extensions: whether an only move costs no depth.";

    correction_weight: 106 in 0..=300 step 10, "Correction history: its weight, in percent.";
}

//! The numbers that control the search. Depths are in plies, scores in hundredths of a man.
//!
//! Those a tuner may change are fields of [`Params`], declared with default, range and step; the
//! others are constants.

use std::time::Duration;

/// The maximum depth of iterative deepening.
pub const MAX_DEPTH: u32 = 99;
/// The maximum ply from the root; nodes there get the static evaluation.
pub const MAX_PLY: usize = 128;

/// The limit of a history value, positive or negative.
pub const HISTORY_LIMIT: i32 = 1 << 13;
/// Entries of the correction history per side, a power of two.
pub const CORRECTION_ENTRIES: usize = 1 << 14;
/// The largest correction, in units of 1/[`CORRECTION_UNIT`] hundredths of a man.
pub const CORRECTION_LIMIT: i32 = 64 * CORRECTION_UNIT;
/// One hundredth of a man in the correction history.
pub const CORRECTION_UNIT: i32 = 256;

/// Entries of the cache of static evaluations of a thread, 8 bytes each. A power of two of at least
/// 2^15: the 15 lowest bits of a key are only in the index.
pub const CACHED_EVALUATIONS: usize = 1 << 15;

/// Entries of the table of moves being searched, a power of two.
pub const BUSY_ENTRIES: usize = 1 << 12;

/// The draw limits of endings are checked at this many pieces or fewer.
pub const ENDING_PIECES: usize = 7;

/// Nodes between checks of the clock and the stop signal.
pub const NODES_PER_CHECK: u64 = 256;

/// How often a finished search that must wait checks whether it may return.
pub const WAIT_INTERVAL: Duration = Duration::from_millis(1);

/// The time for an only move, and for any move when the clock has all but run out.
pub const MIN_TIME: Duration = Duration::from_micros(500);

/// The maximum overhead deducted from a move time, for the delay between the engine and the clock.
pub const MOVE_OVERHEAD: Duration = Duration::from_millis(10);
/// The overhead is at most one part in this many of the move time.
pub const MOVE_OVERHEAD_SHARE: u32 = 20;

/// The overhead of each move of a game, for the same delay.
pub const GAME_OVERHEAD: Duration = Duration::from_millis(5);
/// The maximum number of moves whose overhead a game clock reserves: a long game has more than 100,
/// but most of them before time gets short.
pub const RESERVE_MOVES: u32 = 80;
/// A further reserve of the game clock: on an overloaded machine the engine may stall this long.
pub const GAME_RESERVE: Duration = Duration::from_millis(150);
/// One part in this many of the clock is spendable even at the cost of the reserve.
pub const RESERVE_SHARE: u32 = 10;

/// The number of moves the game clock is divided by at the start. Games between engines last 60
/// more moves a side from there, 30 with half of the pieces, 10 to 20 with few.
pub const MAX_MOVES: f64 = 40.0;
/// The number it is divided by with no pieces left; in between it depends linearly on the pieces.
pub const MIN_MOVES: f64 = 12.0;

/// Soft limit: no new iteration starts past this share of the average time per move. The last
/// iteration overruns it, by a third of the whole as measured.
pub const SOFT_FACTOR: f64 = 0.8;
/// Hard limit: at most this multiple of the average time per move ..
pub const HARD_FACTOR: f64 = 4.0;
/// .. and at most one part in this many of the spendable time, unless fewer moves are to go.
pub const HARD_SHARE: f64 = 3.0;

/// Each iteration that confirms the best move scales the soft limit by this factor ..
pub const STABLE_FACTOR: f64 = 0.9;
/// .. each that changes it by this one, starting from at least the unscaled limit ..
pub const UNSTABLE_FACTOR: f64 = 1.25;
/// .. and the product stays in this range.
pub const MIN_INSTABILITY: f64 = 0.5;
/// See [`MIN_INSTABILITY`].
pub const MAX_INSTABILITY: f64 = 2.0;
/// A score below the expected one extends the soft limit: a fall by this much would double it ..
pub const FALL_UNIT: f64 = 50.0;
/// .. but the extension is at most this share of the limit.
pub const MAX_FALL: f64 = 0.8;
/// The maximum factor on the soft limit.
pub const MAX_TIME_FACTOR: f64 = 2.5;

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

/// Late move reductions by depth and index of the move, precomputed.
pub struct Reductions {
    /// In hundredths of a ply, by depth, then by the number of moves before.
    percents: Box<[[i16; SIZE]; SIZE]>,
}

/// Greater depths and later moves are reduced like the last in the table.
const SIZE: usize = 64;

impl Reductions {
    /// The reductions for a set of tunables.
    pub fn new(params: &Params) -> Self {
        // 1000 ln(n), from n = 1, rounded to be the same on every machine, and from a crate, as the
        // system's logarithm may differ in the last place.
        let logarithm = |n: usize| (1000.0 * libm::log(n.max(1) as f64)) as i32;
        let logarithms: [i32; SIZE] = std::array::from_fn(logarithm);
        let mut percents = Box::new([[0; SIZE]; SIZE]);
        for (depth, row) in percents.iter_mut().enumerate() {
            for (index, percent) in row.iter_mut().enumerate() {
                let product = logarithms[depth] * logarithms[(index + 1).min(SIZE - 1)] / 1000;
                let plies = params.reduction_base + params.reduction_slope * product / 1000;
                *percent = plies as i16;
            }
        }
        Reductions { percents }
    }

    /// The reduction of the move at an index (the number of moves before it), in hundredths of a
    /// ply.
    #[inline(always)]
    pub fn percent(&self, depth: i32, index: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(SIZE - 1);
        i32::from(self.percents[depth][index.min(SIZE - 1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_index() {
        let reductions = Reductions::new(&Params::default());
        for depth in 1..100 {
            for index in 0..100 {
                let here = reductions.percent(depth, index);
                assert!(reductions.percent(depth + 1, index) >= here);
                assert!(reductions.percent(depth, index + 1) >= here);
            }
        }
    }
}

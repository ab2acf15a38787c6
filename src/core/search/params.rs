//! Search parameters. Depths are in plies, scores in hundredths of a man.
//!
//! Tunable parameters are fields of [`Params`], declared with default, range and step; the others
//! are constants.

use std::time::Duration;

/// The maximum depth of iterative deepening.
pub const MAX_DEPTH: u32 = 99;
/// The maximum distance from the root, in plies; nodes at this distance are evaluated statically.
pub const MAX_PLY: usize = 128;

/// The maximum absolute value of a history entry.
pub const HISTORY_LIMIT: i32 = 1 << 13;
/// The number of correction history entries per side, a power of two.
pub const CORRECTION_ENTRIES: usize = 1 << 14;
/// The maximum correction, in units of 1/[`CORRECTION_UNIT`] of a hundredth of a man.
pub const CORRECTION_LIMIT: i32 = 64 * CORRECTION_UNIT;
/// One hundredth of a man, in the units of the correction history.
pub const CORRECTION_UNIT: i32 = 256;

/// The number of 8-byte entries in each thread's cache of static evaluations: a power of two, at
/// least 2^15, since entries do not store the lowest 15 bits of the key.
pub const CACHED_EVALUATIONS: usize = 1 << 15;

/// The number of entries in the table of moves being searched, a power of two.
pub const BUSY_ENTRIES: usize = 1 << 12;

/// The maximum number of pieces at which the draw rules for specific endings are checked.
pub const ENDING_PIECES: usize = 7;

/// The number of nodes after which a quiescence search evaluates positions statically, although
/// captures are compulsory. In normal games, a thousandth of this is enough; with dozens of kings
/// on the board, there can be far too many lines of captures to search.
pub const MAX_QUIESCENCE_NODES: u64 = 1 << 16;

/// The number of nodes between checks of the clock and the stop signal.
pub const NODES_PER_CHECK: u64 = 256;

/// An upper estimate of the nodes that a thread visits in a second. It only decides how much of a
/// large transposition table a short search uses.
pub const MAX_NODES_PER_SECOND: f64 = 8e6;

/// The interval at which a finished search that withholds its result checks whether it may return.
pub const WAIT_INTERVAL: Duration = Duration::from_millis(1);

/// The time limit for an only move, and for any move when almost no time is left.
pub const MIN_TIME: Duration = Duration::from_micros(500);

/// The maximum overhead deducted from a move time, to cover the delay between engine and clock.
pub const MOVE_OVERHEAD: Duration = Duration::from_millis(10);
/// The divisor of the move time: the overhead is at most 1/20 of it.
pub const MOVE_OVERHEAD_SHARE: u32 = 20;

/// The overhead per move on a game clock, to cover the delay between engine and clock.
pub const GAME_OVERHEAD: Duration = Duration::from_millis(5);
/// The maximum number of future moves for which overhead is reserved on the game clock. Long games
/// exceed 100 moves, but most of these are played before time gets short.
pub const RESERVE_MOVES: u32 = 80;
/// A further reserve on the game clock, to cover stalls of the engine on an overloaded machine.
pub const GAME_RESERVE: Duration = Duration::from_millis(150);
/// The reserve in measured overheads per move, if that is more than [`GAME_RESERVE`].
pub const RESERVE_OVERHEADS: u32 = 4;
/// The divisor of the remaining time: 1/10 of it may always be spent, even if this uses up part of
/// the reserve.
pub const RESERVE_SHARE: u32 = 10;

/// The number of moves among which the time on the game clock is divided at the start. Games
/// between engines last 60 moves per side from the start, another 30 once half of the pieces are
/// left, and another 10 to 20 with few pieces left.
pub const MAX_MOVES: f64 = 40.0;
/// The number of moves among which the time on the game clock would be divided with no pieces left.
/// With more pieces, the number rises linearly to [`MAX_MOVES`].
pub const MIN_MOVES: f64 = 12.0;

/// Soft limit: no new iteration starts after this fraction of the average time per move. It is
/// below 1 because the last iteration overruns the limit: in measurements, moves took a third
/// longer.
pub const SOFT_FACTOR: f64 = 0.8;
/// Hard limit: at most this multiple of the average time per move.
pub const HARD_FACTOR: f64 = 4.0;
/// Hard limit: at most the spendable time divided by this number, or by the number of moves to go
/// if that is smaller.
pub const HARD_SHARE: f64 = 3.0;

/// The factor by which the soft limit is multiplied after each iteration that confirms the best
/// move.
pub const STABLE_FACTOR: f64 = 0.9;
/// The factor by which the soft limit is multiplied after each iteration that changes the best
/// move. If the product of the factors so far is below 1, it is first reset to 1.
pub const UNSTABLE_FACTOR: f64 = 1.25;
/// The minimum product of [`STABLE_FACTOR`] and [`UNSTABLE_FACTOR`] over all iterations.
pub const MIN_INSTABILITY: f64 = 0.5;
/// The maximum product of [`STABLE_FACTOR`] and [`UNSTABLE_FACTOR`] over all iterations.
pub const MAX_INSTABILITY: f64 = 2.0;
/// The fall of the score below the expected score that would double the soft limit, in hundredths
/// of a man. The limit is extended in proportion to the fall, by at most [`MAX_FALL`].
pub const FALL_UNIT: f64 = 50.0;
/// The maximum extension of the soft limit for a falling score, as a fraction of the limit.
pub const MAX_FALL: f64 = 0.8;
/// The maximum combined factor by which the soft limit is multiplied.
pub const MAX_TIME_FACTOR: f64 = 2.5;

/// A parameter that a tuner may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tunable {
    /// The name of the parameter.
    pub name: &'static str,
    /// The default value.
    pub default: i32,
    /// The smallest sensible value.
    pub min: i32,
    /// The largest sensible value.
    pub max: i32,
    /// The smallest change whose effect a match can be expected to detect.
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

            /// Sets a parameter by name, clamped to its range. Returns `false` if there is no
            /// parameter of that name.
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
    aspiration_growth: 250 in 120..=400 step 30, "Aspiration windows: the growth factor of the distance after a fail high or low, in percent.";

    reduction_depth: 2 in 1..=20 step 1, "Late move reductions: the minimum depth.";
    reduction_moves: 2 in 1..=20 step 1, "Late move reductions: the number of moves before the first reduced one.";
    reduction_base: 30 in -200..=300 step 15, "Late move reductions: the base reduction of every late move, in hundredths of a ply.";
    reduction_slope: 85 in 0..=150 step 5, "Late move reductions: the reduction per ln(depth) ln(move number), in hundredths of a ply.";
    reduction_pv: 100 in 0..=300 step 20, "Late move reductions: the decrease on the principal variation, in hundredths of a ply.";
    reduction_cut: 100 in 0..=300 step 20, "Late move reductions: the increase at expected cut nodes, in hundredths of a ply.";
    reduction_history: 8000 in 1000..=40000 step 800, "Late move reductions: the history value worth one ply.";
    reduction_killer: 100 in 0..=300 step 20, "Late move reductions: the decrease for killer and counter moves, in hundredths of a ply.";
    reduction_threat: 100 in 0..=300 step 20, "Late move reductions: the decrease where the opponent threatens a capture, in hundredths of a ply.";
    reduction_improving: 50 in 0..=300 step 20, "Late move reductions: the increase where the static evaluation is not rising, in hundredths of a ply.";
    reduction_sacrifice: -50 in -200..=300 step 20, "Late move reductions: the decrease for moves that let the opponent capture, in hundredths of a ply.";

    defer_depth: 2 in 1..=99 step 1, "Threads: the minimum depth at which moves that other threads are searching are deferred.";
    abandon_depth: 4 in 1..=99 step 1, "Threads: the minimum depth of nodes that a thread abandons once another thread has finished them.";

    history_bonus: 16 in 1..=100 step 3, "History: the bonus per depth squared.";
    history_max: 1600 in 100..=8000 step 150, "History: the maximum bonus.";
    continuation_weight: 100 in 0..=300 step 15, "History: the weight of the continuation history of the last two moves, in percent.";
    killer_bonus: 8000 in 0..=30000 step 1000, "Move ordering: the bonus of a killer move, in units of history.";
    counter_bonus: 4000 in 0..=30000 step 1000, "Move ordering: the bonus of a counter move, in units of history.";

    futility_depth: 4 in 0..=12 step 1, "Futility pruning: the maximum depth.";
    futility_base: 35 in 0..=400 step 10, "Futility pruning: the margin at depth 0.";
    futility_slope: 31 in 0..=200 step 8, "Futility pruning: the margin per ply of depth.";

    rfp_depth: 4 in 0..=12 step 1, "Reverse futility pruning: the maximum depth.";
    rfp_base: 23 in 0..=400 step 8, "Reverse futility pruning: the margin at depth 0.";
    rfp_slope: 21 in 0..=200 step 8, "Reverse futility pruning: the margin per ply of depth.";
    rfp_improving: 21 in 0..=100 step 5, "Reverse futility pruning: the decrease of the margin where the static evaluation is rising.";

    razor_depth: 3 in 0..=8 step 1, "Razoring: the maximum depth.";
    razor_base: 96 in 0..=400 step 15, "Razoring: the margin at depth 0.";
    razor_slope: 55 in 0..=300 step 10, "Razoring: the margin per ply of depth.";

    iir_depth: 3 in 1..=99 step 1, "Internal iterative reduction: the minimum depth.";
    iir_reduction: 1 in 0..=3 step 1, "Internal iterative reduction: the reduction in plies.";

    singular_depth: 6 in 4..=99 step 1, "Singular extension: the minimum depth.";
    singular_margin: 212 in 0..=1000 step 25, "Singular extension: the margin per ply of depth, in 1/10,000 man.";
    singular_depth_percent: 45 in 10..=90 step 4, "Singular extension: the depth of the verification search, in percent of the full depth.";
    singular_negative: 1 in 0..=3 step 1, "Singular extension: the negative extension of a hash move that is not singular but whose entry fails high, in plies.";
    multicut: 1 in 0..=1 step 1, "Multi-cut: whether a node is cut off if a second move fails high too (0 or 1).";
    only_move_extension: 1 in 0..=1 step 1, "Extensions: the extension of an only move, in plies.";

    correction_weight: 106 in 0..=300 step 10, "Correction history: the weight of the correction, in percent.";
}

/// A precomputed table of late move reductions by depth and move index.
pub struct Reductions {
    /// The reductions in hundredths of a ply, by depth, then by move index.
    percents: Box<[[i16; SIZE]; SIZE]>,
}

/// The size of each dimension of the table; greater depths and later moves use its last entries.
const SIZE: usize = 64;

impl Reductions {
    /// The reductions for a set of tunables.
    pub fn new(params: &Params) -> Self {
        // 1000 ln(n) for n >= 1, truncated to an integer and computed by a crate so that it is the
        // same on every machine: the logarithms of system libraries may differ in the last digit.
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

    /// The reduction of the move at `index` (the number of moves before it), in hundredths of a
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

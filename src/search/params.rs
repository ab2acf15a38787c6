//! The numbers the search is tuned by, each in one place. Depths are in plies, scores in hundredths
//! of a man.

use std::time::Duration;

/// The greatest depth of iterative deepening.
pub(super) const MAX_DEPTH: u32 = 99;
/// The greatest distance from the root; there the evaluation decides.
pub(super) const MAX_PLY: usize = 128;

/// The first depth that is searched with a window around the last score.
pub(super) const ASPIRATION_DEPTH: u32 = 4;
/// The first distance of that window from the last score.
pub(super) const ASPIRATION_DELTA: i16 = 15;

/// The least depth at which late moves are searched less deep.
pub(super) const REDUCTION_DEPTH: i32 = 3;
/// How many moves come before a late one.
pub(super) const REDUCTION_MOVES: usize = 3;

/// The greatest history value of a move, positive or negative.
pub(super) const HISTORY_LIMIT: i32 = 1 << 14;

/// The draw limits of endings are looked at with no more pieces than this.
pub(super) const ENDING_PIECES: usize = 7;

/// Nodes between two looks at the clock and the stop signal.
pub(super) const NODES_PER_CHECK: u64 = 256;
/// How often a finished search that must wait looks whether it may return.
pub(super) const WAIT_STEP: Duration = Duration::from_millis(1);

/// Time that each move may lose between the engine and the clock.
pub(super) const OVERHEAD: Duration = Duration::from_millis(10);
/// A move time gives up at most this part of it for the overhead: one in so many.
pub(super) const OVERHEAD_SHARE: u32 = 4;
/// The moves that a game is expected to go on for, at most.
pub(super) const MOVES_TO_GO: u32 = 40;
/// The least and the greatest time for an only move, and for a move when the clock is all but run
/// out.
pub(super) const INSTANT: Duration = Duration::from_millis(1);
/// No iteration begins after this part of the time that a move has on average, in percent.
pub(super) const SOFT_PERCENT: u32 = 60;
/// A move may take so many times its average time.
pub(super) const HARD_FACTOR: u32 = 4;
/// A move never takes more than one in so many of the time left.
pub(super) const HARD_SHARE: u32 = 3;

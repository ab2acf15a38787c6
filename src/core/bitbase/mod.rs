//! Endgame bitbases: the value of every position with few pieces.
//!
//! A `slice` is an ending, and an `index` numbers its positions. `solve` computes their values and
//! `distance` their distances; `generate` writes both to files (see `file`). Probes look up
//! positions in a `set` of files and check whether a win is `in_time`. The program contains an
//! `archive` of files for each variant.

pub mod archive;
mod codec;
mod counts;
mod distance;
mod embedded;
mod file;
mod format;
mod generate;
mod in_time;
mod index;
mod limits;
mod retrograde;
mod set;
mod slice;
mod solve;
mod state;
mod subset;
mod tables;
mod tasks;
mod value;

pub use counts::{ValueCounts, VerdictCounts, VerdictGroup};
pub use file::File;
pub use format::{BitbaseProblem, Content, FileError};
pub use generate::{GenerateError, RetrogradeRules, generate, memory, positions};
pub use index::{Cursor, Index};
pub use retrograde::SolveError;
pub use set::{BitbaseSet, RatedMove};
pub use slice::{Slice, UnknownSlice};
pub use subset::MAX_PIECES;
pub use tables::{SliceTables, ValueTable, ValueTables};
pub use tasks::{PlannedTask, generate_slices, plan, slice_memory, slice_positions};
pub use value::{Value, Verdict};

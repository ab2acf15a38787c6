//! Endgame bitbases: the value of every position with few pieces.
//!
//! A `slice` is an ending, its `index` numbers the positions, `solve` computes their values.

mod binomial;
mod chunks;
mod codec;
mod counts;
mod distance;
mod embedded;
mod error;
mod file;
mod generate;
mod in_time;
mod index;
mod king_runs;
mod plan;
mod rules_of;
mod set;
mod slice;
mod solve;
mod subset;
mod successors;
mod table;
mod table_file;
mod unmoves;
mod value;
mod verdict;
mod way;

pub use binomial::MAX_PIECES;
pub use counts::{ValueCounts, VerdictCounts, VerdictGroup};
pub use distance::{DistanceTable, DistanceTables};
pub use error::SolveError;
pub use file::{BitbaseProblem, Content, File, FileError};
pub use generate::{
    GenerateError, generate, generate_slices, memory, positions, slice_memory, slice_positions,
};
pub use index::{Cursor, Index};
pub use plan::{PlannedTask, plan};
pub use set::BitbaseSet;
pub use slice::{Slice, UnknownSlice};
pub use table::{ValueTable, ValueTables};
pub use value::Value;
pub use verdict::Verdict;
pub use way::RatedMove;

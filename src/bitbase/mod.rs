//! Endgame bitbases: the value of every position with few pieces.
//!
//! A `slice` is an ending, its `index` numbers the positions, `solve` finds out what they are worth.

mod binomial;
mod bitbases;
mod census;
mod codec;
mod counts;
mod distance;
mod embedded;
mod file;
mod generate;
mod in_time;
mod index;
mod places;
mod slice;
mod solve;
mod subset;
mod table;
mod unmoves;
mod value;
mod verdict;
mod way;

pub use binomial::MOST_PIECES;
pub use bitbases::Bitbases;
pub use census::{Census, Group};
pub use counts::Counts;
pub use distance::{DistanceTable, DistanceTables, measure};
pub use file::{Content, File, FileError, Problem};
pub use generate::{GenerateError, generate, memory, positions};
pub use index::{Cursor, Index};
pub use places::{folder_of, standard_folder};
pub use slice::{Slice, UnknownSlice};
pub use solve::{SolveError, Solved, Watch, solve};
pub use table::{Table, Tables};
pub use value::Value;
pub use verdict::Verdict;
pub use way::Rated;

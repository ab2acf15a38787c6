//! Learning from games: the engine plays against itself, and what it has seen becomes the weights of an
//! evaluation; or it searches openings, which become a book.

pub mod book;
pub mod data;
pub mod dataset;
pub mod selfplay;
pub mod train;

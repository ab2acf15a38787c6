//! Learning from games: self-play produces scored positions, an evaluation network is trained on
//! them, and searches of openings make books grow.

pub mod book;
pub mod data;
pub mod dataset;
pub mod relabel;
pub mod selfplay;
pub mod train;

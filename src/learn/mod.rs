//! Learning from games: self-play that produces scored positions, training the evaluation network
//! on them, and growing opening books by search.

pub mod book;
pub mod correlation;
pub mod data;
pub mod dataset;
pub mod relabel;
pub mod selfplay;
pub mod train;

//! What people look at: boards, what the engine sees on them, problems, and reviews of games
//! with their page.

pub mod board;
pub mod language;
pub mod page;
pub mod problems;
pub mod review;
pub mod shots;
mod static_view;

pub use static_view::{GroupWorth, PieceWorth, StaticView};

//! What people look at: boards, and what the engine sees on them.

pub mod board;
mod static_view;

pub use static_view::{GroupWorth, PieceWorth, StaticView};

//! Analysis of positions and games.
//!
//! - [`ReviewPool`] searches the positions of a game, [`Review`] rates its moves from the results,
//!   and [`annotate()`] writes the review into the record of the game.
//! - [`problems`]: positions with a goal, solved with proofs.
//! - [`shots`]: combinations that win material.
//! - [`StaticView`]: the static evaluation of a position and its pieces.

mod annotate;
mod confirm;
mod pool;
pub mod problems;
mod review;
#[cfg(feature = "program")]
mod review_log;
pub mod shots;
mod static_view;

pub use annotate::{annotate, shot_problems};
pub use confirm::{CONFIRMING_FACTORS, copy_to_forced, unconfirmed};
pub use pool::ReviewPool;
pub use review::{
    Chances, FoundShot, Mark, PlayerReview, Review, ReviewedPly, SHALLOW_DEPTH, SearchOutcome,
};
#[cfg(feature = "program")]
pub use review_log::ReviewLog;
pub use static_view::{GroupWorth, PieceWorth, StaticView};

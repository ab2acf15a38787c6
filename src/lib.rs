//! Manoury: an international draughts engine that speaks the Hub protocol.
//!
//! The modules form layers; each uses only those below it, and a test checks it:
//!
//! - [`engine`]: the door to the search for everything above.
//! - [`search`]: alpha-beta, limits, reports.
//! - [`position`], [`movegen`]: the game, generic over the variant.
//! - [`rules`]: each variant as a table of constants.
//! - [`board`], [`score`]: the vocabulary.

pub mod board;
pub mod engine;
pub mod movegen;
pub mod position;
pub mod rules;
pub mod score;
pub mod search;

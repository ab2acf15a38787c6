//! Manoury: an international draughts engine that speaks the Hub protocol.
//!
//! Two halves. The package `manoury-core` below ([`door`] and under it) knows the rules of a game as a
//! type, as move generation, search and retrograde analysis must be fast. Everything in this package
//! knows games as values: a [`door::Position`], a [`door::Game`], a [`board::Move`].
//!
//! The modules form layers; each uses only those below it, and a test checks it:
//!
//! - [`cli`]: the command line.
//! - [`arena`]: matches between engines.
//! - [`learn`]: self-play, data sets, training, and books that grow.
//! - [`protocol`]: Hub and DXP.
//! - [`engine`]: an engine with its options, its book and its knowledge.
//! - [`weights`]: where the static evaluation of a game comes from, and its files.
//! - [`book`]: opening books.
//! - [`notation`]: positions, moves and games as text.
//! - [`door`], [`rules`], [`board`], [`score`], [`storage`], ...: the package below.

pub mod arena;
pub mod book;
pub mod cli;
pub mod engine;
pub mod learn;
pub mod notation;
pub mod protocol;
pub mod weights;

pub use manoury_core::{
    bitbase, board, door, eval, game, memory, parallel, position, rules, score, search, storage, tt,
};

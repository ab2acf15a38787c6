//! Manoury: an international draughts engine that speaks the Hub protocol.
//!
//! The engine has two halves. In the package `manoury-core` ([`erased`] and the modules below it),
//! the rules of a game are a type, because move generation, search and retrograde analysis must be
//! fast. In this package a game is a value: a [`erased::Position`], a [`erased::Game`], a
//! [`board::Move`].
//!
//! The modules form layers; each uses only those below it, as a test checks:
//!
//! - [`cli`]: the command line.
//! - [`serve`]: the page with the engine behind it, on this machine.
//! - [`arena`]: matches between engines.
//! - [`learn`]: self-play, data sets, training, and books that grow.
//! - [`protocol`]: Hub and DXP; [`page_api`]: the JSON requests of a page.
//! - [`analysis`]: reviews of games, shots and problems; [`report`]: boards and reviews as text,
//!   pictures and pages.
//! - [`engine`]: an engine with its options, its book and its knowledge.
//! - [`weights`]: where the static evaluation of a game comes from, and its files.
//! - [`book`]: opening books.
//! - [`notation`]: positions, moves and games as text.
//! - [`erased`], [`rules`], [`board`], [`score`], [`storage`], ...: the package below.

pub mod analysis;
#[cfg(feature = "program")]
pub mod arena;
pub mod book;
#[cfg(feature = "program")]
pub mod cli;
pub mod engine;
#[cfg(feature = "program")]
pub mod learn;
pub mod notation;
pub mod page_api;
pub mod protocol;
pub mod report;
#[cfg(feature = "program")]
pub mod runtime;
#[cfg(feature = "program")]
pub mod serve;
pub mod weights;

pub use manoury_core::{
    bitbase, board, erased, eval, game, instant, memory, parallel, position, progress, rules,
    score, search, storage, tt,
};

//! Manoury: an international draughts engine that speaks the Hub protocol.
//!
//! The modules form layers; each uses only those below it, and a test checks it:
//!
//! - [`cli`]: the command line.
//! - [`arena`]: matches between engines.
//! - [`learn`]: games of the engine against itself, what is learned from them, and books that grow.
//! - [`protocol`]: the languages of other programs.
//! - [`mod@bench`]: a fixed amount of searching, as a signature and a measure.
//! - [`engine`]: the door to the search for everything above.
//! - [`search`]: alpha-beta, limits, reports.
//! - [`tt`]: the transposition table.
//! - [`eval`]: what a position is worth without looking ahead.
//! - [`bitbase`]: what endings are worth, known for every position.
//! - [`book`]: what openings are worth.
//! - [`notation`]: positions, moves and games as text.
//! - [`position`], [`movegen`], [`game`]: positions, moves and whole games of any variant.
//! - [`rules`]: each variant as a table of constants.
//! - [`board`], [`score`]: the vocabulary.
//! - [`memory`], [`storage`]: large memory that is read at random, files that are whole or not there.

pub mod arena;
pub mod bench;
pub mod bitbase;
pub mod board;
pub mod book;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod game;
pub mod learn;
pub mod memory;
pub mod movegen;
pub mod notation;
pub mod position;
pub mod protocol;
pub mod rules;
pub mod score;
pub mod search;
pub mod storage;
pub mod tt;

//! The performance-critical part of Manoury: the code that is generic over the rules of a variant,
//! and its type-erased interface.
//!
//! Below [`erased`] a variant is a type ([`rules::Rules`]): move generation, search and retrograde
//! analysis are compiled once per variant. Above it a variant is a value: [`erased::Position`],
//! [`erased::Game`] and [`board::Move`] have no type parameters and reach the typed code through
//! `dyn` traits. The `manoury` package, which is built on this one, uses variants only as values.
//!
//! From the top down:
//!
//! - [`erased`]: variants as values; the only module that selects the type of a variant.
//! - [`search`]: alpha-beta search, its limits and reports.
//! - [`tt`]: the transposition table.
//! - [`eval`]: the static evaluation.
//! - [`bitbase`]: endgame bitbases: generation, files, probing.
//! - [`game`], [`movegen`], [`position`]: games, move generation and positions on bitboards.
//! - [`rules`]: each variant as a table of constants.
//! - [`board`], [`score`]: the basic types: squares, pieces, moves, scores.
//! - [`memory`], [`storage`], [`parallel`], [`progress`], [`instant`]: large memory for random
//!   access; atomic file writes and the common file format; parallel loops; progress of
//!   long-running work; points in time.

pub mod bitbase;
pub mod board;
pub mod erased;
pub mod eval;
pub mod game;
pub mod instant;
pub mod memory;
pub mod movegen;
pub mod parallel;
pub mod position;
pub mod progress;
pub mod rules;
pub mod score;
pub mod search;
pub mod storage;
pub mod tt;

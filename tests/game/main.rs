//! The game: rules, moves, draws and notation, against tables of known cases and plain
//! re-implementations. One program for all, because what takes time is building it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod captures;
mod draws;
mod frisian_king_moves;
mod games;
mod memory;
mod movegen_properties;
mod notation;
mod notation_properties;
mod perft;
mod table;

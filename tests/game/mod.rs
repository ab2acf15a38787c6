//! The game: rules, moves, draws and notation, checked against tables of known cases and
//! independent reference implementations.

mod captures;
mod draws;
mod frisian_king_moves;
mod games;
mod memory;
mod movegen_properties;
mod notation;
mod notation_properties;
mod perft;
mod plain;
mod playout;
pub mod table;
mod turkish;

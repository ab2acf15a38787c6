//! DamExchange, tested with the real program.

mod arguments;
mod connections;
mod games;
mod peer;
pub mod program;
mod pydraughts;

//! DamExchange, tested with the real program.

mod arguments;
mod connections;
mod games;
mod peer;
mod program;
mod pydraughts;

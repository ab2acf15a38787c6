//! DamExchange, as the real program speaks it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod arguments;
mod connections;
mod games;
mod peer;
mod program;
mod pydraughts;

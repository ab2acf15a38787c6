//! All tests of the program and of the library's public face, in one binary: it is linked once.
//!
//! `cargo test --test main arena::` runs those of one room.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
// Some tests are for Unix alone; what only they need is unused elsewhere.
#![cfg_attr(not(unix), allow(unused))]

use std::sync::{Mutex, MutexGuard, PoisonError};

mod architecture;
mod arena;
mod bitbase;
mod cluster;
mod dxp;
mod engine;
mod every_game;
mod external;
mod fuzz;
mod game;
mod kills;

mod learn;
mod pdn;
mod play;
mod readme;
mod report;
mod serve;
mod web;

/// Lets one test at a time measure how long something takes, so that they do not disturb each other.
fn clock() -> MutexGuard<'static, ()> {
    static CLOCK: Mutex<()> = Mutex::new(());
    CLOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

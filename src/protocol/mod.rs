//! The languages in which other programs talk to the engine.

pub mod hub;

//! The languages in which other programs talk to the engine.

pub mod dxp;
pub mod hub;

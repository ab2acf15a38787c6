//! The protocols by which other programs communicate with the engine.

pub mod dxp;
pub mod hub;

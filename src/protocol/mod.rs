//! The protocols by which other programs communicate with the engine.

#[cfg(feature = "program")]
pub mod dxp;
pub mod hub;

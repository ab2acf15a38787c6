//! What is fuzzed. Each target is a function of any bytes that panics if something is wrong. The programs of
//! `fuzz/fuzz_targets` hand it to cargo-fuzz.

pub mod bitbase_file;
pub mod book_file;
pub mod dxp_message;
pub mod engine_spec;
pub mod fen;
pub mod hub_line;
pub mod hub_move;
pub mod hub_position;
pub mod hub_session;
pub mod pdn;
pub mod samples_file;
pub mod weights_file;

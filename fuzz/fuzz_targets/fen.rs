#![no_main]

#[path = "../../tests/fuzz/targets/fen.rs"]
mod fen;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fen::check(bytes));

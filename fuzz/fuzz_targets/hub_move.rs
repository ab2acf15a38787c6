#![no_main]

#[path = "../../tests/fuzz/targets/hub_move.rs"]
mod hub_move;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hub_move::check(bytes));

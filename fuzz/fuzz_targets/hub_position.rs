#![no_main]

#[path = "../../tests/fuzz/targets/hub_position.rs"]
mod hub_position;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hub_position::check(bytes));

#![no_main]

#[path = "../../tests/fuzz/targets/hub_line.rs"]
mod hub_line;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hub_line::check(bytes));

#![no_main]

#[path = "../../tests/fuzz/targets/engine_list.rs"]
mod engine_list;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| engine_list::check(bytes));

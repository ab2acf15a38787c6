#![no_main]

#[path = "../../tests/fuzz/targets/tune_list.rs"]
mod tune_list;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tune_list::check(bytes));

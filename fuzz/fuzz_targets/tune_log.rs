#![no_main]

#[path = "../../tests/fuzz/targets/tune_log.rs"]
mod tune_log;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tune_log::check(bytes));

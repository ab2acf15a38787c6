#![no_main]

#[path = "../../tests/fuzz/targets/samples_file.rs"]
mod samples_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| samples_file::check(bytes));

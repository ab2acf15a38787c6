#![no_main]

#[path = "../../tests/fuzz/targets/weights_file.rs"]
mod weights_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| weights_file::check(bytes));

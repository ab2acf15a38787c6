#![no_main]

#[path = "../../tests/fuzz/targets/bitbase_file.rs"]
mod bitbase_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bitbase_file::check(bytes));

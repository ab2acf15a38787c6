#![no_main]

#[path = "../../tests/fuzz/targets/book_file.rs"]
mod book_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| book_file::check(bytes));

#![no_main]

#[path = "../../tests/fuzz/targets/page_question.rs"]
mod page_question;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| page_question::check(bytes));

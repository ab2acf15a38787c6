#![no_main]

#[path = "../../tests/fuzz/targets/page_request.rs"]
mod page_request;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| page_request::check(bytes));

#![no_main]

#[path = "../../tests/fuzz/targets/pdn.rs"]
mod pdn;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pdn::check(bytes));

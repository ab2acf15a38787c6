#![no_main]

#[path = "../../tests/fuzz/targets/hub_session.rs"]
mod hub_session;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hub_session::check(bytes));

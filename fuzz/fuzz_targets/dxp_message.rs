#![no_main]

#[path = "../../tests/fuzz/targets/dxp_message.rs"]
mod dxp_message;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dxp_message::check(bytes));

#![no_main]

#[path = "../../tests/fuzz/targets/engine_spec.rs"]
mod engine_spec;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| engine_spec::check(bytes));

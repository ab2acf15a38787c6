//! Any text as the description of an engine. What is read has a program, or is elsewhere.
#![no_main]

use libfuzzer_sys::fuzz_target;
use manoury::arena::spec::{EngineSpec, Protocol};

fuzz_target!(|text: &str| {
    if let Ok(spec) = text.parse::<EngineSpec>() {
        let _ = spec.label();
        assert!(!spec.command.is_empty() || spec.protocol == Protocol::Dxp);
    }
});

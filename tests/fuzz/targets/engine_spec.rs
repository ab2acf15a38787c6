//! Any text as the description of an engine. What is read has a program, or is elsewhere.

use manoury::arena::spec::{EngineSpec, Protocol};

/// Looks at one input.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Ok(spec) = text.parse::<EngineSpec>() {
        let _ = spec.label();
        assert!(!spec.command.is_empty() || spec.protocol == Protocol::Dxp);
    }
}

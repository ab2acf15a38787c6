//! Any text as an engine specification: one that can be parsed has a program or is remote.

use manoury::arena::spec::{EngineSpec, Protocol};

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Ok(spec) = text.parse::<EngineSpec>() {
        let _ = spec.label();
        assert!(!spec.command.is_empty() || spec.protocol == Protocol::Dxp);
    }
}

//! Any text as FEN: an error, or a position whose own FEN parses back to it.

use manoury::notation::fen;
use manoury::rules::Variant;

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    for variant in [Variant::Frisian, Variant::Russian, Variant::Canadian, Variant::Turkish] {
        if let Ok(position) = fen::parse(variant, text) {
            assert_eq!(fen::parse(variant, &fen::format(&position)), Ok(position));
        }
    }
}

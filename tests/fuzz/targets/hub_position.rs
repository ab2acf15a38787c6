//! Any text as a Hub position with king move counters: an error, or a position that formats back to
//! the text.

use manoury::notation::hub;
use manoury::rules::Variant;

fn check_game(variant: Variant, text: &str) {
    let (letters, wolf) = text.split_once(' ').unwrap_or((text, ""));
    let Ok(plain) = hub::parse_position(variant, letters) else {
        return;
    };
    assert_eq!(hub::format_position(&plain), letters);
    if let Ok(position) = hub::parse_wolf(plain, wolf) {
        let wolf = hub::format_wolf(&position);
        assert_eq!(hub::parse_wolf(plain, &wolf), Ok(position));
    }
}

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    check_game(Variant::Frisian, text);
    check_game(Variant::Russian, text);
}

//! Any text as a Hub position with counters: an error, or a position that comes back.

use manoury::notation::hub;
use manoury::rules::{Frisian, Rules, Russian};

fn check_game<R: Rules>(text: &str) {
    let (letters, wolf) = text.split_once(' ').unwrap_or((text, ""));
    let Ok(plain) = hub::parse_position::<R>(letters) else {
        return;
    };
    assert_eq!(hub::format_position(&plain), letters);
    if let Ok(position) = hub::parse_wolf(plain, wolf) {
        let wolf = hub::format_wolf(&position);
        assert_eq!(hub::parse_wolf(plain, &wolf), Ok(position));
    }
}

/// Looks at one input.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    check_game::<Frisian>(text);
    check_game::<Russian>(text);
}

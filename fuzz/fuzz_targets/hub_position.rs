//! Any text as a Hub position with counters: an error, or a position that comes back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use manoury::notation::hub;
use manoury::rules::{Frisian, Rules, Russian};

fn check<R: Rules>(text: &str) {
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

fuzz_target!(|text: &str| {
    check::<Frisian>(text);
    check::<Russian>(text);
});

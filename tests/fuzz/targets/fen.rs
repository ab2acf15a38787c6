//! Any text as FEN: an error, or a position that its own FEN gives back.

use manoury::notation::fen;
use manoury::rules::{Canadian, Frisian, Rules, Russian};

fn check_game<R: Rules>(text: &str) {
    if let Ok(position) = fen::parse::<R>(text) {
        assert_eq!(fen::parse(&fen::format(&position)), Ok(position));
    }
}

/// Looks at one input.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    check_game::<Frisian>(text);
    check_game::<Russian>(text);
    check_game::<Canadian>(text);
}

//! Any text as FEN: an error, or a position that its own FEN gives back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use manoury::notation::fen;
use manoury::rules::{Canadian, Frisian, Rules, Russian};

fn check<R: Rules>(text: &str) {
    if let Ok(position) = fen::parse::<R>(text) {
        assert_eq!(fen::parse(&fen::format(&position)), Ok(position));
    }
}

fuzz_target!(|text: &str| {
    check::<Frisian>(text);
    check::<Russian>(text);
    check::<Canadian>(text);
});

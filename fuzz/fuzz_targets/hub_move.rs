//! Any text as a move in any position: `FEN|move`. What is read is legal and comes back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use manoury::movegen::legal_moves;
use manoury::notation::{fen, hub, pdn};
use manoury::rules::International;

fuzz_target!(|text: &str| {
    let Some((fen, text)) = text.split_once('|') else {
        return;
    };
    let Ok(position) = fen::parse::<International>(fen) else {
        return;
    };
    let read = [
        hub::parse_move(&position, text),
        hub::parse_move_leniently(&position, text),
        pdn::parse_move(&position, text),
    ];
    for mv in read.into_iter().flatten() {
        assert!(legal_moves(&position).contains(&mv));
        assert_eq!(hub::parse_move(&position, &hub::format_move(mv)), Ok(mv));
        let text = pdn::format_move(&position, mv);
        assert_eq!(pdn::parse_move(&position, &text), Ok(mv));
    }
});

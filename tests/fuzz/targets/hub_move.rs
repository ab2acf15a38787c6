//! Any text as a move in any position: `FEN|move`. What is read is legal and comes back.

use manoury::movegen::legal_moves;
use manoury::notation::{fen, hub, pdn};
use manoury::rules::International;

/// Looks at one input.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
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
}

//! Any text as a move in any position, `FEN|move`: a move that can be parsed is legal and parses
//! back from its own notation.

use manoury::notation::{fen, hub, pdn};
use manoury::rules::Variant;

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Some((fen, text)) = text.split_once('|') else {
        return;
    };
    let Ok(position) = fen::parse(Variant::International, fen) else {
        return;
    };
    let parsed = [
        hub::parse_move(&position, text),
        hub::parse_move_leniently(&position, text),
        pdn::parse_move(&position, text),
    ];
    let meant = pdn::candidate_moves(&position, text).unwrap_or_default();
    for mv in parsed.into_iter().flatten().chain(meant) {
        assert!(position.legal_moves().contains(&mv));
        assert_eq!(hub::parse_move(&position, &hub::format_move(mv)), Ok(mv));
        let text = pdn::format_move(&position, mv);
        assert_eq!(pdn::parse_move(&position, &text), Ok(mv));
    }
}

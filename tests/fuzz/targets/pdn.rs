//! Any bytes as a PDN file: games that can be parsed are written and parsed back as the same games,
//! and reading them leniently makes no difference, except for a note on a contradiction of results. The
//! main line does not depend on the variations.

use manoury::board::Move;
use manoury::notation::pdn::{self, GameRecord, GameText};
use manoury::rules::Variant;

/// Checks one input.
pub fn check(bytes: &[u8]) {
    for variant in [Variant::International, Variant::Russian] {
        for record in pdn::read(variant, bytes).into_iter().flatten() {
            let text = pdn::write_game(&record);
            assert_eq!(pdn::read(variant, text.as_bytes()), [Ok(record)]);
        }
        for game in pdn::games(&pdn::decode(bytes)) {
            let mut notes = Vec::new();
            let lenient = pdn::read_game_leniently(variant, &game, &mut notes);
            notes.retain(|note| !note.message.starts_with("the Result tag says"));
            if let Ok(record) = pdn::read_game(variant, &game) {
                assert_eq!(moves(&record), moves_without_variations(variant, &game));
                assert_eq!((lenient, notes), (Ok(record), Vec::new()));
            }
            // Guessing the game must end, whatever the text is.
            let _ = pdn::read_any_game(variant, &game, &mut Vec::new());
        }
    }
}

/// The moves of the main line.
fn moves(record: &GameRecord) -> Vec<Move> {
    record.line.moves.iter().map(|annotated| annotated.mv).collect()
}

fn moves_without_variations(variant: Variant, game: &GameText) -> Vec<Move> {
    let mut game = game.clone();
    game.drop_variations();
    pdn::read_game(variant, &game).map(|record| moves(&record)).unwrap_or_default()
}

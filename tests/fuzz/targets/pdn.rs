//! Any bytes as a PDN file: games that can be parsed are written and parsed back as the same games,
//! and reading them leniently makes no difference, except for a note on a contradiction of results.

use manoury::notation::pdn;
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
            notes.retain(|note| !note.message.starts_with("the tag Result says"));
            if let Ok(record) = pdn::read_game(variant, &game) {
                assert_eq!((lenient, notes), (Ok(record), Vec::new()));
            }
        }
    }
}

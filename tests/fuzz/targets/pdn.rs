//! Any bytes as a PDN file: what is read is written and read again as the same games.

use manoury::notation::pdn;
use manoury::rules::{International, Rules, Russian};

fn check_game<R: Rules>(bytes: &[u8]) {
    for record in pdn::read::<R>(bytes).into_iter().flatten() {
        let text = pdn::write_game(&record);
        assert_eq!(pdn::read(text.as_bytes()), [Ok(record)]);
    }
}

/// Looks at one input.
pub fn check(bytes: &[u8]) {
    check_game::<International>(bytes);
    check_game::<Russian>(bytes);
}

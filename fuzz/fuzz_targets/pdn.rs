//! Any bytes as a PDN file: what is read is written and read again as the same games.
#![no_main]

use libfuzzer_sys::fuzz_target;
use manoury::notation::pdn;
use manoury::rules::{International, Rules, Russian};

fn check<R: Rules>(bytes: &[u8]) {
    for record in pdn::read::<R>(bytes).into_iter().flatten() {
        let text = pdn::write_game(&record);
        assert_eq!(pdn::read(text.as_bytes()), [Ok(record)]);
    }
}

fuzz_target!(|bytes: &[u8]| {
    check::<International>(bytes);
    check::<Russian>(bytes);
});

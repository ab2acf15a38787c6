//! Any bytes as a weights file, also with a correct checksum so that the contents behind it are
//! read: the file is refused, or the network can be evaluated, written and read back.

use manoury::door::Position;
use manoury::eval::Evaluation;
use manoury::rules::Variant;
use manoury::weights::file;

const VARIANT: Variant = Variant::English;

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let mut whole = bytes.to_vec();
    whole.extend(crc32fast::hash(bytes).to_le_bytes());
    for bytes in [bytes, &whole] {
        let Ok(contents) = file::read(bytes, VARIANT) else {
            continue;
        };
        let again = file::write(&contents.network, &contents.about).expect("room for the file");
        let again = file::read(&again, VARIANT).expect("what was written");
        assert_eq!((&again.network, &again.about), (&contents.network, &contents.about));
        let _ = Position::start(VARIANT)
            .score(&Evaluation::by_network(contents.network, contents.checksum));
    }
}

//! Any bytes as a weights file, also with a correct checksum so that the contents behind it are
//! read: the file is refused, or the network can be evaluated, written and read back.

use manoury::erased::Position;
use manoury::eval::Evaluation;
use manoury::rules::Variant;
use manoury::weights::file;

const VARIANT: Variant = Variant::English;

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let mut whole = bytes.to_vec();
    whole.extend(crc32fast::hash(bytes).to_le_bytes());
    for bytes in [bytes, &whole] {
        let Ok(contents) = file::parse(bytes, VARIANT) else {
            continue;
        };
        let again = file::write(&contents.parts, &contents.about).expect("room for the file");
        let again = file::parse(&again, VARIANT).expect("what was written");
        assert_eq!((&again.parts, &again.about), (&contents.parts, &contents.about));
        if let Some(network) = contents.parts.network() {
            let evaluation = Evaluation::from_network(network, contents.checksum);
            let _ = Position::start(VARIANT).score(&evaluation);
        }
    }
}

//! Any bytes as a file of weights, with a right checksum so that what it guards is read too: refused, or
//! a network that can be asked, and written and read again.

use manoury::eval::Evaluation;
use manoury::eval::network::file;
use manoury::position::Position;
use manoury::rules::English;

/// Looks at one input.
pub fn check(bytes: &[u8]) {
    let mut whole = bytes.to_vec();
    whole.extend(crc32fast::hash(bytes).to_le_bytes());
    for bytes in [bytes, &whole] {
        let Ok(contents) = file::read(bytes, "english") else {
            continue;
        };
        let again = file::write(&contents.network, &contents.about).expect("room for the file");
        let again = file::read(&again, "english").expect("what was written");
        assert_eq!((&again.network, &again.about), (&contents.network, &contents.about));
        let _ = Evaluation::<English>::by_network(contents).score(&Position::start());
    }
}

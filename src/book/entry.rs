//! What a book knows about one position.

use crate::position::Key;
use crate::score::Score;

/// What a book knows about a position.
///
/// In a file it takes [`Entry::BYTES`] bytes: the key (`u64`), the score (`i16`), the depth (`u8`, 0 for a
/// position that is expanded) and the best move (`u8`, 255 for none), all little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The key of the position.
    pub key: Key,
    /// For the side to move: what its best move comes to by the book, at an end of the book what a search has
    /// found.
    pub score: Score,
    /// The depth of that search in plies, at least 1; 0 if the position is expanded, so that the book
    /// knows all its moves.
    pub depth: u8,
    /// The number of the best move, counted from 0 in the list of legal moves sorted as `manoury moves`
    /// does; `None` if there is none.
    pub best: Option<u8>,
}

/// In the place of a best move: there is none.
const NO_MOVE: u8 = u8::MAX;

impl Entry {
    /// Bytes of an entry in a file.
    pub const BYTES: usize = 12;

    /// Whether the book knows all moves of the position.
    pub fn is_expanded(&self) -> bool {
        self.depth == 0
    }

    /// The entry as a file has it.
    pub fn to_bytes(self) -> [u8; Entry::BYTES] {
        let mut bytes = [0; Entry::BYTES];
        bytes[..8].copy_from_slice(&self.key.0.to_le_bytes());
        bytes[8..10].copy_from_slice(&self.score.0.to_le_bytes());
        bytes[10] = self.depth;
        bytes[11] = self.best.unwrap_or(NO_MOVE);
        bytes
    }

    /// The entry that bytes of a file stand for.
    pub fn of_bytes(bytes: &[u8; Entry::BYTES]) -> Self {
        let &[.., low, high, depth, best] = bytes;
        Entry {
            key: Entry::key_of(bytes),
            score: Score(i16::from_le_bytes([low, high])),
            depth,
            best: (best != NO_MOVE).then_some(best),
        }
    }

    /// The key of the position that bytes of a file are about.
    pub(super) fn key_of(bytes: &[u8; Entry::BYTES]) -> Key {
        let &[a, b, c, d, e, f, g, h, ..] = bytes;
        Key(u64::from_le_bytes([a, b, c, d, e, f, g, h]))
    }
}

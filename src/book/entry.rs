//! Book entries.

use crate::position::Key;
use crate::score::Score;

/// What a book knows about a position.
///
/// In a file it takes [`Entry::BYTES`] bytes: the key (`u64`), the score (`i16`), the depth (`u8`,
/// 0 for an expanded position) and the best move (`u8`, 255 for none), all little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The key of the position.
    pub key: Key,
    /// The score for the side to move: that of the best move in the book, or at an end of the book
    /// that of a search.
    pub score: Score,
    /// The depth of that search in plies, at least 1; 0 if the position is expanded, that is, if
    /// the book knows all its moves.
    pub depth: u8,
    /// The index of the best move, from 0, among the legal moves sorted as by `manoury moves`;
    /// `None` if there is none.
    pub best: Option<u8>,
}

/// The byte that stands for no best move.
const NO_MOVE: u8 = u8::MAX;

impl Entry {
    /// The size of an entry in a file, in bytes.
    pub const BYTES: usize = 12;

    /// Whether the book knows all moves of the position.
    pub fn is_expanded(&self) -> bool {
        self.depth == 0
    }

    /// The bytes of the entry in a file.
    pub fn to_bytes(self) -> [u8; Entry::BYTES] {
        let mut bytes = [0; Entry::BYTES];
        bytes[..8].copy_from_slice(&self.key.0.to_le_bytes());
        bytes[8..10].copy_from_slice(&self.score.0.to_le_bytes());
        bytes[10] = self.depth;
        bytes[11] = self.best.unwrap_or(NO_MOVE);
        bytes
    }

    /// The entry with the given bytes in a file.
    pub fn of_bytes(bytes: &[u8; Entry::BYTES]) -> Self {
        let &[.., low, high, depth, best] = bytes;
        Entry {
            key: Entry::key_of(bytes),
            score: Score(i16::from_le_bytes([low, high])),
            depth,
            best: (best != NO_MOVE).then_some(best),
        }
    }

    /// The key of the entry with the given bytes in a file.
    pub(super) fn key_of(bytes: &[u8; Entry::BYTES]) -> Key {
        let &[a, b, c, d, e, f, g, h, ..] = bytes;
        Key(u64::from_le_bytes([a, b, c, d, e, f, g, h]))
    }
}

//! The entries of the table, packed into 64 bits.

use crate::board::PackedMove;
use crate::score::{Bound, Score};

use super::Entry;

/// The generation of an entry: the number of the search that stored it, counted from 1 since the
/// memory was allocated.
pub type Generation = u16;

/// An entry packed into 64 bits. The fields and their widths in bits, from the lowest bit: move 16,
/// score 16, depth 8, bound 2, unused 6, generation 16. Zero, which has no valid generation, is an
/// empty entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedEntry(pub u64);

impl PackedEntry {
    /// Packs an entry for a position `ply` plies from the root.
    #[inline(always)]
    pub fn new(entry: Entry, ply: usize, generation: Generation) -> Self {
        let mv = entry.mv.map_or(0, PackedMove::bits);
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        PackedEntry(
            u64::from(mv)
                | u64::from(relative_to_position(entry.score, ply).0 as u16) << 16
                | u64::from(entry.depth) << 32
                | bound << 40
                | u64::from(generation) << 48,
        )
    }

    /// Unpacks the entry for a position `ply` plies from the root; `None` if empty.
    #[inline(always)]
    pub fn unpack(self, ply: usize) -> Option<Entry> {
        let bound = match self.0 >> 40 & 3 {
            0 => return None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        Some(Entry {
            mv: self.mv(),
            score: relative_to_root(Score((self.0 >> 16) as i16), ply),
            bound,
            depth: self.depth(),
        })
    }

    #[inline(always)]
    pub fn mv(self) -> Option<PackedMove> {
        PackedMove::from_bits(self.0 as u16)
    }

    #[inline(always)]
    pub fn depth(self) -> u8 {
        (self.0 >> 32) as u8
    }

    #[inline(always)]
    pub fn generation(self) -> Generation {
        (self.0 >> 48) as Generation
    }
}

/// Converts a score that counts the plies to the end of the game from the root to one that counts
/// them from the position, since the position may recur at another ply.
#[inline(always)]
fn relative_to_position(score: Score, ply: usize) -> Score {
    shifted(score, ply as i16)
}

/// The inverse of [`relative_to_position`].
#[inline(always)]
fn relative_to_root(score: Score, ply: usize) -> Score {
    shifted(score, -(ply as i16))
}

#[inline(always)]
fn shifted(score: Score, plies: i16) -> Score {
    match score.is_decisive() {
        false => score,
        true if score > Score::DRAW => Score(score.0 + plies),
        true => Score(score.0 - plies),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacks_what_was_packed() {
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            for (bits, score, depth) in [(0, 0, 0), (1, -1, 1), (u16::MAX, -7_999, u8::MAX)] {
                let mv = PackedMove::from_bits(bits);
                let entry = Entry { mv, score: Score(score), bound, depth };
                for generation in [1, Generation::MAX] {
                    let packed = PackedEntry::new(entry, 3, generation);
                    assert_eq!(packed.unpack(3), Some(entry));
                    assert_eq!(packed.generation(), generation);
                }
            }
        }
    }

    #[test]
    fn zero_is_empty() {
        assert_eq!(PackedEntry(0).unpack(0), None);
    }
}

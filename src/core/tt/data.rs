//! Entries packed into 64 bits.

use crate::board::PackedMove;
use crate::score::{Bound, Score};

use super::Entry;

/// The generation of an entry: the number of the search that stored it, counted from 1 since the
/// memory was allocated.
pub(super) type Date = u16;

/// An entry in 64 bits, from the lowest: move 16, score 16, depth 8, bound 2, unused 6, date 16.
/// All zeros, hence no valid date, is an empty entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Data(pub(super) u64);

impl Data {
    /// Packs an entry for a position `ply` plies from the root.
    #[inline(always)]
    pub(super) fn new(entry: Entry, ply: usize, date: Date) -> Self {
        let mv = entry.mv.map_or(0, PackedMove::bits);
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        Data(
            u64::from(mv)
                | u64::from(from_here(entry.score, ply).0 as u16) << 16
                | u64::from(entry.depth) << 32
                | bound << 40
                | u64::from(date) << 48,
        )
    }

    /// Unpacks the entry, for a position `ply` plies from the root; `None` if empty.
    #[inline(always)]
    pub(super) fn entry(self, ply: usize) -> Option<Entry> {
        let bound = match self.0 >> 40 & 3 {
            0 => return None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        Some(Entry {
            mv: self.mv(),
            score: from_root(Score((self.0 >> 16) as i16), ply),
            bound,
            depth: self.depth(),
        })
    }

    #[inline(always)]
    pub(super) fn mv(self) -> Option<PackedMove> {
        PackedMove::from_bits(self.0 as u16)
    }

    #[inline(always)]
    pub(super) fn depth(self) -> u8 {
        (self.0 >> 32) as u8
    }

    #[inline(always)]
    pub(super) fn date(self) -> Date {
        (self.0 >> 48) as Date
    }
}

/// Counts the plies to the end of the game from the position instead of the root: the position may
/// occur at another ply.
#[inline(always)]
fn from_here(score: Score, ply: usize) -> Score {
    shifted(score, ply as i16)
}

/// The inverse of [`from_here`].
#[inline(always)]
fn from_root(score: Score, ply: usize) -> Score {
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
    fn an_entry_comes_back_whole() {
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            for (bits, score, depth) in [(0, 0, 0), (1, -1, 1), (u16::MAX, -7_999, u8::MAX)] {
                let mv = PackedMove::from_bits(bits);
                let entry = Entry { mv, score: Score(score), bound, depth };
                for date in [1, Date::MAX] {
                    let data = Data::new(entry, 3, date);
                    assert_eq!(data.entry(3), Some(entry));
                    assert_eq!(data.date(), date);
                }
            }
        }
    }

    #[test]
    fn nothing_is_empty() {
        assert_eq!(Data(0).entry(0), None);
    }
}

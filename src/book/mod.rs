//! Opening books: scores for positions at the beginning of games.
//!
//! A book is built as a [`Graph`] that grows from the start position, one expansion at a time
//! ([`Graph::reserve_next`], [`Graph::expand`]). Expanding a position adds its successors with
//! their search scores, and propagates the scores to earlier positions. A [`Book`] is the stored
//! form of a graph, for looking up positions.

mod file;
mod graph;

pub use file::{BookInfo, BookProblem, Effort, FileError};
pub use graph::{Graph, NodeId, SearchedPosition};

use std::collections::HashSet;

use rand::Rng;
use rand::seq::IndexedRandom;

use crate::board::Move;
use crate::erased::Position;
use crate::position::Key;
use crate::rules::Variant;
use crate::score::Score;

/// The book of a variant, for looking up positions.
#[derive(Clone, Debug)]
pub struct Book {
    variant: Variant,
    about: BookInfo,
    /// The bytes of the entries, sorted by key.
    entries: Vec<u8>,
    checksum: u32,
}

/// A book move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The score for the side that plays the move.
    pub score: Score,
    /// The position after the move.
    pub next: Position,
    /// The entry of the position after the move.
    pub entry: Entry,
}

impl Book {
    /// The variant.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The description in the file of the book.
    pub fn about(&self) -> &BookInfo {
        &self.about
    }

    /// The number of positions, leaves included.
    pub fn len(&self) -> usize {
        self.entries.len() / Entry::BYTES
    }

    /// Whether the book is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The checksum of the file of the book.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The entry of a position; `None` if it is not in the book.
    pub fn entry(&self, position: &Position) -> Option<Entry> {
        let (entries, rest) = self.entries.as_chunks();
        debug_assert!(rest.is_empty(), "a file has whole entries");
        let key = position.key();
        let place = entries.partition_point(|bytes| Entry::key_of(bytes) < key);
        entries.get(place).map(Entry::from_bytes).filter(|entry| entry.key == key)
    }

    /// The book moves of a position, best first; empty if the position is a leaf or not in the
    /// book.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        if !self.entry(position).is_some_and(|entry| has_moves(position, entry)) {
            return Vec::new();
        }
        let known = |mv: Move| {
            let next = position.after(mv);
            self.entry(&next).map(|entry| BookMove { mv, score: -entry.score, next, entry })
        };
        let mut moves: Vec<_> = position.sorted_moves().into_iter().filter_map(known).collect();
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.score));
        moves
    }

    /// The best line from a position. If the line ends at a leaf, its last move is the best move
    /// found by searching the leaf. In a damaged book the line ends where a position recurs.
    pub fn line(&self, position: &Position) -> Vec<Move> {
        let (mut position, mut line, mut seen) = (*position, Vec::new(), HashSet::new());
        while let Some(entry) = self.entry(&position)
            && seen.insert(position.key())
        {
            let moves = position.sorted_moves();
            let Some(&mv) = entry.best.and_then(|best| moves.get(usize::from(best))) else { break };
            line.push(mv);
            if !has_moves(&position, entry) {
                break;
            }
            position = position.after(mv);
        }
        line
    }
}

/// Whether the moves of a position are in the book. A position with kings counts as a leaf even if
/// the file says otherwise. Positions without kings can recur only through sideways steps of men;
/// books built by this program never expand a position that would close such a cycle.
fn has_moves(position: &Position, entry: Entry) -> bool {
    entry.is_expanded() && position.all_kings().is_empty()
}

/// A random move among those at most `margin` hundredths of a man worse than the best; `None` if
/// there are no moves. `moves` are those of [`Book::moves`], best first.
pub fn choose_move(moves: &[BookMove], margin: u32, random: &mut impl Rng) -> Option<BookMove> {
    moves_within(moves, margin).choose(random).copied()
}

/// The moves at most `margin` hundredths of a man worse than the best. `moves` must be sorted, best
/// first.
pub fn moves_within(moves: &[BookMove], margin: u32) -> &[BookMove] {
    let best = moves.first().map_or(0, |mv| i32::from(mv.score.0));
    let is_good = |mv: &BookMove| (best - i32::from(mv.score.0)) as u32 <= margin;
    &moves[..moves.partition_point(is_good)]
}

/// The entry of a position.
///
/// It occupies [`Entry::BYTES`] bytes: the key (`u64`), the score (`i16`), the depth
/// (`u8`, 0 for an expanded position) and the best move (`u8`, 255 for none), all little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The key of the position.
    pub key: Key,
    /// The score for the side to move: the score of the best book move if the position is expanded,
    /// otherwise the score found by searching the position.
    pub score: Score,
    /// The depth of a leaf's search, in plies, at least 1; 0 if the position is expanded, i.e. all
    /// its moves are in the book.
    pub depth: u8,
    /// The index of the best move, from 0, among the legal moves in the order of `manoury moves`;
    /// `None` if there is none.
    pub best: Option<u8>,
}

/// The byte that encodes the absence of a best move.
const NO_MOVE: u8 = u8::MAX;

impl Entry {
    /// The size of an entry, in bytes.
    pub const BYTES: usize = 12;

    /// Whether all moves of the position are in the book.
    pub fn is_expanded(&self) -> bool {
        self.depth == 0
    }

    /// The bytes of the entry.
    pub fn to_bytes(self) -> [u8; Entry::BYTES] {
        let mut bytes = [0; Entry::BYTES];
        bytes[..8].copy_from_slice(&self.key.0.to_le_bytes());
        bytes[8..10].copy_from_slice(&self.score.0.to_le_bytes());
        bytes[10] = self.depth;
        bytes[11] = self.best.unwrap_or(NO_MOVE);
        bytes
    }

    /// The entry with the given bytes.
    pub fn from_bytes(bytes: &[u8; Entry::BYTES]) -> Self {
        let &[.., low, high, depth, best] = bytes;
        Entry {
            key: Entry::key_of(bytes),
            score: Score(i16::from_le_bytes([low, high])),
            depth,
            best: (best != NO_MOVE).then_some(best),
        }
    }

    /// The key of the entry with the given bytes.
    fn key_of(bytes: &[u8; Entry::BYTES]) -> Key {
        let &[a, b, c, d, e, f, g, h, ..] = bytes;
        Key(u64::from_le_bytes([a, b, c, d, e, f, g, h]))
    }
}

#[cfg(test)]
mod tests;

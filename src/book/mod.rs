//! Opening books: what is known about the positions that games begin with.
//!
//! A book is a [`Graph`] that has grown from the start position, one position after the other
//! ([`Graph::take`], [`Graph::expand`]): all moves of a position are added, each with the score that a
//! search gives it, and the scores are carried up. A [`Book`] is what a file keeps of it, to look
//! positions up.

mod choice;
mod embedded;
mod entry;
mod file;
mod graph;

pub use choice::{choose, within};
pub use entry::Entry;
pub use file::{About, BookProblem, Effort, FileError};
pub use graph::{Found, Graph, NodeId};

use std::borrow::Cow;

use crate::board::Move;
use crate::door::Position;
use crate::rules::Variant;
use crate::score::Score;

/// The book of a game, to look positions up.
#[derive(Clone, Debug)]
pub struct Book {
    variant: Variant,
    about: About,
    /// Entries as a file has them, sorted by their keys.
    entries: Cow<'static, [u8]>,
    checksum: u32,
}

/// A move that a book knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// What it comes to for the side that plays it.
    pub score: Score,
    /// The position after it.
    pub next: Position,
    /// What the book knows about that.
    pub entry: Entry,
}

impl Book {
    /// The game.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// What the book says about itself.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// How many positions it knows, those at its ends too.
    pub fn len(&self) -> usize {
        self.entries.len() / Entry::BYTES
    }

    /// Whether it knows nothing.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The checksum of its file.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// What it knows about a position.
    pub fn entry(&self, position: &Position) -> Option<Entry> {
        let (entries, rest) = self.entries.as_chunks();
        debug_assert!(rest.is_empty(), "a file has whole entries");
        let key = position.key();
        let place = entries.partition_point(|bytes| Entry::key_of(bytes) < key);
        entries.get(place).map(Entry::of_bytes).filter(|entry| entry.key == key)
    }

    /// The moves of a position, the best first; none if it is not in the book or at one of its ends.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        if !self.entry(position).is_some_and(|entry| goes_on(position, entry)) {
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

    /// The best line from a position on: its last move is the answer that a search would give at the end of
    /// the book.
    pub fn line(&self, position: &Position) -> Vec<Move> {
        let (mut position, mut line) = (*position, Vec::new());
        while let Some(entry) = self.entry(&position) {
            let moves = position.sorted_moves();
            let Some(&mv) = entry.best.and_then(|best| moves.get(usize::from(best))) else { break };
            line.push(mv);
            if !goes_on(&position, entry) {
                break;
            }
            position = position.after(mv);
        }
        line
    }
}

/// Whether the book knows the moves of a position. Kings end it, whatever a file says: men alone do not
/// return to where they were, so that every line has an end.
fn goes_on(position: &Position, entry: Entry) -> bool {
    entry.is_expanded() && position.all_kings().is_empty()
}

#[cfg(test)]
mod tests;

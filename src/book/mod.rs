//! Opening books: scores of positions at the beginning of games.
//!
//! A book is a [`Graph`] grown from the start position by expanding one position after another
//! ([`Graph::take`], [`Graph::expand`]): all its moves are added, each with the score of a search,
//! and the scores are propagated up. A [`Book`] is the part of it that a file stores, for looking
//! up positions.

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
use crate::erased::Position;
use crate::rules::Variant;
use crate::score::Score;

/// The book of a game, for looking up positions.
#[derive(Clone, Debug)]
pub struct Book {
    variant: Variant,
    about: About,
    /// The entries as stored in a file, sorted by key.
    entries: Cow<'static, [u8]>,
    checksum: u32,
}

/// A move that a book knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Its score for the side that plays it.
    pub score: Score,
    /// The position after it.
    pub next: Position,
    /// What the book knows about that position.
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

    /// The number of positions it knows, those at its ends included.
    pub fn len(&self) -> usize {
        self.entries.len() / Entry::BYTES
    }

    /// Whether it knows no position.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The checksum of its file.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// What it knows about a position; `None` if nothing.
    pub fn entry(&self, position: &Position) -> Option<Entry> {
        let (entries, rest) = self.entries.as_chunks();
        debug_assert!(rest.is_empty(), "a file has whole entries");
        let key = position.key();
        let place = entries.partition_point(|bytes| Entry::key_of(bytes) < key);
        entries.get(place).map(Entry::of_bytes).filter(|entry| entry.key == key)
    }

    /// The known moves of a position, best first; none if it is not in the book or at one of its
    /// ends.
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

    /// The best line from a position. Its last move is the one that the search at the end of the
    /// book found best.
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

/// Whether the book knows the moves of a position. A position with kings ends it, even if a file
/// says otherwise: with men alone no position recurs, so every line ends.
fn goes_on(position: &Position, entry: Entry) -> bool {
    entry.is_expanded() && position.all_kings().is_empty()
}

#[cfg(test)]
mod tests;

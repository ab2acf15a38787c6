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
pub use file::{About, Effort, FileError, Problem};
pub use graph::{Found, Graph, NodeId};

use std::borrow::Cow;
use std::marker::PhantomData;

use crate::board::Move;
use crate::movegen;
use crate::position::Position;
use crate::rules::Rules;
use crate::score::Score;

/// The book of a game, to look positions up.
#[derive(Clone, Debug)]
pub struct Book<R: Rules> {
    about: About,
    /// Entries as a file has them, sorted by their keys.
    entries: Cow<'static, [u8]>,
    checksum: u32,
    rules: PhantomData<R>,
}

/// A move that a book knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove<R: Rules> {
    /// The move.
    pub mv: Move<R::Geometry>,
    /// What it comes to for the side that plays it.
    pub score: Score,
    /// The position after it.
    pub next: Position<R>,
    /// What the book knows about that.
    pub entry: Entry,
}

impl<R: Rules> Book<R> {
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
    pub fn entry(&self, position: &Position<R>) -> Option<Entry> {
        let (entries, rest) = self.entries.as_chunks();
        debug_assert!(rest.is_empty(), "a file has whole entries");
        let key = position.key();
        let place = entries.partition_point(|bytes| Entry::key_of(bytes) < key);
        entries.get(place).map(Entry::of_bytes).filter(|entry| entry.key == key)
    }

    /// The moves of a position, the best first; none if it is not in the book or at one of its ends.
    pub fn moves(&self, position: &Position<R>) -> Vec<BookMove<R>> {
        if !self.entry(position).is_some_and(|entry| goes_on(position, entry)) {
            return Vec::new();
        }
        let known = |mv: Move<R::Geometry>| {
            let next = position.after(mv);
            self.entry(&next).map(|entry| BookMove { mv, score: -entry.score, next, entry })
        };
        let mut moves: Vec<_> = sorted_moves(position).into_iter().filter_map(known).collect();
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.score));
        moves
    }

    /// The best line from a position on: its last move is the answer that a search would give at the end of
    /// the book.
    pub fn line(&self, position: &Position<R>) -> Vec<Move<R::Geometry>> {
        let (mut position, mut line) = (*position, Vec::new());
        while let Some(entry) = self.entry(&position) {
            let moves = sorted_moves(&position);
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
fn goes_on<R: Rules>(position: &Position<R>, entry: Entry) -> bool {
    entry.is_expanded() && position.all_kings().is_empty()
}

/// The legal moves of a position, sorted as numbers.
fn sorted_moves<R: Rules>(position: &Position<R>) -> Vec<Move<R::Geometry>> {
    let mut moves = movegen::legal_moves(position).to_vec();
    moves.sort_by_cached_key(|mv| mv.numbers());
    moves
}

#[cfg(test)]
mod tests;

//! Any bytes as a file of a book, with a right checksum so that what it guards is read too: refused, or a book
//! that can be asked, and that grows or is found to have gaps.

use std::borrow::Cow;

use manoury::book::{Book, Graph};
use manoury::position::Position;
use manoury::rules::English;

/// The most positions that are looked at.
const MOST: usize = 200;

/// Looks at one input.
pub fn check(bytes: &[u8]) {
    let mut whole = bytes.to_vec();
    whole.extend(crc32fast::hash(bytes).to_le_bytes());
    for bytes in [bytes, &whole] {
        let Ok(book) = Book::<English>::read(Cow::Owned(bytes.to_vec())) else {
            continue;
        };
        let mut waiting = vec![Position::start()];
        for _ in 0..MOST {
            let Some(position) = waiting.pop() else { break };
            let moves = book.moves(&position);
            assert!(moves.is_sorted_by_key(|mv| std::cmp::Reverse(mv.score)));
            book.line(&position);
            waiting.extend(moves.into_iter().map(|mv| mv.next));
        }
        if let Ok(mut graph) = Graph::of_book(&book) {
            assert!(graph.entries().is_sorted_by_key(|entry| entry.key));
            while graph.taken() < MOST && graph.take().is_some() {}
        }
    }
}

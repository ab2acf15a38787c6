//! Any bytes as a book file, also with a correct checksum so that the contents behind it are read:
//! the file is refused, or the book can be searched, and grows or turns out to be incomplete.

use manoury::book::{Book, Graph};
use manoury::erased::Position;
use manoury::rules::Variant;

/// The maximum number of positions to look at.
const MOST: usize = 200;

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let mut whole = bytes.to_vec();
    whole.extend(crc32fast::hash(bytes).to_le_bytes());
    for bytes in [bytes, &whole] {
        let Ok(book) = Book::read(Variant::English, bytes) else {
            continue;
        };
        let mut waiting = vec![Position::start(Variant::English)];
        for _ in 0..MOST {
            let Some(position) = waiting.pop() else { break };
            let moves = book.moves(&position);
            assert!(moves.is_sorted_by_key(|mv| std::cmp::Reverse(mv.score)));
            book.line(&position);
            waiting.extend(moves.into_iter().map(|mv| mv.next));
        }
        if let Ok(mut graph) = Graph::from_book(&book) {
            assert!(graph.entries().is_sorted_by_key(|entry| entry.key));
            while graph.reserved() < MOST && graph.reserve_next().is_some() {}
        }
    }
}

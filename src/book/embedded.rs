//! The books that are part of the program.
//!
//! All were made by `manoury book build` from the start position, without any games: international
//! draughts with 10,000 expanded positions, the others with 1,000. The `.log` files beside them in
//! `book/` record how they grew.

use std::borrow::Cow;

use manoury_core::program_file;

use crate::rules::Variant;

use super::Book;

/// The file of the book of a game.
fn file(variant: Variant) -> Option<&'static [u8]> {
    Some(match variant {
        Variant::International => program_file!("../../book/international.book"),
        Variant::Breakthrough => program_file!("../../book/bt.book"),
        Variant::Losing => program_file!("../../book/losing.book"),
        Variant::Frisian => program_file!("../../book/frisian.book"),
        Variant::Brazilian => program_file!("../../book/brazilian.book"),
        Variant::Russian => program_file!("../../book/russian.book"),
        Variant::English => program_file!("../../book/english.book"),
        Variant::Italian => program_file!("../../book/italian.book"),
        Variant::Spanish => program_file!("../../book/spanish.book"),
        Variant::German => program_file!("../../book/german.book"),
        Variant::Pool => program_file!("../../book/pool.book"),
        Variant::Canadian => program_file!("../../book/canadian.book"),
        _ => return None,
    })
}

impl Book {
    /// The book in the program; `None` if there is none for the game.
    pub fn embedded(variant: Variant) -> Option<Self> {
        Book::read(variant, Cow::Borrowed(file(variant)?)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Graph;
    use crate::erased::Position;

    fn is_usable(variant: Variant) -> bool {
        let Some(book) = Book::embedded(variant) else { return false };
        let graph = Graph::of_book(&book).unwrap();
        assert_eq!((graph.len(), graph.expanded() as u64), (book.len(), book.about().expanded));
        !book.moves(&Position::start(variant)).is_empty()
    }

    #[test]
    fn books_in_the_program_can_be_used() {
        for &variant in Variant::ALL {
            assert_eq!(is_usable(variant), file(variant).is_some(), "{variant:?}");
        }
    }
}

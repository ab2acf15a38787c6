//! The books that are part of the program.

use std::borrow::Cow;

use crate::rules::{Rules, Variant};

use super::Book;

/// The file of the book of a game.
fn file(variant: Variant) -> Option<&'static [u8]> {
    Some(match variant {
        Variant::International => include_bytes!("../../book/international.book"),
        Variant::Killer => include_bytes!("../../book/killer.book"),
        Variant::Breakthrough => include_bytes!("../../book/bt.book"),
        Variant::Losing => include_bytes!("../../book/losing.book"),
        Variant::Frisian => include_bytes!("../../book/frisian.book"),
        Variant::Russian => include_bytes!("../../book/russian.book"),
        _ => return None,
    })
}

impl<R: Rules> Book<R> {
    /// The book in the program; `None` if there is none for the game.
    pub fn of_program() -> Option<Self> {
        Book::read(Cow::Borrowed(file(R::VARIANT)?)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Graph;
    use crate::position::Position;
    use crate::rules::VariantVisitor;

    struct Embedded;

    impl VariantVisitor for Embedded {
        type Output = bool;

        fn visit<R: Rules>(self) -> bool {
            let Some(book) = Book::<R>::of_program() else { return false };
            let graph = Graph::of_book(&book).unwrap();
            assert_eq!((graph.len(), graph.expanded() as u64), (book.len(), book.about().expanded));
            !book.moves(&Position::start()).is_empty()
        }
    }

    #[test]
    fn books_in_the_program_can_be_used() {
        for &variant in Variant::ALL {
            assert_eq!(variant.visit(Embedded), file(variant).is_some(), "{variant:?}");
        }
    }
}

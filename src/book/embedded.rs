//! The books that are part of the program.

use std::borrow::Cow;

use crate::rules::{Rules, Variant};

use super::Book;

/// The file of the book of a game.
fn file(variant: Variant) -> Option<&'static [u8]> {
    match variant {
        Variant::International => Some(include_bytes!("../../book/international.book")),
        _ => None,
    }
}

impl<R: Rules> Book<R> {
    /// The book in the program; `None` if there is none for the game.
    pub fn of_program() -> Option<Self> {
        Book::read(Cow::Borrowed(file(R::VARIANT)?)).ok()
    }
}

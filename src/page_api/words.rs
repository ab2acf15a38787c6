//! What book and bitbases say.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::bitbase::MAX_PIECES;
use crate::board::Side;
use crate::book::Book;
use crate::engine::{self, BITBASE_DOWNLOAD_PIECES, bitbase_folder};
use crate::erased::{Bitbases, Game, Position};
use crate::notation::{hub, pdn};
use crate::report::page::shown;
use crate::rules::Variant;

/// Book and bitbases of a game.
#[derive(Debug)]
pub struct Knowledge {
    book: Option<Book>,
    /// The folder of bitbases besides those of the program.
    folder: Option<PathBuf>,
    /// Opened when first needed: a page may have to download them.
    bitbases: OnceCell<Bitbases>,
    no_bitbases: Bitbases,
}

/// What they say about a position.
#[derive(Serialize)]
pub struct Words {
    /// `None` where the bitbases do not know.
    bitbases: Option<Ending>,
    /// The moves of the book, best first.
    book: Vec<BookWord>,
}

#[derive(Serialize)]
struct Ending {
    /// `white`, `black` or `draw`.
    winner: &'static str,
    /// The plies to the end, where the bitbases count them.
    plies: Option<u8>,
}

#[derive(Serialize)]
struct BookWord {
    hub: String,
    text: String,
    /// For White.
    score: String,
}

impl Knowledge {
    /// What is in the program, and bitbases in a folder with a subfolder for each game.
    pub fn new(variant: Variant, folder: Option<&Path>) -> Knowledge {
        Knowledge {
            book: Book::embedded(variant),
            folder: folder.map(|folder| bitbase_folder(variant, folder)),
            bitbases: OnceCell::new(),
            no_bitbases: Bitbases::none(variant),
        }
    }

    pub fn variant(&self) -> Variant {
        self.no_bitbases.variant()
    }

    pub fn book(&self) -> Option<&Book> {
        self.book.as_ref()
    }

    /// The bitbases for a game up to a position: none if that is far from an ending.
    pub fn bitbases(&self, position: &Position) -> &Bitbases {
        if position.occupied().len() > BITBASE_DOWNLOAD_PIECES {
            return &self.no_bitbases;
        }
        self.bitbases.get_or_init(|| self.open_bitbases())
    }

    fn open_bitbases(&self) -> Bitbases {
        let mut bitbases = Bitbases::embedded(self.variant());
        for fault in self.folder.iter().flat_map(|folder| bitbases.open(folder, MAX_PIECES)) {
            log::warn!("bitbases not used: {fault}");
        }
        bitbases
    }

    /// What is said about the last position of a game.
    pub fn words(&self, game: &Game) -> Words {
        let position = game.position();
        let ending =
            engine::bitbase_result(game, self.bitbases(position)).map(|(winner, plies)| Ending {
                winner: match winner {
                    Some(Side::White) => "white",
                    Some(Side::Black) => "black",
                    None => "draw",
                },
                plies,
            });
        let book = self.book().map(|book| book.moves(position)).unwrap_or_default();
        let word = |known: &crate::book::BookMove| BookWord {
            hub: hub::format_move(known.mv),
            text: pdn::format_move(position, known.mv),
            score: shown(known.score, position.side()),
        };
        Words { bitbases: ending, book: book.iter().map(word).collect() }
    }
}

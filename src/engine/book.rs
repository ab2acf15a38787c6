//! Moves from the book.

use std::path::PathBuf;

use crate::book::{Book, choose};
use crate::instant::Instant;
use crate::rules::Variant;
use crate::search::{Info, Limits, Mode, SearchResult};

use super::{Engine, EngineOptions};

/// How an engine uses its book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookOptions {
    /// The file of the book; `None` for the one in the program.
    pub file: Option<PathBuf>,
    /// The number of plies at the start of a game with random moves; after them the best move is
    /// played.
    pub plies: u32,
    /// The most by which a random move may be worse than the best, in hundredths of a man.
    pub margin: u32,
}

impl Default for BookOptions {
    fn default() -> Self {
        BookOptions { file: None, plies: 4, margin: 4 }
    }
}

/// The book named by the options. One that cannot be used is a fault, and the engine plays without
/// it.
pub(super) fn open(
    variant: Variant,
    options: &EngineOptions,
    faults: &mut Vec<String>,
) -> Option<Book> {
    let Some(path) = &options.book.as_ref()?.file else {
        return Book::embedded(variant);
    };
    let fault = match Book::open(variant, path) {
        Ok(book) => return Some(book),
        Err(fault) => fault,
    };
    log::warn!("book not used: {fault}");
    faults.push(format!("book not used: {fault}"));
    None
}

impl Engine {
    /// The book move; `None` if there is none, in an analysis, and if more than one line is wanted.
    pub(super) fn book_move(&mut self, limits: &Limits) -> Option<SearchResult> {
        let began = Instant::now();
        if limits.mode == Mode::Analyze || self.options.multipv > 1 {
            return None;
        }
        let (options, book) = (self.options.book.as_ref()?, self.resources.book.as_ref()?);
        let moves = book.moves(self.game.position());
        let is_early = self.game.plies() < options.plies as usize;
        let chosen = match is_early {
            true => choose(&moves, options.margin, &mut self.random)?,
            false => *moves.first()?,
        };
        let mut pv = vec![chosen.mv];
        pv.extend(book.line(&chosen.next));
        let info = Info {
            rank: 1,
            depth: pv.len() as u32,
            mean_depth: pv.len() as f64,
            score: chosen.score,
            nodes: 0,
            time: began.elapsed(),
            pv,
        };
        Some(SearchResult { mv: Some(chosen.mv), ponder: info.pv.get(1).copied(), info })
    }
}

//! The engine: the one door to the search for protocols, matches and tools.

use crate::game::Game;
use crate::rules::Rules;
use crate::search::{self, Best, Control, Info, Limits};
use crate::tt::Table;

/// What an engine is built with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Threads that search. For now any number is accepted and one of them searches.
    pub threads: usize,
    /// Base-2 logarithm of the number of entries of the transposition table (16 bytes each).
    pub tt_size: u32,
    /// How many root moves get a line of their own, the best ones; at least one.
    pub multipv: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { threads: 1, tt_size: 24, multipv: 1 }
    }
}

/// An engine for one variant.
pub struct Engine<R: Rules> {
    options: Options,
    game: Game<R>,
    /// Made by the first search that needs it.
    tt: Option<Table>,
}

impl<R: Rules> Engine<R> {
    /// An engine at the start position.
    pub fn new(options: Options) -> Self {
        Engine { options, game: Game::default(), tt: None }
    }

    /// Changes the options; what has been learned by searching may be forgotten.
    pub fn set_options(&mut self, options: Options) {
        if options.tt_size != self.options.tt_size {
            self.tt = None;
        }
        self.options = options;
    }

    /// The next search has nothing to do with earlier ones.
    pub fn new_game(&mut self) {
        self.game = Game::default();
        // Fresh memory from the system is empty, and cheaper than clearing.
        self.tt = None;
    }

    /// Sets the position to search, with the game that led to it.
    pub fn set_game(&mut self, game: Game<R>) {
        self.game = game;
    }

    /// The game whose last position is searched.
    pub fn game(&self) -> &Game<R> {
        &self.game
    }

    /// Searches the position until a limit is reached or `control` stops it. `sink` gets the
    /// information on the way, on the calling thread: at least one if there is a legal move.
    ///
    /// A ponder search returns after the ponder-hit or a stop, a search without limits after a
    /// stop, even if there is nothing left to search before; it is quiet then.
    pub fn go(
        &mut self,
        limits: Limits,
        control: &Control,
        sink: &mut dyn FnMut(&Info<R::Geometry>),
    ) -> Best<R::Geometry> {
        let tt = self.tt.get_or_insert_with(|| Table::new(self.options.tt_size));
        tt.age();
        let multipv = self.options.multipv as usize;
        search::think(&self.game, tt, &limits, multipv, control, sink)
    }
}

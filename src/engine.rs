//! The engine: the one door to the search for protocols, matches and tools.

use crate::game::Game;
use crate::rules::Rules;
use crate::search::{self, Best, Control, Info, Job, Limits, Params, Pool};
use crate::tt::Table;

/// What an engine is built with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Threads that search, at least one. With one, a search is the same each time.
    pub threads: usize,
    /// Base-2 logarithm of the number of entries of the transposition table (16 bytes each).
    pub tt_size: u32,
    /// How many root moves get a line of their own, the best ones; at least one.
    pub multipv: u32,
    /// The tunables of the search.
    pub params: Params,
}

impl Default for Options {
    fn default() -> Self {
        Options { threads: 1, tt_size: 24, multipv: 1, params: Params::default() }
    }
}

/// An engine for one variant.
pub struct Engine<R: Rules> {
    options: Options,
    game: Game<R>,
    /// Made by the first search that needs it.
    tt: Option<Table>,
    /// Made by the first search too.
    pool: Option<Pool>,
}

impl<R: Rules> Engine<R> {
    /// An engine at the start position.
    pub fn new(options: Options) -> Self {
        Engine { options, game: Game::default(), tt: None, pool: None }
    }

    /// Changes the options; what has been learned by searching may be forgotten.
    pub fn set_options(&mut self, options: Options) {
        if options.tt_size != self.options.tt_size {
            self.tt = None;
        }
        if options.threads != self.options.threads {
            self.pool = None;
        }
        self.options = options;
    }

    /// The next search has nothing to do with earlier ones.
    pub fn new_game(&mut self) {
        self.game = Game::default();
        // Fresh memory from the system is empty, and cheaper than clearing.
        self.tt = None;
        if let Some(pool) = &mut self.pool {
            pool.forget::<R::Geometry>();
        }
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
        let threads = self.options.threads;
        let pool = self.pool.get_or_insert_with(|| Pool::new::<R::Geometry>(threads));
        let job = Job {
            game: &self.game,
            tt,
            params: self.options.params,
            multipv: self.options.multipv as usize,
            limits,
            control,
        };
        search::think(job, pool, sink)
    }
}

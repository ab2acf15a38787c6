//! The engine: the one door to the search for protocols, matches and tools.

use std::time::Duration;

use crate::movegen;
use crate::position::Game;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::{Best, Control, Info, Limits};

/// What an engine is built with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Threads that search.
    pub threads: usize,
    /// Base-2 logarithm of the number of entries of the transposition table (16 bytes each).
    pub tt_size: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { threads: 1, tt_size: 24 }
    }
}

/// An engine for one variant.
pub struct Engine<R: Rules> {
    options: Options,
    game: Game<R>,
}

impl<R: Rules> Engine<R> {
    /// An engine at the start position.
    pub fn new(options: Options) -> Self {
        Engine { options, game: Game::default() }
    }

    /// Changes the options; what has been learned by searching may be forgotten.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// The next search has nothing to do with earlier ones.
    pub fn new_game(&mut self) {
        self.game = Game::default();
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
    /// information on the way, on the calling thread.
    pub fn go(
        &mut self,
        _limits: Limits,
        _control: &Control,
        sink: &mut dyn FnMut(&Info<R::Geometry>),
    ) -> Best<R::Geometry> {
        // Replaced by the search.
        let moves = movegen::legal_moves(self.game.position());
        let info = Info {
            depth: 1,
            mean_depth: 1.0,
            score: Score::DRAW,
            nodes: 1,
            time: Duration::ZERO,
            pv: moves.first().copied().into_iter().collect(),
        };
        sink(&info);
        Best { mv: moves.first().copied(), ponder: None, info }
    }
}

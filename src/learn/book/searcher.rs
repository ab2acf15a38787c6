//! The search of positions that are new to a book.

use std::time::Duration;

use crate::book::{Effort, Found};
use crate::engine::{Engine, Knowledge, Options};
use crate::eval::Evaluation;
use crate::game::Game;
use crate::position::Position;
use crate::rules::Rules;
use crate::search::{Control, Limits, Mode};

/// The transposition table: 32 MB, enough for some seconds of search.
const TT_SIZE: u32 = 21;

/// Searches positions.
pub(super) struct Searcher<R: Rules> {
    engine: Engine<R>,
    limits: Limits,
}

impl<R: Rules> Searcher<R> {
    /// With an evaluation and the bitbases of the program.
    pub(super) fn new(evaluation: Evaluation<R>, effort: Effort) -> Self {
        let knowledge = Knowledge::of_program(evaluation);
        let options = Options { tt_size: TT_SIZE, ..Options::default() };
        let (move_time, nodes) = match effort {
            Effort::Seconds(seconds) => (Some(Duration::from_secs_f64(seconds)), None),
            Effort::Nodes(nodes) => (None, Some(nodes)),
        };
        let limits = Limits { move_time, nodes, mode: Mode::Analyze, ..Limits::default() };
        Searcher { engine: Engine::with(knowledge, options), limits }
    }

    /// Searches the positions after the moves of one position: the later ones profit from the earlier.
    /// What is found does not depend on searches before. `None` if it `is_stopped`.
    pub(super) fn search(
        &mut self,
        positions: &[Position<R>],
        is_stopped: impl Fn() -> bool,
    ) -> Option<Vec<Found<R>>> {
        self.engine.new_game();
        let search = |&position: &Position<R>| {
            if is_stopped() {
                return None;
            }
            self.engine.set_game(Game::new(position));
            let found = self.engine.go(self.limits, &Control::new(), &mut |_| {});
            let (score, depth) = (found.info.score, found.info.depth);
            Some(Found { position, score, depth, best: found.mv })
        };
        positions.iter().map(search).collect()
    }
}

//! The search of positions that are new to a book.

use std::time::Duration;

use crate::book::{Effort, Found};
use crate::engine::{Engine, EngineOptions, Resources};
use crate::erased::{Game, Position};
use crate::eval::Evaluation;
use crate::rules::Variant;
use crate::search::{Control, Limits, Mode};

/// The transposition table: 32 MB, enough for a few seconds of search.
const TT_SIZE: u32 = 21;

/// Searches positions.
pub struct PositionSearcher {
    engine: Engine,
    limits: Limits,
}

impl PositionSearcher {
    /// A searcher with an evaluation and the bitbases of the program.
    pub fn new(variant: Variant, evaluation: Evaluation, effort: Effort) -> Self {
        let resources = Resources::embedded(variant, evaluation);
        let options = EngineOptions { tt_size: TT_SIZE, ..EngineOptions::default() };
        let (move_time, nodes) = match effort {
            Effort::Seconds(seconds) => (Some(Duration::from_secs_f64(seconds)), None),
            Effort::Nodes(nodes) => (None, Some(nodes)),
        };
        let limits = Limits { move_time, nodes, mode: Mode::Analyze, ..Limits::default() };
        PositionSearcher { engine: Engine::with_resources(variant, resources, options), limits }
    }

    /// Searches the positions after the moves of one position. The later searches benefit from the
    /// earlier ones, but not from previous calls. `None` if `is_stopped` said so.
    pub fn search(
        &mut self,
        positions: &[Position],
        is_stopped: impl Fn() -> bool,
    ) -> Option<Vec<Found>> {
        self.engine.new_game();
        let search = |&position: &Position| {
            if is_stopped() {
                return None;
            }
            self.engine.set_game(Game::from_position(position));
            let found = self.engine.go(self.limits, &Control::new(), &mut |_| {});
            let (score, depth) = (found.info.score, found.info.depth);
            Some(Found { position, score, depth, best: found.mv })
        };
        positions.iter().map(search).collect()
    }
}

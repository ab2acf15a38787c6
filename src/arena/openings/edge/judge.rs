//! Which random games are openings at the edge.

use crate::board::Side;
use crate::engine::{Engine, EngineOptions, Resources};
use crate::erased::Game;
use crate::eval::Evaluation;
use crate::rules::Variant;
use crate::score::Score;
use crate::search::{Control, Limits, Mode};

use super::EdgeSettings;

/// The transposition table: 1 MiB, quickly cleared for each of many short searches.
const TT_SIZE: u32 = 16;
/// The share of the nodes that is spent on every game, the others only where this says so.
const FIRST_LOOK: u64 = 10;

/// Scores games by search, with the bitbases of the program.
pub struct Judge {
    engine: Engine,
}

impl Judge {
    /// A judge with an evaluation of the variant.
    pub fn new(variant: Variant, evaluation: Evaluation) -> Self {
        let options = EngineOptions { tt_size: TT_SIZE, ..EngineOptions::default() };
        let resources = Resources::embedded(variant, evaluation);
        Judge { engine: Engine::with_resources(variant, resources, options) }
    }

    /// White's lead in the last position if it is within the window either way, in a short search
    /// as in the full one.
    pub fn lead(&mut self, game: &Game, settings: &EdgeSettings) -> Option<Score> {
        let fits = |score: &Score| settings.ahead.contains(&Score(score.0.abs()));
        let nodes = settings.nodes;
        Some(self.score(game, nodes / FIRST_LOOK)).filter(fits)?;
        let score = Some(self.score(game, nodes)).filter(fits)?;
        Some(if game.position().side() == Side::White { score } else { -score })
    }

    /// The score for the side to move; the last iteration is completed.
    fn score(&mut self, game: &Game, nodes: u64) -> Score {
        let limits = Limits { soft_nodes: Some(nodes), mode: Mode::Analyze, ..Limits::default() };
        self.engine.new_game();
        self.engine.set_game(game.clone());
        self.engine.go(limits, &Control::new(), &mut |_| {}).info.score
    }
}

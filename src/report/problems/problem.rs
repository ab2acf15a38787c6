//! Problems: positions with a goal.

use crate::board::Move;
use crate::erased::Game;
use crate::notation::pdn::{AnnotatedMove, GameRecord, ResultText};

use super::goal::Goal;
use super::solution::Solution;

/// A problem, with its stated solution if it has one.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// The position, the last of a game.
    pub game: Game,
    /// What the side to move has to reach.
    pub goal: Goal,
    /// The stated solution, both sides' moves; empty if none is stated.
    pub stated: Vec<Move>,
}

impl Problem {
    /// The problem in a record: its moves are the stated solution, its tag `Goal` the goal, for
    /// lack of it a draw if that is the result and the side to move has to hold it, else a win.
    ///
    /// # Errors
    ///
    /// The tag is no goal.
    pub fn from_record(record: &GameRecord) -> Result<Problem, String> {
        let goal = match record.tags.get("Goal") {
            Some(text) => text.parse()?,
            None if record.result().winner() == Some(None) => Goal::Draw,
            None => Goal::Win,
        };
        let stated = record.line.moves.iter().map(|annotated| annotated.mv).collect();
        Ok(Problem { game: Game::from_position(record.start), goal, stated })
    }

    /// The record of the problem, with a proof of the solution as moves up to this many plies, or
    /// with the stated solution for lack of one.
    pub fn record(&self, solution: &Solution, plies: usize) -> GameRecord {
        let position = self.game.position();
        let mut record = GameRecord::new(*position);
        record.tags.set("Goal", &self.goal.to_string());
        let winner = (self.goal != Goal::Draw).then(|| position.side());
        record.set_result(ResultText::of(winner));
        match solution.proof() {
            Some(proof) => record.line = proof.tree(plies),
            None => {
                let stated = self.stated.iter().map(|&mv| AnnotatedMove::new(mv));
                record.line.moves = stated.collect();
            }
        }
        record
    }
}

//! Problems, their goals and their solutions.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::board::Move;
use crate::erased::Game;
use crate::notation::pdn::{AnnotatedMove, GameRecord, MoveLine, ResultText, Tags};

use super::proof::{Proof, ScoreAtDepth};

/// A problem, with its stated solution if it has one.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// The game that leads to the position of the problem.
    pub game: Game,
    /// The goal of the side to move.
    pub goal: Goal,
    /// The stated solution: the moves of both sides; empty if there is none.
    pub stated: Vec<Move>,
    /// The tags of the record that the problem comes from, such as its author.
    pub tags: Tags,
}

impl Problem {
    /// A problem without a stated solution.
    pub fn new(game: Game, goal: Goal) -> Problem {
        Problem { game, goal, stated: Vec::new(), tags: Tags::default() }
    }

    /// Reads a problem from a record. The moves of the record are the stated solution, and the
    /// `Goal` tag is the goal. Without this tag, the goal is a draw if the result is a draw,
    /// otherwise a win.
    ///
    /// # Errors
    ///
    /// The `Goal` tag is invalid.
    pub fn from_record(record: &GameRecord) -> Result<Problem, String> {
        let goal = match record.tags.get("Goal") {
            Some(text) => text.parse()?,
            None if record.result().winner() == Some(None) => Goal::Draw,
            None => Goal::Win,
        };
        let stated = record.line.moves.iter().map(|annotated| annotated.mv).collect();
        let game = Game::from_position(record.start);
        Ok(Problem { game, goal, stated, tags: record.tags.clone() })
    }

    /// The record of the problem, with its tags. Its moves are the proof of the solution, as a tree
    /// limited to the given number of plies; without a proof, they are the stated solution, or else
    /// the likely one. The result matches the goal if the solution is confirmed; otherwise it is
    /// unknown.
    pub fn record(&self, solution: &Solution, plies: usize) -> GameRecord {
        let position = self.game.position();
        let mut record = GameRecord::new(*position);
        record.tags = self.tags.clone();
        record.tags.set("Goal", &self.goal.to_string());
        let winner = (self.goal != Goal::Draw).then(|| position.side());
        record.set_result(if solution.is_confirmed() { ResultText::of(winner) } else { "*" });
        let line = |moves: Vec<Move>| MoveLine {
            comments: Vec::new(),
            moves: moves.into_iter().map(AnnotatedMove::new).collect(),
        };
        record.line = match solution.proof() {
            Some(proof) => proof.tree(plies),
            None if self.stated.is_empty() => line(solution.line(self.goal)),
            None => line(self.stated.clone()),
        };
        record
    }
}

/// The goal of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// To win.
    Win,
    /// To win in at most this many moves.
    WinIn(u32),
    /// Not to lose.
    Draw,
    /// To win material by a shot: at least this many men, counting a king as three.
    Gain(i32),
}

impl Goal {
    /// The goal that remains after the given number of plies of a solution; `None` if no goal
    /// remains.
    pub fn after(self, plies: usize) -> Option<Goal> {
        match self {
            Goal::Win | Goal::Draw => Some(self),
            Goal::WinIn(moves) => {
                let left = moves.checked_sub(plies as u32 / 2).filter(|&left| left > 0);
                left.map(Goal::WinIn)
            }
            Goal::Gain(_) => None,
        }
    }
}

/// Maximum number of moves in `win in N`.
const MAX_MOVES: u32 = 20;
/// Maximum number of men in `gain N`.
const MAX_MEN: i32 = 30;

/// Formats a goal: `win`, `win in 3`, `draw`, `gain 2`.
impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Win => f.write_str("win"),
            Goal::WinIn(moves) => write!(f, "win in {moves}"),
            Goal::Draw => f.write_str("draw"),
            Goal::Gain(men) => write!(f, "gain {men}"),
        }
    }
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let lower = text.to_lowercase();
        let words: Vec<_> = lower.split([' ', '-']).filter(|word| !word.is_empty()).collect();
        let goal = match words[..] {
            ["win" | "wins"] => Some(Goal::Win),
            ["draw" | "draws"] => Some(Goal::Draw),
            ["win" | "wins", "in", moves] => {
                let moves = moves.parse().ok().filter(|moves| (1..=MAX_MOVES).contains(moves));
                moves.map(Goal::WinIn)
            }
            ["gain" | "gains", men] => {
                men.parse().ok().filter(|men| (1..=MAX_MEN).contains(men)).map(Goal::Gain)
            }
            _ => None,
        };
        goal.ok_or_else(|| {
            format!(
                "not a goal: {text:?}; expected win, draw, win-in-N (1 to {MAX_MOVES} moves) or \
                 gain-N (1 to {MAX_MEN} men)"
            )
        })
    }
}

/// The results of solving a problem.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// The verdict on each move, best first.
    pub verdicts: Vec<(Move, MoveVerdict)>,
    /// Later moves of the solution's line that have alternatives.
    pub duals: Vec<Dual>,
    /// The result of checking the stated solution; `None` if there is no stated solution.
    pub stated: Option<SolutionCheck>,
}

/// Alternatives within a solution.
#[derive(Clone, PartialEq, Debug)]
pub struct Dual {
    /// The ply in the solution's line, counted from 0.
    pub ply: usize,
    /// The other moves at this ply that are proven or likely to reach the goal.
    pub moves: Vec<Move>,
}

/// The verdict on whether a move reaches the goal.
#[derive(Clone, PartialEq, Debug)]
pub enum MoveVerdict {
    /// Proven to reach the goal.
    Proven(Arc<Proof>),
    /// Likely to reach the goal, judging by the score, but not proven.
    Likely(ScoreAtDepth),
    /// Unknown, with the score if the move was searched.
    Open(Option<ScoreAtDepth>),
    /// Proven not to reach the goal.
    Refuted,
}

/// The result of checking a stated solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolutionCheck {
    /// Every move of the solving side is proven to reach the goal.
    Holds,
    /// Every move of the solving side is proven or likely to reach the goal.
    Likely,
    /// The move at this ply, counted from 0, was not found to reach the goal.
    NotSeen(usize),
    /// The move at this ply, counted from 0, does not reach the goal.
    Fails(usize),
}

impl Solution {
    /// The moves proven to reach the goal or, if there are none, the moves likely to reach it.
    pub fn keys(&self) -> impl Iterator<Item = Move> {
        let best = self.verdicts.first().map(|(_, verdict)| verdict.rank());
        let best = best.filter(|&rank| rank < MoveVerdict::OPEN);
        self.verdicts
            .iter()
            .take_while(move |(_, verdict)| Some(verdict.rank()) == best)
            .map(|(mv, _)| *mv)
    }

    /// If a move is proven to reach the goal, the other moves that are likely to reach it;
    /// otherwise none.
    pub fn likely_keys(&self) -> impl Iterator<Item = Move> {
        let likely = self.others().filter(|(_, verdict)| verdict.rank() < MoveVerdict::OPEN);
        likely.map(|(mv, _)| *mv)
    }

    /// The moves other than [`Solution::keys`], best first.
    pub fn others(&self) -> impl Iterator<Item = &(Move, MoveVerdict)> {
        self.verdicts.iter().skip(self.keys().count())
    }

    /// Whether the stated solution is confirmed or, if none is stated, a solution is found.
    pub fn is_confirmed(&self) -> bool {
        match self.stated {
            Some(stated) => matches!(stated, SolutionCheck::Holds | SolutionCheck::Likely),
            None => self.keys().next().is_some(),
        }
    }

    /// The line with the longest resistance to a proven solution, or the line from the search that
    /// found a likely one. It ends with the last capture, unless the goal is a win in a number of
    /// moves or the line has no capture.
    pub fn line(&self, goal: Goal) -> Vec<Move> {
        let mut line = match self.verdicts.first() {
            Some((_, MoveVerdict::Proven(proof))) => proof.line(),
            Some((mv, MoveVerdict::Likely(found))) => [&[*mv], &found.line[..]].concat(),
            _ => Vec::new(),
        };
        let last = line.iter().rposition(|mv| mv.is_capture());
        if let Some(last) = last.filter(|_| !matches!(goal, Goal::WinIn(_))) {
            line.truncate(last + 1);
        }
        line
    }

    /// The proof of the best move, if there is one.
    pub fn proof(&self) -> Option<&Proof> {
        self.verdicts.first().and_then(|(_, verdict)| verdict.proof())
    }
}

impl MoveVerdict {
    /// The rank of open moves.
    pub const OPEN: u8 = 2;

    /// The rank of the verdict, 0 for the best.
    pub fn rank(&self) -> u8 {
        match self {
            MoveVerdict::Proven(_) => 0,
            MoveVerdict::Likely(_) => 1,
            MoveVerdict::Open(_) => MoveVerdict::OPEN,
            MoveVerdict::Refuted => 3,
        }
    }

    /// The proof, if there is one.
    pub fn proof(&self) -> Option<&Proof> {
        match self {
            MoveVerdict::Proven(proof) => Some(proof),
            _ => None,
        }
    }

    /// The score of an unproven move.
    pub fn score(&self) -> Option<&ScoreAtDepth> {
        match self {
            MoveVerdict::Likely(score) | MoveVerdict::Open(Some(score)) => Some(score),
            _ => None,
        }
    }

    /// The sort key for listing moves best first: by rank, then proven moves by the length of the
    /// proof and other moves by score.
    pub fn sort_key(&self) -> (u8, i32) {
        let second = match self {
            MoveVerdict::Proven(proof) => proof.plies as i32,
            _ => self.score().map_or(i32::MAX, |found| -i32::from(found.score.0)),
        };
        (self.rank(), second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_round_trip_through_text() {
        for goal in [Goal::Win, Goal::WinIn(3), Goal::Draw, Goal::Gain(2)] {
            assert_eq!(goal.to_string().parse(), Ok(goal));
            assert_eq!(goal.to_string().replace(' ', "-").to_uppercase().parse(), Ok(goal));
        }
        for faulty in ["", "lose", "win in", "win in 0", "win in 99", "gain", "gain 0", "draw in 3"]
        {
            assert!(faulty.parse::<Goal>().is_err(), "{faulty}");
        }
    }
}

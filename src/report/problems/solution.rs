//! Solutions: what is found out about problems.

use std::sync::Arc;

use crate::board::Move;

use super::proof::Proof;
use super::prover::Seen;

/// What is found out about a problem.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// Every move and how it stands, the best first.
    pub tries: Vec<(Move, Standing)>,
    /// Later moves of the solution's line that have alternatives, up to the first with many.
    pub duals: Vec<Dual>,
    /// Whether the stated solution holds; `None` if none is stated.
    pub stated: Option<Stated>,
}

/// Alternatives within a solution.
#[derive(Clone, PartialEq, Debug)]
pub struct Dual {
    /// The ply of the solution's line, from 0.
    pub ply: usize,
    /// The other moves that reach the goal there, or at least seem to.
    pub moves: Vec<Move>,
}

/// How a move stands to the goal.
#[derive(Clone, PartialEq, Debug)]
pub enum Standing {
    /// It is proven to reach it.
    Proven(Arc<Proof>),
    /// It seems to reach it, by a score beyond doubt for people, but without proof.
    Likely(Seen),
    /// Neither seen nor excluded.
    Open(Option<Seen>),
    /// It is proven not to reach it.
    Refuted,
}

/// Whether a stated solution holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stated {
    /// All its moves are proven to reach the goal.
    Holds,
    /// All its moves at least seem to.
    Likely,
    /// At this ply, from 0, the goal is not seen to be reached.
    NotSeen(usize),
    /// The move at this ply, from 0, does not reach the goal.
    Fails(usize),
}

impl Solution {
    /// The moves that reach the goal: those proven to, or, if there is none, those that seem to.
    pub fn keys(&self) -> impl Iterator<Item = Move> {
        let best = self.tries.first().map(|(_, standing)| standing.rank());
        let best = best.filter(|&rank| rank < Standing::OPEN);
        self.tries
            .iter()
            .take_while(move |(_, standing)| Some(standing.rank()) == best)
            .map(|(mv, _)| *mv)
    }

    /// The moves that do not reach the goal, as far as is known, the best first.
    pub fn others(&self) -> impl Iterator<Item = &(Move, Standing)> {
        self.tries.iter().skip(self.keys().count())
    }

    /// The proof of the first move, if there is one.
    pub fn proof(&self) -> Option<&Proof> {
        self.tries.first().and_then(|(_, standing)| standing.proof())
    }
}

impl Standing {
    /// The rank of moves that seem neither to reach the goal nor to miss it.
    pub(super) const OPEN: u8 = 2;

    /// 0 for the best.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Standing::Proven(_) => 0,
            Standing::Likely(_) => 1,
            Standing::Open(_) => Standing::OPEN,
            Standing::Refuted => 3,
        }
    }

    /// The proof, if there is one.
    pub fn proof(&self) -> Option<&Proof> {
        match self {
            Standing::Proven(proof) => Some(proof),
            _ => None,
        }
    }

    /// What a search says, where nothing is proven.
    pub fn seen(&self) -> Option<Seen> {
        match self {
            Standing::Likely(seen) | Standing::Open(Some(seen)) => Some(*seen),
            _ => None,
        }
    }

    /// The sort key: the best first, of proven ones the shortest, of others the highest score.
    pub(super) fn order(&self) -> (u8, i32) {
        let second = match self {
            Standing::Proven(proof) => proof.plies as i32,
            _ => self.seen().map_or(i32::MAX, |seen| -i32::from(seen.score.0)),
        };
        (self.rank(), second)
    }
}

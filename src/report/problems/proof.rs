//! Proofs that a side reaches a goal, as trees.

use std::sync::Arc;

use crate::board::Move;
use crate::notation::pdn::{AnnotatedMove, MoveLine};

/// A proof that the side to move reaches a goal. Equal positions share theirs.
#[derive(PartialEq, Eq, Debug)]
pub struct Proof {
    /// The most plies until nothing more has to be shown, or until the end of the game where that
    /// is known.
    pub plies: u32,
    /// How the line ends in which the opponent holds out longest.
    pub end: End,
    /// What the side does.
    pub step: Step,
}

/// What a side does to reach its goal.
#[derive(PartialEq, Eq, Debug)]
pub enum Step {
    /// Nothing more: the goal is reached.
    End,
    /// A move, and how to go on after each reply, the reply that holds out longest first. Without a
    /// reply the game is over.
    Move(Move, Vec<(Move, Arc<Proof>)>),
}

/// Why nothing more has to be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The game is over.
    Over,
    /// Bitbases know the position.
    Bitbases,
    /// A position of this line came back: the opponent can do no better than to repeat.
    Repetition,
    /// More material than before, and neither side can capture.
    Gain,
}

impl Proof {
    /// Nothing more has to be shown.
    pub fn done(end: End, plies: u32) -> Arc<Proof> {
        Arc::new(Proof { plies, end, step: Step::End })
    }

    /// A move and the proofs after each reply.
    pub fn of_move(mv: Move, mut replies: Vec<(Move, Arc<Proof>)>) -> Arc<Proof> {
        replies.sort_by_key(|(_, proof)| std::cmp::Reverse(proof.plies));
        let longest = replies.first().map(|(_, proof)| (proof.plies + 2, proof.end));
        let (plies, end) = longest.unwrap_or((1, End::Over));
        Arc::new(Proof { plies, end, step: Step::Move(mv, replies) })
    }

    /// A single line: other replies are left out.
    pub fn of_line(line: &[Move], end: End) -> Arc<Proof> {
        match line {
            [] => Proof::done(end, 0),
            [mv] => Arc::new(Proof { plies: 1, end, step: Step::Move(*mv, Vec::new()) }),
            [mv, reply, rest @ ..] => {
                Proof::of_move(*mv, vec![(*reply, Proof::of_line(rest, end))])
            }
        }
    }

    /// The line in which the opponent holds out longest.
    pub fn line(&self) -> Vec<Move> {
        let (mut line, mut proof) = (Vec::new(), self);
        while let Step::Move(mv, replies) = &proof.step {
            line.push(*mv);
            let Some((reply, next)) = replies.first() else { break };
            line.push(*reply);
            proof = next;
        }
        line
    }

    /// The tree as moves with side lines, up to this many plies.
    pub fn tree(&self, plies: usize) -> MoveLine {
        let mut line = MoveLine::default();
        self.write(&mut line, plies);
        line
    }

    fn write(&self, line: &mut MoveLine, plies: usize) {
        let Step::Move(mv, replies) = &self.step else { return };
        if plies == 0 {
            return;
        }
        line.moves.push(AnnotatedMove::new(*mv));
        let Some(((reply, next), others)) = replies.split_first() else { return };
        if plies == 1 {
            return;
        }
        let mut main = AnnotatedMove::new(*reply);
        main.variations = others
            .iter()
            .map(|(reply, next)| {
                let mut side_line = MoveLine::default();
                side_line.moves.push(AnnotatedMove::new(*reply));
                next.write(&mut side_line, plies - 2);
                side_line
            })
            .collect();
        line.moves.push(main);
        next.write(line, plies - 2);
    }
}

//! Proofs as rows of text.

use std::sync::Arc;

use crate::board::Move;
use crate::erased::Position;
use crate::notation::pdn::{self, move_number};
use crate::report::problems::{End, Proof, Step};

/// The rows of a tree: moves as long as there is one reply, and below them each reply where there
/// are several.
pub struct TreeText<'a> {
    start: &'a Position,
    /// The most plies of a line.
    plies: usize,
    rows: Vec<String>,
}

/// The columns by which replies are indented.
const INDENT: usize = 3;

impl TreeText<'_> {
    /// The rows of a proof from a position on, up to some plies.
    pub fn rows(start: &Position, proof: &Proof, plies: usize) -> Vec<String> {
        let mut text = TreeText { start, plies, rows: Vec::new() };
        text.attack(start, 0, proof, String::new());
        text.rows
    }

    /// Goes on with the side that has the goal; `row` is what precedes its move in the row.
    fn attack(&mut self, position: &Position, ply: usize, proof: &Proof, row: String) {
        let Step::Move(mv, replies) = &proof.step else {
            return self.rows.push(format!("{row} ({})", end(proof.end)));
        };
        if ply >= self.plies {
            return self.rows.push(row + " ..");
        }
        let gap = if row.trim().is_empty() { "" } else { " " };
        let number = move_number(self.start, ply);
        let row = format!("{row}{gap}{number} {}", pdn::format_move(position, *mv));
        let position = position.after(*mv);
        match &replies[..] {
            [] => self.rows.push(row),
            [only] => self.reply(&position, ply + 1, only, row + " "),
            several => {
                let indent = row.len() - row.trim_start().len() + INDENT;
                self.rows.push(row);
                for reply in several {
                    self.reply(&position, ply + 1, reply, " ".repeat(indent));
                }
            }
        }
    }

    /// Goes on with a reply.
    fn reply(
        &mut self,
        position: &Position,
        ply: usize,
        (mv, next): &(Move, Arc<Proof>),
        row: String,
    ) {
        let row = row + &pdn::format_move(position, *mv);
        self.attack(&position.after(*mv), ply + 1, next, row);
    }
}

/// The end of a proof in a word.
pub fn end(end: End) -> &'static str {
    match end {
        End::Over => "game",
        End::Bitbases => "bitbases",
        End::Repetition => "repetition",
        End::Gain => "gain",
    }
}

//! The static evaluation of a position and its pieces, without a search.
//!
//! The parts of a network cannot be interpreted individually, so the worth of a piece is measured
//! as the score with it minus the score without it, as in the chess engine Stockfish (2020). Men
//! whose joint worth differs from the sum of their individual worths support or hinder each other.

use crate::board::{Grid, Piece, Side, SquareSet};
use crate::erased::Position;
use crate::eval::Evaluation;

/// The height of a group in rows and its width in playable squares, the same as for the network's
/// windows.
const GROUP: [u8; 2] = [4, 2];

/// The static evaluation of a position and its pieces, in hundredths of a man.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StaticView {
    /// The score for White.
    pub score: i32,
    /// All pieces, sorted by square, with their worth to their side.
    pub pieces: Vec<PieceWorth>,
    /// The groups of at least two men whose joint worth differs from the sum of their individual
    /// worths, sorted by the difference per man, largest first.
    pub groups: Vec<GroupWorth>,
}

/// A piece and its worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceWorth {
    /// Its square.
    pub square: u8,
    /// The piece.
    pub piece: Piece,
    /// The worth of the piece to its side; `None` if the position without the piece would not be
    /// legal.
    pub worth: Option<i32>,
}

/// Neighbouring men of one side, and their worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupWorth {
    /// Their side.
    pub side: Side,
    /// Their squares.
    pub men: SquareSet,
    /// Their joint worth to their side.
    pub together: i32,
    /// The sum of their individual worths.
    pub apart: i32,
}

impl GroupWorth {
    /// The absolute difference between joint worth and sum, per man, in 1/10,000 of a man.
    fn difference(&self) -> i32 {
        100 * (self.together - self.apart).abs() / self.men.len() as i32
    }
}

impl StaticView {
    /// Creates the view of a position, which must have a legal move.
    pub fn new(position: &Position, evaluation: &Evaluation) -> Self {
        let view = View { position, evaluation };
        let squares = position.occupied().numbers();
        let pieces = squares.filter_map(|square| {
            let piece = position.piece_on(square)?;
            let worth = view.worth(piece.side, SquareSet::of(square));
            Some(PieceWorth { square, piece, worth })
        });
        StaticView {
            score: view.score_of(position),
            pieces: pieces.collect(),
            groups: view.groups(),
        }
    }
}

/// A position, and the evaluation to apply to it.
struct View<'a> {
    position: &'a Position,
    evaluation: &'a Evaluation,
}

impl View<'_> {
    /// The score of a position for White.
    fn score_of(&self, position: &Position) -> i32 {
        i32::from(position.score(self.evaluation).for_white(position.side()).0)
    }

    /// The worth of pieces to their side; `None` if the position without them would not be legal.
    fn worth(&self, side: Side, pieces: SquareSet) -> Option<i32> {
        let mut setup = self.position.setup();
        for rest in &mut setup.pieces[side.index()] {
            *rest &= !pieces;
        }
        let without = Position::from_setup(self.position.variant(), &setup).ok()?;
        if !without.has_move() {
            return None;
        }
        let worth = self.score_of(self.position) - self.score_of(&without);
        Some(if side == Side::White { worth } else { -worth })
    }

    /// The groups of both sides.
    fn groups(&self) -> Vec<GroupWorth> {
        let windows = windows(self.position.grid());
        let mut groups: Vec<_> = Side::ALL
            .into_iter()
            .flat_map(|side| windows.iter().map(move |&window| (side, window)))
            .filter_map(|(side, window)| self.group(side, self.position.men(side) & window))
            .collect();
        groups.sort_by_key(|group| (-group.difference(), group.men));
        groups.dedup_by_key(|group| group.men);
        groups
    }

    fn group(&self, side: Side, men: SquareSet) -> Option<GroupWorth> {
        if men.len() < 2 {
            return None;
        }
        let alone = |square| self.worth(side, SquareSet::of(square));
        let apart = men.numbers().map(alone).sum::<Option<i32>>()?;
        let together = self.worth(side, men)?;
        (together != apart).then_some(GroupWorth { side, men, together, apart })
    }
}

/// The windows of a board: overlapping blocks of neighbouring playable squares.
fn windows(grid: Grid) -> Vec<SquareSet> {
    let [height, width] = GROUP;
    let window = |top: u8, left: u8| {
        let rows = top..top + height;
        rows.flat_map(|row| (left..left + width).map(move |place| (row, place)))
            .map(|(row, place)| row * grid.row_length() + place + 1)
            .collect()
    };
    let tops = (0..=grid.size - height).step_by(2);
    tops.flat_map(|top| (0..=grid.row_length() - width).map(move |left| window(top, left)))
        .collect()
}

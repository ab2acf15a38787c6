//! The weights of the hand-made evaluation, in hundredths of a man.

use crate::rules::{Directions, Goal, Rules};

/// The weights of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// A man.
    pub man: i32,
    /// A king.
    pub king: i32,
    /// A man's first step forward, second step, and so on: the value of a row is the sum of the
    /// steps to it. The last entry repeats for all further rows.
    pub steps: [i32; 6],
    /// A man on its own base row, where it keeps the opponent from getting a king.
    pub base_row: i32,
    /// A man, per column of distance from the nearer edge.
    pub man_centre: i32,
    /// A king, per row and per column of distance from the nearer edge.
    pub king_centre: i32,
    /// The penalty for men leaning to one wing: per half column off the centre line, summed over a
    /// side's men, in 1/8.
    pub lean: i32,
}

impl Weights {
    /// The weights of a game.
    pub(super) const fn of<R: Rules>() -> Self {
        match R::GOAL {
            Goal::Block => Weights {
                king: match R::DIRECTIONS {
                    // The rules' learning guide counts five men.
                    Directions::Orthogonal => 500,
                    Directions::AllForCaptures => 400,
                    Directions::Diagonal if R::FLYING_KINGS => 300,
                    Directions::Diagonal => 150,
                },
                ..BLOCK
            },
            Goal::Lose => LOSE,
            Goal::King => KING,
        }
    }
}

/// Games in which a side without a legal move loses.
const BLOCK: Weights = Weights {
    man: 100,
    king: 300,
    steps: [1, 2, 2, 2, 2, 4],
    base_row: 6,
    man_centre: 2,
    king_centre: 1,
    lean: 2,
};

/// Games in which a side without a legal move wins: men are a burden, but a king can choose where
/// to be captured.
const LOSE: Weights = Weights {
    man: -100,
    king: 100,
    steps: [0; 6],
    base_row: 0,
    man_centre: 0,
    king_centre: 0,
    lean: 0,
};

/// Games won by the first king: advancing is everything.
const KING: Weights = Weights {
    man: 100,
    king: 0,
    steps: [1, 2, 3, 5, 8, 20],
    base_row: 12,
    man_centre: 1,
    king_centre: 0,
    lean: 2,
};

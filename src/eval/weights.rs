//! What the evaluation is made of, in hundredths of a man: every number in one place.

use crate::rules::{Goal, Rules};

/// The weights of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// A man.
    pub man: i32,
    /// A king.
    pub king: i32,
    /// A man's first step forward, second step, and so on: the value of a row is their sum. The
    /// last entry goes on for all rows beyond.
    pub steps: [i32; 6],
    /// A man on its own base row, which keeps the opponent from getting a king.
    pub base_row: i32,
    /// A man, for each column nearer to the centre.
    pub man_centre: i32,
    /// A king, for each row or column nearer to the centre.
    pub king_centre: i32,
    /// Taken off for each column that a side's men lean to the left or right, added over all of
    /// them, in 1/8.
    pub lean: i32,
}

impl Weights {
    /// The weights of a game.
    pub(super) const fn of<R: Rules>() -> Self {
        match R::GOAL {
            Goal::Block => Weights {
                king: if R::ORTHOGONAL_CAPTURES {
                    400
                } else if R::FLYING_KINGS {
                    300
                } else {
                    150
                },
                ..BLOCK
            },
            Goal::Lose => LOSE,
            Goal::King => KING,
        }
    }
}

/// Games that a side loses when it cannot move.
const BLOCK: Weights = Weights {
    man: 100,
    king: 300,
    steps: [1, 2, 2, 2, 2, 4],
    base_row: 6,
    man_centre: 2,
    king_centre: 1,
    lean: 2,
};

/// Games that a side wins when it cannot move: men are a burden, but a king chooses where it is
/// captured.
const LOSE: Weights = Weights {
    man: -100,
    king: 100,
    steps: [0; 6],
    base_row: 0,
    man_centre: 0,
    king_centre: 0,
    lean: 0,
};

/// Games that are won by the first king: advancing is everything.
const KING: Weights = Weights {
    man: 100,
    king: 0,
    steps: [1, 2, 3, 5, 8, 20],
    base_row: 12,
    man_centre: 1,
    king_centre: 0,
    lean: 2,
};

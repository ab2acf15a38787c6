//! Scores and bounds.

use std::fmt;
use std::ops::Neg;

use crate::board::Side;

/// The value of a position for the side to move, in hundredths of a man.
///
/// | range | meaning |
/// | --- | --- |
/// | up to 80.00 men | an evaluation |
/// | 90.00 - p/100 | a bitbase win, p plies from the root |
/// | 100.00 - p/100 | the game is won, p plies from the root |
///
/// Negative scores have the same meanings for the opponent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(pub i16);

impl Score {
    /// The score of a draw or an even position.
    pub const DRAW: Score = Score(0);
    /// The game is won at the root.
    pub const WIN: Score = Score(10_000);
    /// A bitbase win at the root.
    pub const BITBASE_WIN: Score = Score(9_000);
    /// The maximum evaluation.
    pub const MAX_EVALUATION: Score = Score(7_999);
    /// Exceeds any score; as a bound, it leaves a window open on that side.
    pub const INFINITY: Score = Score(10_001);

    /// The game ends in a loss for the side to move, `ply` plies from the root.
    pub const fn loss_in(ply: u32) -> Score {
        Score(ply as i16 - Score::WIN.0)
    }

    /// The game ends in a win for the side to move, `ply` plies from the root.
    pub const fn win_in(ply: u32) -> Score {
        Score(Score::WIN.0 - ply as i16)
    }

    /// Converts a score for `side` to a score for White.
    pub fn for_white(self, side: Side) -> Score {
        if side == Side::White { self } else { -self }
    }

    /// An evaluation in hundredths of a man, clamped to the range of evaluations.
    pub fn evaluation(hundredths: i32) -> Score {
        let limit = i32::from(Score::MAX_EVALUATION.0);
        Score(hundredths.clamp(-limit, limit) as i16)
    }

    /// Whether the score is a proven win or loss, by the rules or by bitbase.
    pub const fn is_decisive(self) -> bool {
        self.0 > Score::MAX_EVALUATION.0 || self.0 < -Score::MAX_EVALUATION.0
    }

    /// The plies from the root to the forced end of the game, for either side; `None` if no win or
    /// loss is proven, or only by bitbase, as a bitbase score does not include these plies.
    pub const fn plies_to_end(self) -> Option<u32> {
        let plies = Score::WIN.0 - self.0.abs();
        if plies >= 0 && plies < Score::WIN.0 - Score::BITBASE_WIN.0 {
            Some(plies as u32)
        } else {
            None
        }
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// In men, with two decimals: `-0.05`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let hundredths = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", hundredths / 100, hundredths % 100)
    }
}

/// How a score relates to the true score.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// The true score is at most this score.
    Upper,
    /// The true score is at least this score.
    Lower,
    /// The score is the true score.
    Exact,
}

//! Scores and the other small numbers of the search.

use std::fmt;
use std::ops::Neg;

/// The value of a position for the side to move, in hundredths of a man.
///
/// | range | meaning |
/// | --- | --- |
/// | up to 80.00 men | an evaluation |
/// | 90.00 - p/100 | won by a bitbase, p plies from the root |
/// | 100.00 - p/100 | the game ends won in p plies |
///
/// and the negative of these for the other side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(pub i16);

impl Score {
    /// An even position.
    pub const DRAW: Score = Score(0);
    /// The game is won now.
    pub const WIN: Score = Score(10_000);
    /// A bitbase win now.
    pub const BITBASE_WIN: Score = Score(9_000);
    /// The greatest evaluation.
    pub const MAX_EVALUATION: Score = Score(7_999);
    /// More than any score; a bound for windows.
    pub const INFINITY: Score = Score(10_001);

    /// The game ends lost for the side to move, `ply` plies from the root.
    pub const fn loss_in(ply: u32) -> Score {
        Score(ply as i16 - Score::WIN.0)
    }

    /// The game ends won for the side to move, `ply` plies from the root.
    pub const fn win_in(ply: u32) -> Score {
        Score(Score::WIN.0 - ply as i16)
    }

    /// An evaluation in hundredths of a man, limited to what an evaluation may be.
    pub fn evaluation(hundredths: i32) -> Score {
        let limit = i32::from(Score::MAX_EVALUATION.0);
        Score(hundredths.clamp(-limit, limit) as i16)
    }

    /// Whether the end of the game (or of a bitbase) is proven, for either side.
    pub const fn is_decisive(self) -> bool {
        self.0 > Score::MAX_EVALUATION.0 || self.0 < -Score::MAX_EVALUATION.0
    }

    /// In how many plies from the root the game ends by force, for either side; `None` if that is
    /// not proven, or by a bitbase, which tells another number.
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

/// What a score in the transposition table says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
    Lower,
    /// The true score is this.
    Exact,
}

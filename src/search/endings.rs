//! What bitbases tell below the root: see [`Plan`](super::plan::Plan) for which of it.

use crate::bitbase::{Bitbases, Value, Verdict};
use crate::board::Side;
use crate::game::Game;
use crate::position::Position;
use crate::rules::Rules;
use crate::score::Score;

/// What a position that is won is worth at least while the search looks for the way, and at most.
const WON: (i32, i32) = (100, 7500);
/// How much more it is worth than its evaluation.
const LEAN: i32 = 1500;

/// What bitbases tell a search.
#[derive(Clone, Copy, Debug)]
pub(super) enum Endings<'a, R: Rules> {
    /// Nothing.
    Silent,
    /// Nothing below a root that is drawn: the search sets problems.
    Drawn,
    /// The value of a position: it need not be searched.
    Values(&'a Bitbases<R>),
    /// Which positions are still won for a side, and how long it takes, where that is known.
    Wins(&'a Bitbases<R>, Side),
}

impl<R: Rules> Endings<'_, R> {
    /// Keeps apart in the transposition table what was found out under different conditions.
    #[inline(always)]
    pub(super) fn salt(&self) -> u64 {
        match self {
            Endings::Silent | Endings::Values(_) => 0,
            Endings::Drawn => 0x9e37_79b9_7f4a_7c15,
            Endings::Wins(..) => 0xc2b2_ae3d_27d4_eb4f,
        }
    }

    /// The score of the last position of a line, a quiet one, if it need not be searched.
    #[inline(always)]
    pub(super) fn known(
        &self,
        position: &Position<R>,
        ply: usize,
        line: &Game<R>,
    ) -> Option<Score> {
        match self {
            Endings::Silent | Endings::Drawn => None,
            Endings::Values(bitbases) => {
                bitbases.quiet_value(position).map(|value| at(value, ply as u32))
            }
            Endings::Wins(bitbases, _) => known_win(position, ply, line, bitbases),
        }
    }

    /// Whether scores are not comparable with evaluations.
    #[inline(always)]
    pub(super) fn leans(&self) -> bool {
        matches!(self, Endings::Wins(..))
    }

    /// An evaluation that tells won positions from others.
    #[inline(always)]
    pub(super) fn lean(&self, position: &Position<R>, evaluation: Score) -> Score {
        let Endings::Wins(_, winner) = self else {
            return evaluation;
        };
        let sign = if *winner == position.side() { 1 } else { -1 };
        let won = (sign * i32::from(evaluation.0) + LEAN).clamp(WON.0, WON.1);
        Score::evaluation(sign * won)
    }
}

/// The score of a value, some plies from the root.
#[inline(always)]
pub(super) fn at(value: Value, ply: u32) -> Score {
    let win = Score(Score::BITBASE_WIN.0 - ply as i16);
    match value {
        Value::Win => win,
        Value::Draw => Score::DRAW,
        Value::Loss => -win,
    }
}

/// The score of a draw, or of a win whose end is known and comes before any draw by the rules.
#[cold]
fn known_win<R: Rules>(
    position: &Position<R>,
    ply: usize,
    line: &Game<R>,
    bitbases: &Bitbases<R>,
) -> Option<Score> {
    bitbases.quiet_value(position)?;
    let Verdict { value, plies } = bitbases.verdict(position)?;
    let is_in_time = |plies: u8| {
        let limit = usize::from(R::DRAWS.king_moves);
        limit == 0 || line.reversible_plies() + usize::from(plies) <= limit
    };
    let plies = plies.filter(|&plies| is_in_time(plies)).map(|plies| ply as u32 + u32::from(plies));
    match value {
        Value::Draw => Some(Score::DRAW),
        Value::Win => plies.map(Score::win_in),
        Value::Loss => plies.map(Score::loss_in),
    }
}

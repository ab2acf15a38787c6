//! Bitbase knowledge below the root; [`Plan`](super::plan::Plan) chooses how much of it is used.

use crate::bitbase::{BitbaseSet, Value, Verdict};
use crate::board::Side;
use crate::game::BitGame;
use crate::position::BitPosition;
use crate::rules::Rules;
use crate::score::Score;

/// The least and the greatest evaluation of a won position while the search looks for the win.
const WON: (i32, i32) = (100, 7500);
/// The bonus of a won position over its evaluation.
const LEAN: i32 = 1500;

/// How a search uses bitbases.
#[derive(Clone, Copy, Debug)]
pub(super) enum Endings<'a, R: Rules> {
    /// Not at all.
    Silent,
    /// Not below the root, which is a draw: the search sets problems.
    Drawn,
    /// The value of a position is its score: it need not be searched.
    Values(&'a BitbaseSet<R>),
    /// Which positions are still won for a side, and the plies to the end where known.
    Wins(&'a BitbaseSet<R>, Side),
}

impl<R: Rules> Endings<'_, R> {
    /// XORed into keys, to keep entries of different modes apart in the transposition table.
    #[inline(always)]
    pub(super) fn salt(&self) -> u64 {
        match self {
            Endings::Silent | Endings::Values(_) => 0,
            Endings::Drawn => 0x9e37_79b9_7f4a_7c15,
            Endings::Wins(..) => 0xc2b2_ae3d_27d4_eb4f,
        }
    }

    /// The score of the last position of a line, which is quiet; `None` if it has to be searched.
    #[inline(always)]
    pub(super) fn known(
        &self,
        position: &BitPosition<R>,
        ply: usize,
        line: &BitGame<R>,
    ) -> Option<Score> {
        match self {
            Endings::Silent | Endings::Drawn => None,
            Endings::Values(bitbases) => {
                bitbases.quiet_value(position).map(|value| at(value, ply as u32))
            }
            Endings::Wins(bitbases, _) => known_win(position, ply, line, bitbases),
        }
    }

    /// Whether [`Endings::lean`] takes scores off the scale of the static evaluation.
    #[inline(always)]
    pub(super) fn leans(&self) -> bool {
        matches!(self, Endings::Wins(..))
    }

    /// The evaluation; where the root is won or lost, shifted to the range of won positions.
    #[inline(always)]
    pub(super) fn lean(&self, position: &BitPosition<R>, evaluation: Score) -> Score {
        let Endings::Wins(_, winner) = self else {
            return evaluation;
        };
        let sign = if *winner == position.side() { 1 } else { -1 };
        let won = (sign * i32::from(evaluation.0) + LEAN).clamp(WON.0, WON.1);
        Score::evaluation(sign * won)
    }
}

/// The score of a bitbase value at a ply from the root.
#[inline(always)]
pub(super) fn at(value: Value, ply: u32) -> Score {
    let win = Score(Score::BITBASE_WIN.0 - ply as i16);
    match value {
        Value::Win => win,
        Value::Draw => Score::DRAW,
        Value::Loss => -win,
    }
}

/// The score of a draw, or of a win whose end is known and comes before a draw by the rules.
#[cold]
fn known_win<R: Rules>(
    position: &BitPosition<R>,
    ply: usize,
    line: &BitGame<R>,
    bitbases: &BitbaseSet<R>,
) -> Option<Score> {
    bitbases.quiet_value(position)?;
    let Verdict { value, plies } = bitbases.verdict(position)?;
    let is_in_time = |plies: u8| {
        let limit = usize::from(line.setup().draws.king_moves);
        limit == 0 || line.reversible_plies() + usize::from(plies) <= limit
    };
    let plies = plies.filter(|&plies| is_in_time(plies)).map(|plies| ply as u32 + u32::from(plies));
    match value {
        Value::Draw => Some(Score::DRAW),
        Value::Win => plies.map(Score::win_in),
        Value::Loss => plies.map(Score::loss_in),
    }
}

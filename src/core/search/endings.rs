//! Endings and draws: what the search does with bitbases, and which positions it scores as draws.
//!
//! If the bitbases do not know the root, it is searched, with positions they know as leaves. If they
//! know it to the ply, nothing is searched. Otherwise only the moves that keep its value are
//! searched: a drawn root as if there were no bitbases, to set problems; a won or lost one for a way
//! to win through positions that are won.

use std::time::Duration;

use crate::bitbase::{BitbaseSet, RatedMove, Value, Verdict};
use crate::board::{BitMove, Geometry, MoveList, Side};
use crate::game::BitGame;
use crate::position::BitPosition;
use crate::rules::Rules;
use crate::score::Score;

use super::limits::{BitInfo, Info};
use super::params::ENDING_PIECES;

/// The minimum and maximum evaluation of a won position while the search looks for the win.
const WON_RANGE: (i32, i32) = (100, 7500);
/// The bonus of a won position over its evaluation.
const WON_BONUS: i32 = 1500;

/// How a search uses bitbases.
#[derive(Clone, Copy, Debug)]
pub enum BitbaseUse<'a, R: Rules> {
    /// Not at all.
    Unused,
    /// Not below the root, which is a draw: the search sets problems.
    DrawnRoot,
    /// The value of a position is its score: it need not be searched.
    Values(&'a BitbaseSet<R>),
    /// Which positions are still won for a side, and the plies to the end where known.
    Wins(&'a BitbaseSet<R>, Side),
}

impl<R: Rules> BitbaseUse<'_, R> {
    /// XORed into keys, to keep entries of different modes apart in the transposition table.
    #[inline(always)]
    pub fn salt(&self) -> u64 {
        match self {
            BitbaseUse::Unused | BitbaseUse::Values(_) => 0,
            BitbaseUse::DrawnRoot => 0x9e37_79b9_7f4a_7c15,
            BitbaseUse::Wins(..) => 0xc2b2_ae3d_27d4_eb4f,
        }
    }

    /// The score of the last position of a line, which is quiet; `None` if it has to be searched.
    #[inline(always)]
    pub fn score(&self, position: &BitPosition<R>, ply: usize, line: &BitGame<R>) -> Option<Score> {
        match self {
            BitbaseUse::Unused | BitbaseUse::DrawnRoot => None,
            BitbaseUse::Values(bitbases) => {
                bitbases.quiet_value(position).map(|value| value_score(value, ply as u32))
            }
            BitbaseUse::Wins(bitbases, _) => proven_by_bitbase(position, ply, line, bitbases),
        }
    }

    /// Whether [`BitbaseUse::shifted_eval`] takes scores off the scale of the static evaluation.
    #[inline(always)]
    pub fn shifts_eval(&self) -> bool {
        matches!(self, BitbaseUse::Wins(..))
    }

    /// The evaluation; where the root is won or lost, shifted to the range of won positions.
    #[inline(always)]
    pub fn shifted_eval(&self, position: &BitPosition<R>, evaluation: Score) -> Score {
        let BitbaseUse::Wins(_, winner) = self else {
            return evaluation;
        };
        let sign = if *winner == position.side() { 1 } else { -1 };
        let won = (sign * i32::from(evaluation.0) + WON_BONUS).clamp(WON_RANGE.0, WON_RANGE.1);
        Score::evaluation(sign * won)
    }
}

/// How the root is searched.
pub struct RootPlan<'a, R: Rules> {
    /// The moves to search.
    pub moves: MoveList<R::Geometry>,
    /// How bitbases are used below the root.
    pub bitbase_use: BitbaseUse<'a, R>,
    /// All moves with their verdicts, best first; empty if bitbases do not know them.
    rated: Vec<RatedMove<R>>,
    bitbases: &'a BitbaseSet<R>,
}

impl<'a, R: Rules> RootPlan<'a, R> {
    /// The plan for the last position of a game, which must have legal moves.
    pub fn new(
        game: &BitGame<R>,
        bitbases: &'a BitbaseSet<R>,
        moves: &MoveList<R::Geometry>,
    ) -> Self {
        let position = game.position();
        // A capture may lead into a known ending.
        let is_near = position.occupied().len() <= bitbases.pieces() + 1;
        let rated = if is_near { bitbases.rated_moves(position) } else { None }.unwrap_or_default();
        let mut plan =
            RootPlan { moves: moves.clone(), bitbase_use: BitbaseUse::Unused, rated, bitbases };
        if let Some(Verdict { value, .. }) = plan.verdict() {
            let best = plan.rated.iter().filter(|(_, verdict)| verdict.value == value);
            plan.moves = best.map(|&(mv, _)| mv).collect();
        }
        plan.bitbase_use = match plan.verdict().map(|verdict| verdict.value) {
            _ if bitbases.pieces() == 0 => BitbaseUse::Unused,
            None => BitbaseUse::Values(bitbases),
            Some(Value::Draw) => BitbaseUse::DrawnRoot,
            Some(Value::Win) => BitbaseUse::Wins(bitbases, position.side()),
            Some(Value::Loss) => BitbaseUse::Wins(bitbases, position.side().opponent()),
        };
        plan
    }

    /// The verdict of the bitbases on the root.
    fn verdict(&self) -> Option<Verdict> {
        self.rated.first().map(|&(_, verdict)| verdict)
    }

    /// The lines of the best moves to the end of the game; `None` if a search is needed: not
    /// everything is known, or a draw by the rules intervenes.
    pub fn lines(&self, game: &BitGame<R>, multipv: usize) -> Option<Vec<BitInfo<R>>> {
        self.verdict()?.plies?;
        let best = (1..).zip(&self.rated).take(multipv.max(1));
        best.map(|(rank, &rated)| Some(info(rank, rated.1, self.path(game, rated)?))).collect()
    }

    /// The line from a move to the end of the game; just the move if there is no known end. `None`
    /// if a draw by the rules intervenes.
    fn path(
        &self,
        game: &BitGame<R>,
        (mv, verdict): RatedMove<R>,
    ) -> Option<Vec<BitMove<R::Geometry>>> {
        let mut line = vec![mv];
        if verdict.plies.is_some() {
            let mut game = game.clone();
            game.play(mv);
            line.extend(self.bitbases.line_in_game(&game)?);
        }
        Some(line)
    }

    /// Lines of the moves that were not searched, up to `multipv` lines in all.
    pub fn other_lines(&self, multipv: usize) -> Vec<BitInfo<R>> {
        let others = (1..).zip(&self.rated).take(multipv).skip(self.moves.len());
        others.map(|(rank, &(mv, verdict))| info(rank, verdict, vec![mv])).collect()
    }

    /// The line of a search, with the score of the bitbases unless its own is a forced end of the
    /// game.
    pub fn with_bitbase_score(&self, info: &BitInfo<R>) -> BitInfo<R> {
        let score = match self.verdict() {
            Some(Verdict { value, .. }) if info.score.plies_to_end().is_none() => {
                value_score(value, 0)
            }
            _ => info.score,
        };
        Info { score, ..info.clone() }
    }
}

/// The score of a bitbase value at a ply from the root.
#[inline(always)]
pub fn value_score(value: Value, ply: u32) -> Score {
    let win = Score(Score::BITBASE_WIN.0 - ply as i16);
    match value {
        Value::Win => win,
        Value::Draw => Score::DRAW,
        Value::Loss => -win,
    }
}

/// The score of a bitbase value if the plies to the end of the game, counted from the root, are
/// known or need not be.
fn proven_score(value: Value, plies: Option<u32>) -> Option<Score> {
    match value {
        Value::Draw => Some(Score::DRAW),
        Value::Win => plies.map(Score::win_in),
        Value::Loss => plies.map(Score::loss_in),
    }
}

/// The score of a draw, or of a win whose end is known and comes before a draw by the rules.
#[cold]
fn proven_by_bitbase<R: Rules>(
    position: &BitPosition<R>,
    ply: usize,
    line: &BitGame<R>,
    bitbases: &BitbaseSet<R>,
) -> Option<Score> {
    bitbases.quiet_value(position)?;
    let Verdict { value, plies } = bitbases.verdict(position)?;
    let is_in_time = |plies: &u8| {
        let limit = usize::from(line.setup().draws.king_moves);
        limit == 0 || line.reversible_plies() + usize::from(*plies) <= limit
    };
    proven_score(value, plies.filter(is_in_time).map(|plies| ply as u32 + u32::from(plies)))
}

/// The line of a bitbase verdict.
fn info<G: Geometry>(rank: u32, verdict: Verdict, pv: Vec<BitMove<G>>) -> Info<BitMove<G>> {
    let Verdict { value, plies } = verdict;
    let depth = pv.len() as u32;
    Info {
        rank,
        depth,
        mean_depth: f64::from(depth),
        score: proven_score(value, plies.map(u32::from)).unwrap_or_else(|| value_score(value, 0)),
        nodes: 0,
        time: Duration::ZERO,
        pv,
    }
}

/// Whether the search scores the last position of a line as a draw, by the rules and over both the
/// game played so far and the line searched. The side to move must have a legal move: a win takes
/// precedence over a draw.
///
/// The second occurrence of a position already counts as a draw, since what was repeated once can
/// be repeated again. This keeps the search from going in circles.
#[inline]
pub fn is_draw<R: Rules>(line: &BitGame<R>) -> bool {
    /// The shortest cycle, in plies: each side moves out and back.
    const SHORTEST_CYCLE: usize = 4;

    let reversible = line.reversible_plies();
    let rules = &line.setup().draws;
    // The draw limits of endings are slower to check than the other rules.
    let may_be_limited =
        || !rules.endings.is_empty() && line.position().occupied().len() <= ENDING_PIECES;
    (rules.repetition > 0 && reversible >= SHORTEST_CYCLE && line.occurrences() >= 2)
        || (rules.king_moves > 0 && reversible >= usize::from(rules.king_moves))
        || (may_be_limited() && line.draw().is_some())
}

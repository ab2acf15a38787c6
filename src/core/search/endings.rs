//! Endings and draws: how the search uses bitbases, and which positions it scores as draws.
//!
//! If the root is not in the bitbases, it is searched, with bitbase positions as leaves. If the
//! bitbases contain the root with its distance to the end of the game, nothing is searched. If they
//! contain the root without that distance, only the moves that keep its value are searched. If the
//! root is drawn, the search ignores the bitbases and tries to set the opponent problems. If it is
//! won or lost, the search uses them to find a path to the win through won positions.

use std::time::Duration;

use crate::bitbase::{BitbaseSet, RatedMove, Value, Verdict};
use crate::board::{BitMove, Geometry, MoveList, Side};
use crate::game::BitGame;
use crate::position::BitPosition;
use crate::rules::Rules;
use crate::score::Score;

use super::limits::{BitInfo, Info};
use super::params::ENDING_PIECES;

/// The minimum and maximum evaluation of a won position in a search for the win.
const WON_RANGE: (i32, i32) = (100, 7500);
/// The bonus added to the evaluation of a won position.
const WON_BONUS: i32 = 1500;

/// How a search uses bitbases.
#[derive(Clone, Copy, Debug)]
pub enum BitbaseUse<'a, R: Rules> {
    /// Bitbases are not used.
    Unused,
    /// The root is drawn. Bitbases are not used below it, so that the search sets the opponent
    /// problems.
    DrawnRoot,
    /// A bitbase position gets its value as score and is not searched.
    Values(&'a BitbaseSet<R>),
    /// The root is won for the given side. A bitbase position is a leaf only if it is drawn or its
    /// distance to the end of the game is known.
    Wins(&'a BitbaseSet<R>, Side),
}

impl<R: Rules> BitbaseUse<'_, R> {
    /// A value XORed into keys, so that different modes do not share entries in the transposition
    /// table.
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
                let value = bitbases.quiet_value(position)?;
                Some(match value != Value::Draw && is_late(position, line, bitbases) {
                    true => Score::DRAW,
                    false => value_score(value, ply as u32),
                })
            }
            BitbaseUse::Wins(bitbases, _) => proven_by_bitbase(position, ply, line, bitbases),
        }
    }

    /// Whether [`BitbaseUse::shifted_eval`] shifts evaluations, so that scores cannot be compared
    /// with the unshifted static evaluation.
    #[inline(always)]
    pub fn shifts_eval(&self) -> bool {
        matches!(self, BitbaseUse::Wins(..))
    }

    /// The evaluation, shifted to the range of won positions if the root is won or lost.
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

/// A plan for searching the root.
pub struct RootPlan<'a, R: Rules> {
    /// The moves to search.
    pub moves: MoveList<R::Geometry>,
    /// How bitbases are used below the root.
    pub bitbase_use: BitbaseUse<'a, R>,
    /// All moves with their verdicts, best first, counting a win as a draw if a move limit prevents
    /// it; empty if the bitbases do not contain the position.
    rated: Vec<RatedMove<R>>,
    /// Whether the value of the best move is proven. It is not if a move limit may prevent a win.
    is_certain: bool,
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
        // A capture may lead to a bitbase position.
        let is_near = position.occupied().len() <= bitbases.pieces() + 1;
        let rated = if is_near { bitbases.rated_moves_in_game(game) } else { None };
        let (rated, is_certain) = rated.unwrap_or_default();
        let mut plan = RootPlan {
            moves: moves.clone(),
            bitbase_use: BitbaseUse::Unused,
            rated,
            is_certain,
            bitbases,
        };
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

    /// The lines of the best moves to the end of the game; `None` if a search is needed because a
    /// distance to the end is unknown or a draw by the rules comes first.
    pub fn lines(&self, game: &BitGame<R>, multipv: usize) -> Option<Vec<BitInfo<R>>> {
        self.verdict()?.plies?;
        let best = (1..).zip(&self.rated).take(multipv.max(1));
        best.map(|(rank, &rated)| Some(info(rank, rated.1, self.path(game, rated)?))).collect()
    }

    /// The line from a move to the end of the game; just the move if the distance to the end is
    /// unknown. `None` if a draw by the rules comes first.
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

    /// Lines for the moves that were not searched, best first: as many as are needed to bring the
    /// total to `multipv`, or all if there are fewer.
    pub fn other_lines(&self, multipv: usize) -> Vec<BitInfo<R>> {
        let others = (1..).zip(&self.rated).take(multipv).skip(self.moves.len());
        others.map(|(rank, &(mv, verdict))| info(rank, verdict, vec![mv])).collect()
    }

    /// The line of a search, with the bitbase score of the root unless the root is won or lost and
    /// the search found a forced win or loss, or a move limit may prevent the win.
    pub fn with_bitbase_score(&self, info: &BitInfo<R>) -> BitInfo<R> {
        let score = match self.verdict() {
            Some(Verdict { value: Value::Draw, .. }) => Score::DRAW,
            Some(Verdict { value, .. })
                if self.is_certain && info.score.plies_to_end().is_none() =>
            {
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

/// The score of a bitbase value, given the plies from the root to the end of the game; `None` for a
/// win or loss if the number of plies is unknown.
fn proven_score(value: Value, plies: Option<u32>) -> Option<Score> {
    match value {
        Value::Draw => Some(Score::DRAW),
        Value::Win => plies.map(Score::win_in),
        Value::Loss => plies.map(Score::loss_in),
    }
}

/// The score of a bitbase position if it is drawn, if it is won or lost in a known number of plies
/// before a draw by the rules, or if such a draw is certain to come first.
#[cold]
fn proven_by_bitbase<R: Rules>(
    position: &BitPosition<R>,
    ply: usize,
    line: &BitGame<R>,
    bitbases: &BitbaseSet<R>,
) -> Option<Score> {
    bitbases.quiet_value(position)?;
    let Verdict { value, plies } = bitbases.verdict(position)?;
    let Some(plies) = plies else {
        return proven_score(value, None);
    };
    match bitbases.move_limits().is_in_time(plies.into(), line) {
        Some(true) => proven_score(value, Some(ply as u32 + u32::from(plies))),
        Some(false) => Some(Score::DRAW),
        None => None,
    }
}

/// Whether a bitbase win is certain to come after the limit of its ending. These limits count moves
/// against a lone king.
#[inline(always)]
fn is_late<R: Rules>(
    position: &BitPosition<R>,
    line: &BitGame<R>,
    bitbases: &BitbaseSet<R>,
) -> bool {
    let has_lone_piece = || Side::ALL.iter().any(|&side| position.pieces(side).len() == 1);
    line.setup().draws.endings.iter().any(|ending| !ending.restarts)
        && has_lone_piece()
        && bitbases
            .verdict(position)
            .and_then(|verdict| verdict.plies)
            .is_some_and(|plies| line.is_limit_before(plies.into()))
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

/// Whether the search scores the last position of a line as a draw, by the draw rules applied to
/// the game played so far and the line searched. The caller must check that the side to move has a
/// legal move, as a win takes precedence over a draw.
///
/// The second occurrence of a position already counts as a draw, since the same moves can repeat
/// the position again. This keeps the search from going in circles.
#[inline]
pub fn is_draw<R: Rules>(line: &BitGame<R>) -> bool {
    /// The shortest cycle, in plies: each side moves out and back.
    const SHORTEST_CYCLE: usize = 4;

    let reversible = line.reversible_plies();
    let rules = &line.setup().draws;
    // The draw rules for specific endings are slower to check than the others.
    let may_be_limited =
        || !rules.endings.is_empty() && line.position().occupied().len() <= ENDING_PIECES;
    (rules.repetition > 0 && reversible >= SHORTEST_CYCLE && line.occurrences() >= 2)
        || (rules.king_moves > 0 && line.from_start(reversible) >= usize::from(rules.king_moves))
        || (may_be_limited() && line.draw().is_some())
}

//! The problem solver.

use std::time::Duration;

use crate::analysis::shots;
use crate::board::Move;
use crate::engine::Engine;
use crate::erased::{Game, Position};
use crate::instant::Instant;
use crate::score::Score;
use crate::search::{Control, Limits, Mode};

use super::problem::{Dual, Goal, MoveVerdict, Problem, Solution, SolutionCheck};
use super::proof::{Claim, Proof, ProofEnd, Prover, ScoreAtDepth, Unproven, is_won};
use super::win_in::{TooManyPositions, WinInN};

/// Minimum score of a move that is considered likely to win.
const LIKELY_WIN: Score = Score(300);
/// Minimum score of a move that is considered likely to draw.
const LIKELY_DRAW: Score = Score(-50);
/// The divisor of the node limit in a search for duals.
const DUAL_DIVISOR: u64 = 10;
/// The search for duals stops at the first move with this many alternatives.
const MAX_DUALS: usize = 4;

/// The tenths of the time for a problem that may be spent, in order, on the verdicts on all moves,
/// on checking the stated solution, and on searching for duals.
const PARTS: [u32; 3] = [6, 3, 1];
/// The divisor of the time for verdicts: a quarter of it is spent on scores before any proof is
/// tried.
const SCORES: u32 = 4;
/// The divisor of the time for a proof: one of its searches may use at most 1/40 of it.
const PROOF_SEARCHES: u32 = 40;

/// The effort that may be spent on verdicts.
#[derive(Clone, Copy)]
struct Effort {
    /// The limits of each search; a time limit applies to all searches up to `deadline` together.
    limits: Limits,
    deadline: Option<Instant>,
}

impl Effort {
    /// An effort that may use the fraction `part / of` of the time left.
    fn new(limits: Limits, left: Option<Duration>, part: u32, of: u32) -> Effort {
        let move_time = left.map(|left| left * part / of.max(1));
        let deadline = move_time.and_then(|time| Instant::now().checked_add(time));
        Effort { limits: Limits { move_time, ..limits }, deadline }
    }

    /// The time left; `None` if there is no time limit.
    fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The limits of a search that may use the fraction `1 / of` of the time.
    fn part(&self, of: u32) -> Limits {
        Limits { move_time: self.limits.move_time.map(|time| time / of.max(1)), ..self.limits }
    }
}

/// Solves problems of one variant.
pub struct Solver {
    engine: Engine,
    limits: Limits,
}

impl Solver {
    /// A solver with limits on the time for a problem, and on the nodes and the depth of each
    /// search. Searches for duals get a tenth of the nodes. The engine must not have a book.
    pub fn new(engine: Engine, limits: Limits) -> Solver {
        Solver { engine, limits: Limits { mode: Mode::Analyze, ..limits } }
    }

    /// Maximum number of pieces in the engine's bitbases.
    pub fn bitbase_pieces(&self) -> usize {
        self.engine.bitbases().pieces()
    }

    /// Solves a problem of the engine's variant; returns `None` if stopped by `control`.
    pub fn solve(&mut self, problem: &Problem, control: &Control) -> Option<Solution> {
        self.engine.new_game();
        let Problem { game, goal, stated, .. } = problem;
        let [verdicts_part, check_part, duals_part] = PARTS;
        let whole = Effort::new(self.limits, self.limits.move_time, 1, 1);
        let all = PARTS.iter().sum();
        let effort = Effort::new(self.limits, whole.left(), verdicts_part, all);
        let mut verdicts = self.verdicts(game, *goal, &effort, control);
        verdicts.sort_by_key(|(_, verdict)| verdict.sort_key());
        let mut solution = Solution { verdicts, duals: Vec::new(), stated: None };
        if !stated.is_empty() {
            let of = check_part + duals_part;
            let effort = Effort::new(self.limits, whole.left(), check_part, of);
            solution.stated =
                Some(self.check(game, *goal, stated, &solution.verdicts, &effort, control));
        }
        let effort = Effort::new(self.limits, whole.left(), 1, 1);
        solution.duals = self.duals(game, *goal, &solution, &effort, control);
        (!control.is_stopped()).then_some(solution)
    }

    /// The verdicts on all moves of a position.
    fn verdicts(
        &mut self,
        game: &Game,
        goal: Goal,
        effort: &Effort,
        control: &Control,
    ) -> Vec<(Move, MoveVerdict)> {
        self.verdicts_on(&game.position().sorted_moves(), game, goal, effort, control)
    }

    /// The verdicts on some moves of a position.
    fn verdicts_on(
        &mut self,
        moves: &[Move],
        game: &Game,
        goal: Goal,
        effort: &Effort,
        control: &Control,
    ) -> Vec<(Move, MoveVerdict)> {
        let position = game.position();
        let claim = match goal {
            Goal::WinIn(wins) => return win_in(position, moves, 2 * wins - 1, effort.deadline),
            Goal::Gain(men) => return shot(position, men),
            Goal::Win => Claim::Wins,
            Goal::Draw => Claim::DoesNotLose,
        };
        let proof = effort.part(PROOF_SEARCHES);
        let mut prover =
            Prover::new(&mut self.engine, proof, effort.deadline, control, position.side(), claim);
        let score = effort.part(SCORES * (moves.len() as u32 + 1));
        if game.outcome().is_none() {
            // Fills the transposition table for the searches of all moves.
            prover.score(game, score);
        }
        let mut game = game.clone();
        let mut verdicts = Vec::new();
        let mut scored = Vec::new();
        for &mv in moves {
            match prover.prove_immediately(&mut game, mv) {
                Some(Ok(proof)) => verdicts.push((mv, MoveVerdict::Proven(proof))),
                Some(Err(_)) => verdicts.push((mv, MoveVerdict::Refuted)),
                None => {
                    game.play(mv);
                    scored.push((mv, prover.score(&game, score)));
                    game.undo();
                }
            }
        }
        // Try to prove the most promising moves first, in case time runs out.
        scored.sort_by_key(|(_, found)| std::cmp::Reverse(found.score));
        for (mv, found) in scored {
            let verdict = verdict(&mut prover, &mut game, mv, found, claim);
            verdicts.push((mv, verdict));
        }
        verdicts
    }

    /// Finds the moves in the solution's line, after the first one, that have alternatives. Stops
    /// at the first move with many alternatives, after which the solution is not unique anyway.
    fn duals(
        &mut self,
        game: &Game,
        goal: Goal,
        solution: &Solution,
        effort: &Effort,
        control: &Control,
    ) -> Vec<Dual> {
        let nodes = self.limits.nodes.map(|nodes| (nodes / DUAL_DIVISOR).max(1));
        let limits = Limits { nodes, ..self.limits };
        if solution.proof().is_none() {
            return Vec::new();
        }
        let mut game = game.clone();
        let mut duals = Vec::new();
        let line = solution.line(goal);
        for (ply, &mv) in line.iter().enumerate() {
            let is_decision = ply > 0 && ply.is_multiple_of(2);
            let goal = if is_decision { goal.after(ply) } else { None };
            if let Some(goal) = goal.filter(|_| game.position().legal_moves().len() > 1) {
                if effort.left() == Some(Duration::ZERO) {
                    break;
                }
                let decisions = (line.len() - ply).div_ceil(2) as u32;
                let effort = Effort::new(limits, effort.left(), 1, decisions);
                let verdicts = self.verdicts(&game, goal, &effort, control).into_iter();
                let others = verdicts
                    .filter(|(other, verdict)| *other != mv && verdict.rank() < MoveVerdict::OPEN);
                let moves: Vec<_> = others.map(|(other, _)| other).collect();
                let has_many_alternatives = moves.len() >= MAX_DUALS;
                if !moves.is_empty() {
                    duals.push(Dual { ply, moves });
                }
                if has_many_alternatives {
                    break;
                }
            }
            game.play(mv);
        }
        duals
    }

    /// Checks a stated solution. Only the solving side's moves are checked.
    fn check(
        &mut self,
        game: &Game,
        goal: Goal,
        stated: &[Move],
        verdicts: &[(Move, MoveVerdict)],
        effort: &Effort,
        control: &Control,
    ) -> SolutionCheck {
        let mut game = game.clone();
        let mut result = SolutionCheck::Holds;
        for (ply, &mv) in stated.iter().enumerate() {
            if ply.is_multiple_of(2) {
                let verdicts = match (ply, goal.after(ply)) {
                    (0, _) => verdicts.to_vec(),
                    // The rest of a shot need not be checked.
                    (_, None) => break,
                    (_, Some(goal)) => {
                        let decisions = (stated.len() - ply).div_ceil(2) as u32;
                        let effort = Effort::new(self.limits, effort.left(), 1, decisions);
                        self.verdicts_on(&[mv], &game, goal, &effort, control)
                    }
                };
                match verdicts.iter().find(|(of, _)| *of == mv).map(|(_, verdict)| verdict) {
                    Some(MoveVerdict::Proven(_)) => {}
                    Some(MoveVerdict::Likely(_)) => result = SolutionCheck::Likely,
                    Some(MoveVerdict::Open(_)) => return SolutionCheck::NotSeen(ply),
                    Some(MoveVerdict::Refuted) | None => return SolutionCheck::Fails(ply),
                }
            }
            game.play(mv);
        }
        result
    }
}

/// The verdict on a move whose score is known, for the goal of a win or a draw.
fn verdict(
    prover: &mut Prover<'_>,
    game: &mut Game,
    mv: Move,
    found: ScoreAtDepth,
    claim: Claim,
) -> MoveVerdict {
    let score = found.score;
    let is_worth_a_proof = match claim {
        Claim::Wins => is_won(score),
        Claim::DoesNotLose => score >= LIKELY_DRAW,
    };
    let is_likely = match claim {
        Claim::Wins => score >= LIKELY_WIN,
        Claim::DoesNotLose => score >= LIKELY_DRAW,
    };
    let proof = match is_worth_a_proof && !prover.is_late() {
        true => prover.prove(game, mv),
        false => Err(Unproven::Open),
    };
    match proof {
        Ok(proof) => MoveVerdict::Proven(proof),
        Err(Unproven::Refuted) => MoveVerdict::Refuted,
        Err(Unproven::Open) if is_won(-score) => MoveVerdict::Refuted,
        Err(Unproven::Open) if is_likely => MoveVerdict::Likely(found),
        Err(Unproven::Open) => MoveVerdict::Open(Some(found)),
    }
}

/// The verdicts on some moves, for the goal of a win within the given number of plies.
fn win_in(
    position: &Position,
    moves: &[Move],
    plies: u32,
    deadline: Option<Instant>,
) -> Vec<(Move, MoveVerdict)> {
    let mut search = WinInN::new(position.side(), deadline);
    let rated = moves.iter().map(|&mv| {
        let verdict = match search.defend(&position.after(mv), plies - 1) {
            Ok(Some(replies)) => MoveVerdict::Proven(Proof::of_move(mv, replies)),
            Ok(None) => MoveVerdict::Refuted,
            Err(TooManyPositions) => MoveVerdict::Open(None),
        };
        (mv, verdict)
    });
    rated.collect()
}

/// The verdicts on all moves, for the goal of a gain of material. A shot is unique, so no other
/// move reaches the goal.
fn shot(position: &Position, men: i32) -> Vec<(Move, MoveVerdict)> {
    let shot = shots::find(position).filter(|shot| shot.gain >= men);
    let rated = position.sorted_moves().into_iter().map(|mv| {
        let verdict = match &shot {
            Some(shot) if shot.line.first() == Some(&mv) => {
                MoveVerdict::Proven(Proof::of_line(&shot.line, ProofEnd::Gain))
            }
            Some(_) => MoveVerdict::Refuted,
            None => MoveVerdict::Open(None),
        };
        (mv, verdict)
    });
    rated.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitbase::{Content, Slice, Value};
    use crate::engine::{EngineOptions, Resources};
    use crate::erased::Bitbases;
    use crate::rules::Variant;

    /// Checks proofs found with two-piece bitbases against the four-piece bitbases.
    #[test]
    fn proofs_agree_with_bitbases() {
        let known = Bitbases::embedded(Variant::International);
        let mut few = Bitbases::embedded(Variant::International);
        few.limit(2);
        let evaluation = crate::weights::embedded(Variant::International);
        let resources = Resources { bitbases: few, evaluation, book: None };
        let options = EngineOptions { tt_size: 14, ..EngineOptions::default() };
        let engine = Engine::with_resources(Variant::International, resources, options);
        let mut solver = Solver::new(engine, Limits { nodes: Some(300), ..Limits::default() });
        let files =
            Slice::all(4).into_iter().filter_map(|slice| known.file(slice, Content::Values));
        let mut proven = 0;
        for (place, file) in files.enumerate() {
            let position =
                known.position(file, (place as u64 + 1).wrapping_mul(7_919) % file.positions());
            for goal in [Goal::Win, Goal::Draw] {
                let problem = Problem::new(Game::from_position(position), goal);
                let solution = solver.solve(&problem, &Control::new()).unwrap();
                for (mv, verdict) in &solution.verdicts {
                    let next = position.after(*mv);
                    let value = match known.probe(&next) {
                        Some(verdict) if next.has_move() => -verdict.value,
                        _ => Value::Win,
                    };
                    let is_reached =
                        value == Value::Win || goal == Goal::Draw && value == Value::Draw;
                    match verdict {
                        MoveVerdict::Proven(_) => {
                            proven += 1;
                            assert!(is_reached, "{position:?} {mv:?} {goal}");
                        }
                        MoveVerdict::Refuted => {
                            proven += 1;
                            assert!(!is_reached, "{position:?} {mv:?} {goal}");
                        }
                        MoveVerdict::Likely(_) | MoveVerdict::Open(_) => {}
                    }
                }
            }
        }
        assert!(proven > 100, "{proven}");
    }
}

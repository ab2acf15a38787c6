//! The solver of problems.

use crate::board::Move;
use crate::engine::Engine;
use crate::erased::{Game, Position};
use crate::report::shots;
use crate::score::Score;
use crate::search::{Control, Limits, Mode};

use super::goal::Goal;
use super::problem::Problem;
use super::proof::{End, Proof};
use super::prover::{Claim, Gap, Prover, Seen, is_won};
use super::solution::{Dual, Solution, Standing, Stated};
use super::within::{TooMany, Within};

/// The score from which a move seems to win where no proof is found, and down to which it seems to
/// hold the draw, negated.
const CLEAR: Score = Score(300);
const HELD: Score = Score(50);
/// The part of the nodes that is spent on each alternative within the solution.
const DUAL_SHARE: u64 = 10;
/// The number of alternatives from which on later moves are not looked at.
const MANY: usize = 4;

/// Solves problems of one game.
pub struct Solver {
    engine: Engine,
    limits: Limits,
}

impl Solver {
    /// A solver by an engine, without a book, that searches each move within the limits; later
    /// alternatives get a tenth of the nodes.
    pub fn new(engine: Engine, limits: Limits) -> Solver {
        Solver { engine, limits: Limits { mode: Mode::Analyze, ..limits } }
    }

    /// The most pieces that its bitbases know.
    pub fn bitbase_pieces(&self) -> usize {
        self.engine.bitbases().pieces()
    }

    /// Solves a problem of the engine's game; `None` if `control` has stopped it.
    pub fn solve(&mut self, problem: &Problem, control: &Control) -> Option<Solution> {
        self.engine.new_game();
        let Problem { game, goal, stated } = problem;
        let limits = self.limits;
        let mut tries = self.rate(game, *goal, limits, control);
        tries.sort_by_key(|(_, standing)| standing.order());
        let mut solution = Solution { tries, duals: Vec::new(), stated: None };
        solution.duals = self.duals(game, *goal, &solution, control);
        if !stated.is_empty() {
            solution.stated = Some(self.check(game, *goal, stated, &solution.tries, control));
        }
        (!control.is_stopped()).then_some(solution)
    }

    /// How every move of a position stands.
    fn rate(
        &mut self,
        game: &Game,
        goal: Goal,
        limits: Limits,
        control: &Control,
    ) -> Vec<(Move, Standing)> {
        let position = game.position();
        let claim = match goal {
            Goal::WinIn(moves) => return within(position, 2 * moves - 1),
            Goal::Gain(men) => return shot(position, men),
            Goal::Win => Claim::Wins,
            Goal::Draw => Claim::DoesNotLose,
        };
        let mut prover = Prover::new(&mut self.engine, limits, control, position.side(), claim);
        if game.outcome().is_none() {
            // What it learns helps with all moves.
            prover.look(game);
        }
        let moves = position.sorted_moves().into_iter();
        moves.map(|mv| (mv, standing(&mut prover, game, mv, claim))).collect()
    }

    /// The moves of the solution's line after the first that have alternatives, up to the first with
    /// many: from there on there is no solution to be found.
    fn duals(
        &mut self,
        game: &Game,
        goal: Goal,
        solution: &Solution,
        control: &Control,
    ) -> Vec<Dual> {
        let nodes = self.limits.nodes.map(|nodes| (nodes / DUAL_SHARE).max(1));
        let limits = Limits { nodes, ..self.limits };
        let Some(proof) = solution.proof() else { return Vec::new() };
        let mut game = game.clone();
        let mut duals = Vec::new();
        for (ply, mv) in proof.line().into_iter().enumerate() {
            let is_decision = ply > 0 && ply.is_multiple_of(2);
            let goal = if is_decision { goal.after(ply) } else { None };
            if let Some(goal) = goal.filter(|_| game.position().legal_moves().len() > 1) {
                let tries = self.rate(&game, goal, limits, control).into_iter();
                let others = tries
                    .filter(|(other, standing)| *other != mv && standing.rank() < Standing::OPEN);
                let moves: Vec<_> = others.map(|(other, _)| other).collect();
                let is_free = moves.len() >= MANY;
                if !moves.is_empty() {
                    duals.push(Dual { ply, moves });
                }
                if is_free {
                    break;
                }
            }
            game.play(mv);
        }
        duals
    }

    /// Whether a stated solution holds, move by move of the side that has the goal.
    fn check(
        &mut self,
        game: &Game,
        goal: Goal,
        stated: &[Move],
        tries: &[(Move, Standing)],
        control: &Control,
    ) -> Stated {
        let mut game = game.clone();
        let mut result = Stated::Holds;
        for (ply, &mv) in stated.iter().enumerate() {
            if ply.is_multiple_of(2) {
                let tries = match (ply, goal.after(ply)) {
                    (0, _) => tries.to_vec(),
                    // What has been won stays won: the rest of a shot is not looked at.
                    (_, None) => break,
                    (_, Some(goal)) => self.rate(&game, goal, self.limits, control),
                };
                match tries.iter().find(|(tried, _)| *tried == mv).map(|(_, standing)| standing) {
                    Some(Standing::Proven(_)) => {}
                    Some(Standing::Likely(_)) => result = Stated::Likely,
                    Some(Standing::Open(_)) => return Stated::NotSeen(ply),
                    Some(Standing::Refuted) | None => return Stated::Fails(ply),
                }
            }
            game.play(mv);
        }
        result
    }
}

/// How a move stands that is to win or to hold the draw.
fn standing(prover: &mut Prover<'_>, game: &Game, mv: Move, claim: Claim) -> Standing {
    let mut game = game.clone();
    match prover.prove_at_once(&mut game, mv) {
        Some(Ok(proof)) => return Standing::Proven(proof),
        Some(Err(_)) => return Standing::Refuted,
        None => {}
    }
    game.play(mv);
    let seen = prover.look(&game);
    game.undo();
    let Seen { score, .. } = seen;
    let is_worth_a_proof = match claim {
        Claim::Wins => is_won(score),
        Claim::DoesNotLose => score >= -HELD,
    };
    let is_clear = match claim {
        Claim::Wins => score >= CLEAR,
        Claim::DoesNotLose => score >= -HELD,
    };
    let gap = if is_worth_a_proof { prover.prove(&mut game, mv) } else { Err(Gap::Open) };
    match gap {
        Ok(proof) => Standing::Proven(proof),
        Err(Gap::Refuted) => Standing::Refuted,
        Err(Gap::Open) if is_won(-score) => Standing::Refuted,
        Err(Gap::Open) if is_clear => Standing::Likely(seen),
        Err(Gap::Open) => Standing::Open(Some(seen)),
    }
}

/// How every move stands that is to win within some plies.
fn within(position: &Position, plies: u32) -> Vec<(Move, Standing)> {
    let mut search = Within::new(position.side());
    let rated = position.sorted_moves().into_iter().map(|mv| {
        let standing = match search.defend(&position.after(mv), plies - 1) {
            Ok(Some(replies)) => Standing::Proven(Proof::of_move(mv, replies)),
            Ok(None) => Standing::Refuted,
            Err(TooMany) => Standing::Open(None),
        };
        (mv, standing)
    });
    rated.collect()
}

/// How every move stands that is to win material: a shot is one only if no other move is.
fn shot(position: &Position, men: i32) -> Vec<(Move, Standing)> {
    let shot = shots::find(position).filter(|shot| shot.gain >= men);
    let rated = position.sorted_moves().into_iter().map(|mv| {
        let standing = match &shot {
            Some(shot) if shot.line.first() == Some(&mv) => {
                Standing::Proven(Proof::of_line(&shot.line, End::Gain))
            }
            Some(_) => Standing::Refuted,
            None => Standing::Open(None),
        };
        (mv, standing)
    });
    rated.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitbase::{Content, Slice, Value};
    use crate::engine::{EngineOptions, Resources};
    use crate::erased::Bitbases;
    use crate::report::problems::Problem;
    use crate::rules::Variant;

    /// What is proven by an engine that knows endings of two pieces is what bitbases say.
    #[test]
    fn nothing_false_is_proven() {
        let known = Bitbases::embedded(Variant::International);
        let mut few = Bitbases::embedded(Variant::International);
        few.limit(2);
        let evaluation = crate::weights::embedded(Variant::International);
        let resources = Resources { bitbases: few, evaluation, book: None };
        let options = EngineOptions { tt_size: 14, ..EngineOptions::default() };
        let engine = Engine::with(Variant::International, resources, options);
        let mut solver = Solver::new(engine, Limits { nodes: Some(300), ..Limits::default() });
        let files =
            Slice::all(4).into_iter().filter_map(|slice| known.file(slice, Content::Values));
        let mut proven = 0;
        for (place, file) in files.enumerate() {
            let position = file.position((place as u64 + 1).wrapping_mul(7_919) % file.positions());
            for goal in [Goal::Win, Goal::Draw] {
                let problem =
                    Problem { game: Game::from_position(position), goal, stated: Vec::new() };
                let solution = solver.solve(&problem, &Control::new()).unwrap();
                for (mv, standing) in &solution.tries {
                    let next = position.after(*mv);
                    let value = match known.verdict(&next) {
                        Some(verdict) if next.has_move() => -verdict.value,
                        _ => Value::Win,
                    };
                    let is_reached =
                        value == Value::Win || goal == Goal::Draw && value == Value::Draw;
                    match standing {
                        Standing::Proven(_) => {
                            proven += 1;
                            assert!(is_reached, "{position:?} {mv:?} {goal}");
                        }
                        Standing::Refuted => {
                            proven += 1;
                            assert!(!is_reached, "{position:?} {mv:?} {goal}");
                        }
                        Standing::Likely(_) | Standing::Open(_) => {}
                    }
                }
            }
        }
        assert!(proven > 100, "{proven}");
    }
}

//! Proofs that a side reaches a goal, as trees. They are found by search: the engine chooses that
//! side's moves, and every reply by the opponent is tried.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use crate::board::{Move, Side};
use crate::engine::{Engine, bitbase_result};
use crate::erased::{Game, Position};
use crate::instant::Instant;
use crate::notation::pdn::{AnnotatedMove, MoveLine};
use crate::score::Score;
use crate::search::{Control, Info, Limits};

/// A proof that the side to move reaches a goal. Equal positions share their proofs.
#[derive(PartialEq, Eq, Debug)]
pub struct Proof {
    /// The maximum number of plies to the end of the proof, or to the end of the game if known.
    pub plies: u32,
    /// The end of the longest line.
    pub end: ProofEnd,
    /// The next move.
    pub step: ProofStep,
}

/// The next step towards a goal.
#[derive(PartialEq, Eq, Debug)]
pub enum ProofStep {
    /// The goal is reached.
    ProofEnd,
    /// A move and the proofs after each reply, longest first. If there are no replies, the game is
    /// over.
    Move(Move, Vec<(Move, Arc<Proof>)>),
}

/// Why a proof ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofEnd {
    /// The game is over.
    Over,
    /// The position is in bitbases.
    Bitbases,
    /// A position in this line recurs: the opponent can only repeat moves.
    Repetition,
    /// Material has been won, and neither side can capture.
    Gain,
}

impl Proof {
    /// A proof that ends without a further move.
    pub fn done(end: ProofEnd, plies: u32) -> Arc<Proof> {
        Arc::new(Proof { plies, end, step: ProofStep::ProofEnd })
    }

    /// A move and the proofs after each reply.
    pub fn of_move(mv: Move, mut replies: Vec<(Move, Arc<Proof>)>) -> Arc<Proof> {
        replies.sort_by_key(|(_, proof)| std::cmp::Reverse(proof.plies));
        let longest = replies.first().map(|(_, proof)| (proof.plies + 2, proof.end));
        let (plies, end) = longest.unwrap_or((1, ProofEnd::Over));
        Arc::new(Proof { plies, end, step: ProofStep::Move(mv, replies) })
    }

    /// A proof that consists of a single line, without other replies.
    pub fn of_line(line: &[Move], end: ProofEnd) -> Arc<Proof> {
        match line {
            [] => Proof::done(end, 0),
            [mv] => Arc::new(Proof { plies: 1, end, step: ProofStep::Move(*mv, Vec::new()) }),
            [mv, reply, rest @ ..] => {
                Proof::of_move(*mv, vec![(*reply, Proof::of_line(rest, end))])
            }
        }
    }

    /// The longest line.
    pub fn line(&self) -> Vec<Move> {
        let (mut line, mut proof) = (Vec::new(), self);
        while let ProofStep::Move(mv, replies) = &proof.step {
            line.push(*mv);
            let Some((reply, next)) = replies.first() else { break };
            line.push(*reply);
            proof = next;
        }
        line
    }

    /// The proof as moves with side lines, limited to the given number of plies.
    pub fn tree(&self, plies: usize) -> MoveLine {
        let mut line = MoveLine::default();
        self.write(&mut line, plies);
        line
    }

    fn write(&self, line: &mut MoveLine, plies: usize) {
        let ProofStep::Move(mv, replies) = &self.step else { return };
        if plies == 0 {
            return;
        }
        line.moves.push(AnnotatedMove::new(*mv));
        let Some(((reply, next), others)) = replies.split_first() else { return };
        if plies == 1 {
            return;
        }
        let mut main = AnnotatedMove::new(*reply);
        main.variations = others
            .iter()
            .map(|(reply, next)| {
                let mut side_line = MoveLine::default();
                side_line.moves.push(AnnotatedMove::new(*reply));
                next.write(&mut side_line, plies - 2);
                side_line
            })
            .collect();
        line.moves.push(main);
        next.write(line, plies - 2);
    }
}

/// Maximum number of positions searched for one proof.
const MAX_POSITIONS: usize = 20_000;
/// Maximum nodes and time of one proof, as a multiple of the limits of one search.
const MAX_SEARCHES: u32 = 40;

/// A claim about a side, to be proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The side wins.
    Wins,
    /// The side does not lose.
    DoesNotLose,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoreAtDepth {
    /// The score from the solving side's point of view.
    pub score: Score,
    /// The depth in plies.
    pub depth: u32,
    /// The best line.
    pub line: Vec<Move>,
}

/// The reason there is no proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unproven {
    /// The opposite is proven.
    Refuted,
    /// The searches find no proof, or would take too long.
    Open,
}

/// Proves claims with the searches of an engine.
pub struct Prover<'a> {
    engine: &'a mut Engine,
    /// The limits of each search.
    limits: Limits,
    /// When to give up.
    deadline: Option<Instant>,
    control: &'a Control,
    side: Side,
    claim: Claim,
    /// The proven positions.
    known: HashMap<Position, Arc<Proof>>,
    /// The positions of the current line in which `side` is to move.
    path: HashSet<Position>,
    /// The remaining budget.
    left: Budget,
}

/// The remaining budget for a proof.
#[derive(Clone, Copy)]
struct Budget {
    positions: usize,
    nodes: u64,
    time: Duration,
}

impl Budget {
    /// The budget for a proof whose searches have the given limits.
    fn of(limits: &Limits) -> Budget {
        Budget {
            positions: MAX_POSITIONS,
            nodes: limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_mul(MAX_SEARCHES.into())),
            time: limits.move_time.map_or(Duration::MAX, |time| time.saturating_mul(MAX_SEARCHES)),
        }
    }

    /// The remaining budget after a search; `None` if it is exceeded.
    fn after(self, info: &Info) -> Option<Budget> {
        Some(Budget {
            positions: self.positions.checked_sub(1)?,
            nodes: self.nodes.checked_sub(info.nodes)?,
            time: self.time.checked_sub(info.time)?,
        })
    }
}

impl<'a> Prover<'a> {
    /// A prover of a claim about `side`. The engine must be for the same variant as the games.
    pub fn new(
        engine: &'a mut Engine,
        limits: Limits,
        deadline: Option<Instant>,
        control: &'a Control,
        side: Side,
        claim: Claim,
    ) -> Prover<'a> {
        let (known, path, left) = (HashMap::new(), HashSet::new(), Budget::of(&limits));
        Prover { engine, limits, deadline, control, side, claim, known, path, left }
    }

    /// Searches the last position of an unfinished game within the given limits.
    pub fn score(&mut self, game: &Game, limits: Limits) -> ScoreAtDepth {
        let Info { score, depth, pv, .. } = self.search(game, limits, &mut |_| false);
        let is_own = game.position().side() == self.side;
        ScoreAtDepth { score: if is_own { score } else { -score }, depth, line: pv }
    }

    /// Whether the time is up.
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The proof or refutation of a move that ends the game or leads to a position in bitbases;
    /// `None` for any other move.
    pub fn prove_immediately(
        &mut self,
        game: &mut Game,
        mv: Move,
    ) -> Option<Result<Arc<Proof>, Unproven>> {
        game.play(mv);
        let is_known =
            game.outcome().is_some() || bitbase_result(game, self.engine.bitbases()).is_some();
        game.undo();
        is_known.then(|| self.prove(game, mv))
    }

    /// Proves that a move by the side to move fulfils the claim.
    ///
    /// # Errors
    ///
    /// No proof is found.
    pub fn prove(&mut self, game: &mut Game, mv: Move) -> Result<Arc<Proof>, Unproven> {
        self.left = Budget::of(&self.limits);
        self.path.insert(*game.position());
        game.play(mv);
        let replies = self.defend(game, Score::DRAW);
        game.undo();
        self.path.clear();
        if replies.is_err() {
            // Known proofs may rely on repeating a position whose proof has failed.
            self.known.clear();
        }
        replies.map(|replies| Proof::of_move(mv, replies))
    }

    /// Proves the claim after every reply by the opponent, who is to move. A search stops once its
    /// score is a win and at least `enough`.
    fn defend(
        &mut self,
        game: &mut Game,
        enough: Score,
    ) -> Result<Vec<(Move, Arc<Proof>)>, Unproven> {
        if let Some(outcome) = game.outcome() {
            return self.check_result(outcome.winner).map(|()| Vec::new());
        }
        // If bitbases refute the claim, the replies need not be searched.
        if let Some((winner, _)) = bitbase_result(game, self.engine.bitbases()) {
            self.check_result(winner)?;
        }
        let mut replies = Vec::new();
        for reply in game.position().sorted_moves() {
            game.play(reply);
            let proof = self.attack(game, enough);
            game.undo();
            replies.push((reply, proof?));
        }
        Ok(replies)
    }

    /// Proves the claim for a position with `side` to move.
    fn attack(&mut self, game: &mut Game, enough: Score) -> Result<Arc<Proof>, Unproven> {
        if let Some(outcome) = game.outcome() {
            return self.check_result(outcome.winner).map(|()| Proof::done(ProofEnd::Over, 0));
        }
        if let Some((winner, plies)) = bitbase_result(game, self.engine.bitbases()) {
            let plies = plies.map_or(0, u32::from);
            return self.check_result(winner).map(|()| Proof::done(ProofEnd::Bitbases, plies));
        }
        let position = *game.position();
        if let Some(proof) = self.known.get(&position) {
            return Ok(proof.clone());
        }
        if self.path.contains(&position) {
            return match self.claim {
                Claim::Wins => Err(Unproven::Open),
                Claim::DoesNotLose => Ok(Proof::done(ProofEnd::Repetition, 0)),
            };
        }
        self.path.insert(position);
        let proof = self.prove_best_move(game, enough);
        self.path.remove(&position);
        let proof = proof?;
        self.known.insert(position, proof.clone());
        Ok(proof)
    }

    /// Proves the claim with the engine's best move.
    fn prove_best_move(&mut self, game: &mut Game, enough: Score) -> Result<Arc<Proof>, Unproven> {
        if self.is_late() {
            return Err(Unproven::Open);
        }
        let is_enough = |score: Score| is_won(score) && score >= enough;
        let info = self.search(game, self.limits, &mut |score| is_enough(score));
        self.left = self.left.after(&info).ok_or(Unproven::Open)?;
        // Each move must bring the win closer; otherwise the line could go in circles.
        let enough = if is_won(info.score) { Score(info.score.0 + 2) } else { Score::DRAW };
        let (is_won, is_lost) = (is_won(info.score), is_won(-info.score));
        let is_seen = match self.claim {
            Claim::Wins => is_won,
            Claim::DoesNotLose => !is_lost,
        };
        let mv = info.pv.first().copied().filter(|_| is_seen && !self.control.is_stopped());
        let mv = mv.ok_or(Unproven::Open)?;
        game.play(mv);
        let replies = self.defend(game, enough);
        game.undo();
        // Another move may still fulfil the claim.
        Ok(Proof::of_move(mv, replies.map_err(|_| Unproven::Open)?))
    }

    fn check_result(&self, winner: Option<Side>) -> Result<(), Unproven> {
        let is_reached = match self.claim {
            Claim::Wins => winner == Some(self.side),
            Claim::DoesNotLose => winner != Some(self.side.opponent()),
        };
        is_reached.then_some(()).ok_or(Unproven::Refuted)
    }

    /// Searches to the limits, or until a score satisfies `is_enough`.
    fn search(
        &mut self,
        game: &Game,
        limits: Limits,
        is_enough: &mut dyn FnMut(Score) -> bool,
    ) -> Info {
        let control = Control::new();
        self.engine.set_game(game.clone());
        let mut found = None;
        let best = self.engine.go(limits, &control, &mut |info| {
            if is_enough(info.score) {
                found = Some(info.clone());
            }
            if found.is_some() || self.control.is_stopped() {
                control.stop();
            }
        });
        found.unwrap_or(best.info)
    }
}

/// Whether a score is a proven win.
pub fn is_won(score: Score) -> bool {
    score.is_decisive() && score > Score::DRAW
}

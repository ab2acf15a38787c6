//! Proofs by search: the engine chooses the moves of a side, and every reply is tried.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use crate::board::{Move, Side};
use crate::engine::{Engine, bitbase_result};
use crate::erased::{Game, Position};
use crate::score::Score;
use crate::search::{Control, Info, Limits};

use super::proof::{End, Proof};

/// The most positions in which the engine is asked for a move, for one proof.
const MAX_POSITIONS: usize = 20_000;
/// The most nodes and the most time of one proof, in those of one search.
const MAX_SEARCHES: u32 = 40;

/// What is to be proven of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// That it wins.
    Wins,
    /// That it does not lose.
    DoesNotLose,
}

/// What a search says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The score for the side that has the goal.
    pub score: Score,
    /// The depth in plies.
    pub depth: u32,
}

/// Why there is no proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gap {
    /// The opposite is proven.
    Refuted,
    /// The searches do not see it, or there is too much to see.
    Open,
}

/// Proves claims with the help of an engine.
pub struct Prover<'a> {
    engine: &'a mut Engine,
    /// The limits of each search.
    limits: Limits,
    control: &'a Control,
    side: Side,
    claim: Claim,
    /// What is proven.
    known: HashMap<Position, Arc<Proof>>,
    /// The positions of the current line in which the side moves.
    path: HashSet<Position>,
    /// What may still be spent on the proof.
    left: Budget,
}

/// What a proof may cost.
#[derive(Clone, Copy)]
struct Budget {
    positions: usize,
    nodes: u64,
    time: Duration,
}

impl Budget {
    /// That of one proof by searches within limits.
    fn of(limits: &Limits) -> Budget {
        Budget {
            positions: MAX_POSITIONS,
            nodes: limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_mul(MAX_SEARCHES.into())),
            time: limits.move_time.map_or(Duration::MAX, |time| time.saturating_mul(MAX_SEARCHES)),
        }
    }

    /// What is left after a search; `None` if that is too little for another one.
    fn after(self, info: &Info) -> Option<Budget> {
        Some(Budget {
            positions: self.positions.checked_sub(1)?,
            nodes: self.nodes.checked_sub(info.nodes)?,
            time: self.time.checked_sub(info.time)?,
        })
    }
}

impl<'a> Prover<'a> {
    /// A prover of a claim. The engine must play the game that is looked at.
    pub fn new(
        engine: &'a mut Engine,
        limits: Limits,
        control: &'a Control,
        side: Side,
        claim: Claim,
    ) -> Prover<'a> {
        let (known, path, left) = (HashMap::new(), HashSet::new(), Budget::of(&limits));
        Prover { engine, limits, control, side, claim, known, path, left }
    }

    /// Searches the last position of a game, which goes on, to the full limits.
    pub fn look(&mut self, game: &Game) -> Seen {
        let Info { score, depth, .. } = self.search(game, self.limits, &mut |_| false);
        let is_own = game.position().side() == self.side;
        Seen { score: if is_own { score } else { -score }, depth }
    }

    /// The proof or refutation of a move that ends the game or leads to a position that bitbases
    /// know; `None` if it does neither.
    pub fn prove_at_once(&mut self, game: &mut Game, mv: Move) -> Option<Result<Arc<Proof>, Gap>> {
        game.play(mv);
        let is_known =
            game.outcome().is_some() || bitbase_result(game, self.engine.bitbases()).is_some();
        game.undo();
        is_known.then(|| self.prove(game, mv))
    }

    /// The proof that a move of the side, which is to move, does what is claimed.
    ///
    /// # Errors
    ///
    /// There is no proof.
    pub fn prove(&mut self, game: &mut Game, mv: Move) -> Result<Arc<Proof>, Gap> {
        self.left = Budget::of(&self.limits);
        self.path.insert(*game.position());
        game.play(mv);
        let replies = self.defend(game, Score::DRAW);
        game.undo();
        self.path.clear();
        if replies.is_err() {
            // Some of it may rest on a repetition of a position for which the proof has failed.
            self.known.clear();
        }
        replies.map(|replies| Proof::of_move(mv, replies))
    }

    /// The proofs after every reply of the opponent, which is to move. A search that sees a score
    /// of at least `enough` may end.
    fn defend(&mut self, game: &mut Game, enough: Score) -> Result<Vec<(Move, Arc<Proof>)>, Gap> {
        if let Some(outcome) = game.outcome() {
            return self.judge(outcome.winner).map(|()| Vec::new());
        }
        // One reply that bitbases know is enough to see that there is nothing to prove.
        if let Some((winner, _)) = bitbase_result(game, self.engine.bitbases()) {
            self.judge(winner)?;
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

    /// The proof for a position with the side to move.
    fn attack(&mut self, game: &mut Game, enough: Score) -> Result<Arc<Proof>, Gap> {
        if let Some(outcome) = game.outcome() {
            return self.judge(outcome.winner).map(|()| Proof::done(End::Over, 0));
        }
        if let Some((winner, plies)) = bitbase_result(game, self.engine.bitbases()) {
            let plies = plies.map_or(0, u32::from);
            return self.judge(winner).map(|()| Proof::done(End::Bitbases, plies));
        }
        let position = *game.position();
        if let Some(proof) = self.known.get(&position) {
            return Ok(proof.clone());
        }
        if self.path.contains(&position) {
            return match self.claim {
                Claim::Wins => Err(Gap::Open),
                Claim::DoesNotLose => Ok(Proof::done(End::Repetition, 0)),
            };
        }
        self.path.insert(position);
        let proof = self.best(game, enough);
        self.path.remove(&position);
        let proof = proof?;
        self.known.insert(position, proof.clone());
        Ok(proof)
    }

    /// The proof by the move that the engine finds best.
    fn best(&mut self, game: &mut Game, enough: Score) -> Result<Arc<Proof>, Gap> {
        let is_enough = |score: Score| is_won(score) && score >= enough;
        let info = self.search(game, self.limits, &mut |score| is_enough(score));
        self.left = self.left.after(&info).ok_or(Gap::Open)?;
        // Each move must come nearer to the end, or the line would go in circles.
        let enough = if is_won(info.score) { Score(info.score.0 + 2) } else { Score::DRAW };
        let (is_won, is_lost) = (is_won(info.score), is_won(-info.score));
        let is_seen = match self.claim {
            Claim::Wins => is_won,
            Claim::DoesNotLose => !is_lost,
        };
        let mv = info.pv.first().copied().filter(|_| is_seen && !self.control.is_stopped());
        let mv = mv.ok_or(Gap::Open)?;
        game.play(mv);
        let replies = self.defend(game, enough);
        game.undo();
        // Another move may still do it.
        Ok(Proof::of_move(mv, replies.map_err(|_| Gap::Open)?))
    }

    fn judge(&self, winner: Option<Side>) -> Result<(), Gap> {
        let is_reached = match self.claim {
            Claim::Wins => winner == Some(self.side),
            Claim::DoesNotLose => winner != Some(self.side.opponent()),
        };
        is_reached.then_some(()).ok_or(Gap::Refuted)
    }

    /// Searches until the limits, or until a score is enough.
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
pub(super) fn is_won(score: Score) -> bool {
    score.is_decisive() && score > Score::DRAW
}

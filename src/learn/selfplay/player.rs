//! Plays self-play games.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;

use crate::board::{Move, Side};
use crate::engine::{Engine, EngineOptions, Resources, bitbase_result, game_rng, playout};
use crate::erased::Game;
use crate::learn::data::Sample;
use crate::rules::Variant;
use crate::score::Score;
use crate::search::{Control, Limits, Mode};

use super::SelfPlaySettings;

/// Maximum number of openings tried; if none is balanced, the most balanced one is used.
const MAX_OPENING_TRIES: usize = 100;
/// On average, a random move is considered once in this many moves.
const RANDOM_MOVE_INTERVAL: u32 = 32;
/// Maximum loss of a random move compared with the best move, in hundredths of a man.
const MAX_RANDOM_MOVE_LOSS: i16 = 50;
/// On average, one in this many positions starts a digression.
const DIGRESSION_INTERVAL: u32 = 2;
/// The inverse of the probability that a digression continues after a sample.
const DIGRESSION_LENGTHENING: u32 = 2;
/// Minimum score of a winning side, in hundredths of a man.
const WIN_SCORE: i16 = 600;
/// The number of consecutive plies with a winning score after which a game is adjudicated as won.
const WIN_PLIES: u32 = 6;
/// A game is drawn after this many plies.
const MAX_PLIES: usize = 240;
/// Base-2 logarithm of the number of entries in the transposition table: small enough for the CPU
/// cache, large enough for short searches.
const TT_SIZE: u32 = 16;

/// Plays games of the engine against itself.
pub(super) struct SelfPlayer<'a> {
    settings: &'a SelfPlaySettings,
    start: Game,
    engine: Engine,
}

/// The result of a search.
#[derive(Clone, Copy)]
struct ScoredMove {
    mv: Move,
    score: Score,
}

impl<'a> SelfPlayer<'a> {
    pub(super) fn new(
        variant: Variant,
        settings: &'a SelfPlaySettings,
        resources: Resources,
    ) -> Self {
        let options = EngineOptions { tt_size: TT_SIZE, ..EngineOptions::default() };
        let engine = Engine::with_resources(variant, resources, options);
        SelfPlayer { settings, start: Game::new(variant), engine }
    }

    /// Plays the game with the given number. Returns the samples of the game and its digressions.
    /// Positions with a capture or with only one legal move are not sampled.
    pub(super) fn play(&mut self, number: u64) -> Vec<Sample> {
        let mut random = game_rng(self.settings.seed, number);
        let mut game = self.opening(&mut random);
        self.engine.new_game();
        let (mut samples, mut detector) = (Vec::new(), WinDetector::default());
        let winner = loop {
            if let Some(winner) = self.result(&game) {
                break winner;
            }
            let moves = game.position().legal_moves();
            if let [mv] = moves[..] {
                game.play(mv);
                continue;
            }
            let Some(found) = self.search(&game) else { break None };
            if !game.position().has_capture() {
                samples.push(sample(&game, found.score));
            }
            if random.random_ratio(1, DIGRESSION_INTERVAL) {
                self.digress(game.clone(), &mut random, &mut samples);
            }
            let side = game.position().side();
            if let Some(winner) = detector.add(side, found.score) {
                break Some(winner);
            }
            let mv = self.random_move(&game, found, &moves, &mut random).unwrap_or(found.mv);
            game.play(mv);
        };
        for sample in &mut samples {
            sample.winner = winner;
        }
        samples
    }

    /// Plays random moves that lead to a balanced position.
    fn opening(&mut self, random: &mut Xoshiro256PlusPlus) -> Game {
        let mut best = (Score::INFINITY.0, self.start.clone());
        for _ in 0..MAX_OPENING_TRIES {
            let plies = random.random_range(self.settings.random_plies.clone());
            let Some(game) = playout(&self.start, plies, random) else { continue };
            self.engine.new_game();
            let Some(found) = self.search(&game) else { continue };
            let lead = found.score.0.abs();
            if lead < best.0 {
                best = (lead, game);
            }
            if best.0 <= self.settings.max_opening_score {
                break;
            }
        }
        best.1
    }

    /// The winner, or `Some(None)` for a draw, if the game is over, is decided by bitbases or has
    /// reached its maximum length. `None` if the game continues.
    fn result(&self, game: &Game) -> Option<Option<Side>> {
        if let Some(outcome) = game.outcome() {
            return Some(outcome.winner);
        }
        if let Some((winner, _)) = bitbase_result(game, self.engine.bitbases()) {
            return Some(winner);
        }
        (game.plies() >= MAX_PLIES).then_some(None)
    }

    /// Searches the last position of a game; `None` if it has no legal move.
    fn search(&mut self, game: &Game) -> Option<ScoredMove> {
        let limits = Limits {
            soft_nodes: Some(self.settings.nodes),
            mode: Mode::Analyze,
            ..Limits::default()
        };
        self.engine.set_game(game.clone());
        let best = self.engine.go(limits, &Control::new(), &mut |_| {});
        Some(ScoredMove { mv: best.mv?, score: best.info.score })
    }

    /// Leaves the game with a random move and samples the positions that follow. Searches visit
    /// many positions that good play never reaches, so the training data must include some.
    fn digress(
        &mut self,
        mut game: Game,
        random: &mut Xoshiro256PlusPlus,
        samples: &mut Vec<Sample>,
    ) {
        while self.result(&game).is_none() {
            let Some(&mv) = game.position().legal_moves().choose(random) else { return };
            game.play(mv);
            let Some(found) = self.next_sample(&mut game) else { return };
            samples.push(Sample { is_digression: true, ..sample(&game, found.score) });
            if !random.random_ratio(1, DIGRESSION_LENGTHENING) {
                return;
            }
            game.play(found.mv);
        }
    }

    /// Plays the best moves up to the next position to sample, and returns its search result;
    /// `None` if the game ends first.
    fn next_sample(&mut self, game: &mut Game) -> Option<ScoredMove> {
        while self.result(game).is_none() {
            if let [mv] = game.position().legal_moves()[..] {
                game.play(mv);
                continue;
            }
            let found = self.search(game)?;
            if !game.position().has_capture() {
                return Some(found);
            }
            game.play(found.mv);
        }
        None
    }

    /// Occasionally returns a random move that is not much worse than the best move, for variety.
    fn random_move(
        &mut self,
        game: &Game,
        best: ScoredMove,
        moves: &[Move],
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<Move> {
        if !random.random_ratio(1, RANDOM_MOVE_INTERVAL) {
            return None;
        }
        let mv = *moves.choose(random)?;
        let mut other = game.clone();
        other.play(mv);
        let score = match self.result(&other) {
            Some(_) => return None,
            None => -self.search(&other)?.score,
        };
        (best.score.0 - score.0 <= MAX_RANDOM_MOVE_LOSS).then_some(mv)
    }
}

fn sample(game: &Game, score: Score) -> Sample {
    let (setup, ply) = (game.position().setup(), game.plies() as u16);
    Sample { setup, score, ply, winner: None, is_digression: false }
}

/// Counts the consecutive plies for which one side has been winning.
#[derive(Default)]
struct WinDetector {
    side: Option<Side>,
    plies: u32,
}

impl WinDetector {
    /// Adds a score for the side to move. Returns the winner once the game is adjudicated as won.
    fn add(&mut self, side: Side, score: Score) -> Option<Side> {
        let ahead = if score.0 > 0 { side } else { side.opponent() };
        let ahead = (score.0.abs() >= WIN_SCORE).then_some(ahead);
        self.plies = if ahead == self.side { self.plies + 1 } else { 1 };
        self.side = ahead;
        let is_won = score.is_decisive() || self.plies >= WIN_PLIES;
        ahead.filter(|_| is_won)
    }
}

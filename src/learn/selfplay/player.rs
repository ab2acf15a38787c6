//! One game.

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::arena::adjudication::by_bitbases;
use crate::arena::openings::playout;
use crate::bitbase::Bitbases;
use crate::board::{Move, Side};
use crate::engine::{Engine, Knowledge, Options};
use crate::eval::Evaluation;
use crate::game::Game;
use crate::learn::data::Sample;
use crate::movegen;
use crate::position::Setup;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::{Control, Limits, Mode};

use super::Settings;

/// An opening is good if neither side is ahead by more than this.
const BALANCED: i16 = 100;
/// How many openings are tried before the most balanced of them is taken.
const OPENINGS: usize = 100;
/// One move in so many is not the best one, if another that is drawn by lot ..
const DIVERSIONS: u32 = 32;
/// .. loses no more than this.
const DIVERSION_LOSS: i16 = 50;
/// One position in so many, the game is left for a while ..
const DIGRESSIONS: u32 = 2;
/// .. and one digression in so many goes on, each time.
const LONGER: u32 = 2;
/// A game is won when the scores are at least this ..
const CLEAR: i16 = 600;
/// .. for so many plies in a row.
const CLEAR_PLIES: u32 = 6;
/// A game that is not over after so many plies is drawn.
const MOST_PLIES: usize = 240;
/// The transposition table: of so few nodes a move it need not remember more, and it stays in the cache.
const TT_SIZE: u32 = 16;

/// Plays games.
pub(super) struct Player<'a, R: Rules> {
    settings: &'a Settings,
    engine: Engine<R>,
    bitbases: Bitbases<R>,
}

/// What a search has found.
#[derive(Clone, Copy)]
struct Found<R: Rules> {
    mv: Move<R::Geometry>,
    score: Score,
}

impl<'a, R: Rules> Player<'a, R> {
    pub(super) fn new(settings: &'a Settings, evaluation: Evaluation<R>) -> Self {
        let options = Options { tt_size: TT_SIZE, ..Options::default() };
        // Only the bitbases in the program: others would make other games on other machines.
        let knowledge = Knowledge::of_program(evaluation);
        let engine = Engine::with(knowledge, options);
        Player { settings, engine, bitbases: Bitbases::embedded() }
    }

    /// Plays the game with a number and returns its positions and those of its digressions. Those with a
    /// capture to make, or with one legal move, are not among them.
    pub(super) fn play(&mut self, number: u64) -> Vec<Sample<R::Geometry>> {
        let mut random = generator(self.settings.seed, number);
        let mut game = self.opening(&mut random);
        self.engine.new_game();
        let (mut samples, mut lead) = (Vec::new(), Lead::default());
        let winner = loop {
            if let Some(winner) = self.end(&game) {
                break winner;
            }
            let moves = movegen::legal_moves(game.position());
            if let [mv] = moves[..] {
                game.play(mv);
                continue;
            }
            let Some(found) = self.search(&game) else { break None };
            if !movegen::has_capture(game.position()) {
                samples.push(sample(&game, found.score));
            }
            if random.random_ratio(1, DIGRESSIONS) {
                self.digress(game.clone(), &mut random, &mut samples);
            }
            let side = game.position().side();
            if let Some(winner) = lead.add(side, found.score) {
                break Some(winner);
            }
            let mv = self.diversion(&game, found, &moves, &mut random).unwrap_or(found.mv);
            game.play(mv);
        };
        for sample in &mut samples {
            sample.winner = winner;
        }
        samples
    }

    /// A game with random moves after which neither side is ahead.
    fn opening(&mut self, random: &mut Xoshiro256PlusPlus) -> Game<R> {
        let mut best = (Score::INFINITY.0, Game::default());
        for _ in 0..OPENINGS {
            let plies = random.random_range(self.settings.random_plies.clone());
            let Some(game) = playout(&Game::default(), plies, random) else { continue };
            self.engine.new_game();
            let Some(found) = self.search(&game) else { continue };
            let lead = found.score.0.abs();
            if lead < best.0 {
                best = (lead, game);
            }
            if best.0 <= BALANCED {
                break;
            }
        }
        best.1
    }

    /// How the game ends, if it does now: `None` within for a draw.
    fn end(&self, game: &Game<R>) -> Option<Option<Side>> {
        if let Some(outcome) = game.outcome() {
            return Some(outcome.winner);
        }
        if let Some((winner, _)) = by_bitbases(game, &self.bitbases) {
            return Some(winner);
        }
        (game.moves().len() >= MOST_PLIES).then_some(None)
    }

    /// Searches the last position; `None` if the game is over.
    fn search(&mut self, game: &Game<R>) -> Option<Found<R>> {
        let limits = Limits {
            soft_nodes: Some(self.settings.nodes),
            mode: Mode::Analyze,
            ..Limits::default()
        };
        self.engine.set_game(game.clone());
        let best = self.engine.go(limits, &Control::new(), &mut |_| {});
        Some(Found { mv: best.mv?, score: best.info.score })
    }

    /// Leaves the game with a move drawn by lot, and looks at the positions that follow. A search comes
    /// through many positions that no good move leads to; an evaluation that has never seen such errs
    /// there.
    fn digress(
        &mut self,
        mut game: Game<R>,
        random: &mut Xoshiro256PlusPlus,
        samples: &mut Vec<Sample<R::Geometry>>,
    ) {
        while self.end(&game).is_none() {
            let Some(&mv) = movegen::legal_moves(game.position()).choose(random) else { return };
            game.play(mv);
            let Some(found) = self.next_choice(&mut game) else { return };
            samples.push(Sample { is_aside: true, ..sample(&game, found.score) });
            if !random.random_ratio(1, LONGER) {
                return;
            }
            game.play(found.mv);
        }
    }

    /// Plays the best moves up to a position that is to be learned from, and searches that; `None` if the
    /// game ends before.
    fn next_choice(&mut self, game: &mut Game<R>) -> Option<Found<R>> {
        while self.end(game).is_none() {
            if let [mv] = movegen::legal_moves(game.position())[..] {
                game.play(mv);
                continue;
            }
            let found = self.search(game)?;
            if !movegen::has_capture(game.position()) {
                return Some(found);
            }
            game.play(found.mv);
        }
        None
    }

    /// Now and then another move than the best, if it loses little: it leads to positions that the
    /// best moves would not.
    fn diversion(
        &mut self,
        game: &Game<R>,
        best: Found<R>,
        moves: &[Move<R::Geometry>],
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<Move<R::Geometry>> {
        if !random.random_ratio(1, DIVERSIONS) {
            return None;
        }
        let mv = *moves.choose(random)?;
        let mut other = game.clone();
        other.play(mv);
        let score = match self.end(&other) {
            Some(_) => return None,
            None => -self.search(&other)?.score,
        };
        (best.score.0 - score.0 <= DIVERSION_LOSS).then_some(mv)
    }
}

/// What a game is drawn by: the same numbers on every machine.
fn generator(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    /// An odd number, so that no two games of a seed are alike; this one is the golden ratio.
    const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;
    Xoshiro256PlusPlus::seed_from_u64(seed ^ number.wrapping_mul(STRIDE))
}

fn sample<R: Rules>(game: &Game<R>, score: Score) -> Sample<R::Geometry> {
    let (setup, ply) = (Setup::from(game.position()), game.moves().len() as u16);
    Sample { setup, score, ply, winner: None, is_aside: false }
}

/// For how long a side has been far ahead.
#[derive(Default)]
struct Lead {
    side: Option<Side>,
    plies: u32,
}

impl Lead {
    /// The side to move has a score. Returns who wins, if that is clear.
    fn add(&mut self, side: Side, score: Score) -> Option<Side> {
        let ahead = if score.0 > 0 { side } else { side.opponent() };
        let ahead = (score.0.abs() >= CLEAR).then_some(ahead);
        self.plies = if ahead == self.side { self.plies + 1 } else { 1 };
        self.side = ahead;
        let is_clear = score.is_decisive() || self.plies >= CLEAR_PLIES;
        ahead.filter(|_| is_clear)
    }
}

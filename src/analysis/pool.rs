//! Searches for reviews.

use std::panic;
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use crate::board::Move;
use crate::engine::{Engine, EngineOptions};
use crate::erased::{Bitbases, Game};
use crate::game::Outcome;
use crate::instant::Instant;
use crate::rules::Variant;
use crate::score::Score;
use crate::search::{Control, Info, Limits, Mode};

use super::confirm::{CONFIRMING_FACTORS, copy_to_forced, unconfirmed};
use super::review::{SHALLOW_DEPTH, SearchOutcome, combination};

/// The divisor of the limits in the search for the second-best move.
const SECOND_DIVISOR: u32 = 8;
/// The number of plies by which a depth limit grows with each confirmation.
const CONFIRMING_PLIES: u32 = 2;
/// The base-2 logarithm of the number of entries in the transposition table of shallow searches.
const SHALLOW_TT_SIZE: u32 = 12;
/// The number of searches that measure the speed of the engines, and the longest time of each.
const SPEED_SEARCHES: usize = 4;
const SPEED_TIME: Duration = Duration::from_millis(100);

/// Engines that search the positions of games, two per thread.
pub struct ReviewPool {
    searchers: Vec<Searcher>,
    limits: Limits,
}

impl ReviewPool {
    /// Creates `count` engines with the same options, which search each position within the limits.
    /// A time limit is replaced by a number of nodes, which takes about 0.7 to 1.4 times as long.
    pub fn new(
        variant: Variant,
        options: &EngineOptions,
        count: usize,
        limits: Limits,
    ) -> ReviewPool {
        let options = EngineOptions { threads: 1, multipv: 1, ..options.clone() };
        let shallow = EngineOptions { tt_size: SHALLOW_TT_SIZE, ..options.clone() };
        let searchers = (0..count.max(1)).map(|_| Searcher {
            engine: Engine::new(variant, options.clone()),
            shallow: Engine::new(variant, shallow.clone()),
        });
        let limits = Limits { mode: Mode::Analyze, ..limits };
        ReviewPool { searchers: searchers.collect(), limits }
    }

    /// Returns new messages about files that cannot be used.
    pub fn take_warnings(&mut self) -> Vec<String> {
        let faults = self.searchers.iter_mut().map(|searcher| searcher.engine.take_warnings());
        faults.reduce(|first, _| first).unwrap_or_default()
    }

    /// The bitbases of the engines.
    pub fn bitbases(&self) -> &Bitbases {
        self.searchers[0].engine.bitbases()
    }

    /// Searches every position of a game, and calls `tick` after each search. The positions before
    /// and after every move that might get a mark are then searched again with larger limits, until
    /// no mark is based on a short search. Returns the outcomes in the order of the game; `None` if
    /// stopped by `control`.
    pub fn search_game(
        &mut self,
        game: &Game,
        control: &Control,
        tick: &(dyn Fn() + Sync),
    ) -> Option<Vec<SearchOutcome>> {
        self.make_reproducible(game, control)?;
        for searcher in &mut self.searchers {
            searcher.engine.new_game();
        }
        let mut outcomes = vec![None; game.plies() + 1];
        let all: Vec<_> = (0..outcomes.len()).collect();
        let effort = Effort::first(self.limits);
        self.search_plies(game, &all, &effort, control, tick, &mut |ply, new| {
            outcomes[ply] = Some(new);
        })?;
        let mut outcomes: Vec<SearchOutcome> = outcomes.into_iter().collect::<Option<_>>()?;
        copy_to_forced(&mut outcomes);
        self.confirm_marks(game, &mut outcomes, control)?;
        Some(outcomes)
    }

    /// Repeats the searches that marks are based on, with larger limits; `None` if stopped.
    fn confirm_marks(
        &mut self,
        game: &Game,
        outcomes: &mut [SearchOutcome],
        control: &Control,
    ) -> Option<()> {
        let mut rounds = vec![0; outcomes.len()];
        while let Some((round, plies)) = unconfirmed(game, outcomes, &rounds) {
            let effort = Effort::confirming(self.limits, round);
            self.search_plies(game, &plies, &effort, control, &|| {}, &mut |ply, new| {
                outcomes[ply] = new;
                rounds[ply] = round + 1;
            })?;
            copy_to_forced(outcomes);
        }
        Some(())
    }

    /// Replaces a time limit by the number of nodes, rounded to a power of two, that the engines
    /// search in that time, so that two reviews of a game are the same. Leaves it if searches of
    /// the game end early.
    fn make_reproducible(&mut self, game: &Game, control: &Control) -> Option<()> {
        let Some(time) = self.limits.move_time else { return Some(()) };
        let limits = Limits { move_time: Some(time.min(SPEED_TIME)), ..self.limits };
        let speeds = thread::scope(|scope| {
            let speeds = self.searchers.iter_mut();
            let speeds = speeds.map(|one| scope.spawn(|| one.speed(game, limits, control)));
            let speeds: Vec<_> = speeds.collect();
            speeds.into_iter().map(joined).collect::<Option<Vec<_>>>()
        });
        if control.is_stopped() {
            return None;
        }
        let Some(speeds) = speeds else { return Some(()) };
        let speed = speeds.iter().sum::<f64>() / speeds.len() as f64;
        // The cast saturates.
        let nodes = (speed * time.as_secs_f64()).max(1.0).log2().round().exp2() as u64;
        let nodes = self.limits.nodes.map_or(nodes, |limit| limit.min(nodes));
        self.limits = Limits { nodes: Some(nodes), move_time: None, ..self.limits };
        Some(())
    }

    /// Searches the positions at the given plies, which must be in ascending order, divided equally
    /// among all engines. `sink` receives the outcomes; `None` if stopped.
    fn search_plies(
        &mut self,
        game: &Game,
        plies: &[usize],
        effort: &Effort,
        control: &Control,
        tick: &(dyn Fn() + Sync),
        sink: &mut dyn FnMut(usize, SearchOutcome),
    ) -> Option<()> {
        let share = plies.len().div_ceil(self.searchers.len()).max(1);
        let parts = thread::scope(|scope| {
            let parts = plies.chunks(share).zip(&mut self.searchers).map(|(part, searcher)| {
                scope.spawn(move || searcher.search_part(game, part, effort, control, tick))
            });
            let parts: Vec<_> = parts.collect();
            parts.into_iter().map(joined).collect::<Vec<_>>()
        });
        let parts: Option<Vec<_>> = parts.into_iter().collect();
        parts?.into_iter().flatten().for_each(|(ply, outcome)| sink(ply, outcome));
        Some(())
    }
}

/// The result of a thread; panics if the thread did.
fn joined<T>(thread: ScopedJoinHandle<T>) -> T {
    thread.join().unwrap_or_else(|fault| panic::resume_unwind(fault))
}

/// How to search positions for a review.
struct Effort {
    limits: Limits,
    /// Whether each search starts with an empty transposition table, so that its result does not
    /// depend on earlier searches.
    is_independent: bool,
}

impl Effort {
    /// The effort of the first search of a position.
    fn first(limits: Limits) -> Effort {
        Effort { limits, is_independent: false }
    }

    /// The effort of a round of confirmation, counted from 0.
    fn confirming(limits: Limits, round: usize) -> Effort {
        let factor = CONFIRMING_FACTORS[round];
        let limits = Limits {
            move_time: limits.move_time.map(|time| time * factor),
            nodes: limits.nodes.map(|nodes| nodes.saturating_mul(factor.into())),
            depth: limits.depth.map(|depth| depth + CONFIRMING_PLIES * (round as u32 + 1)),
            ..limits
        };
        Effort { limits, is_independent: true }
    }

    /// The limits of the search for the score of the second-best move.
    fn second(&self) -> Limits {
        let less = |time: Duration| time / SECOND_DIVISOR;
        Limits {
            move_time: self.limits.move_time.map(less),
            nodes: self.limits.nodes.map(|nodes| (nodes / u64::from(SECOND_DIVISOR)).max(1)),
            ..self.limits
        }
    }
}

/// The engines of a thread.
struct Searcher {
    engine: Engine,
    /// The engine for shallow searches. It has its own transposition table, cleared before each
    /// search, because that of the other engine contains more than a shallow search would find.
    shallow: Engine,
}

impl Searcher {
    /// Searches the positions of a game at the given plies, last to first, so that the
    /// transposition table already contains the positions that follow; `None` if stopped.
    fn search_part(
        &mut self,
        game: &Game,
        plies: &[usize],
        effort: &Effort,
        control: &Control,
        tick: &(dyn Fn() + Sync),
    ) -> Option<Vec<(usize, SearchOutcome)>> {
        let moves = game.moves();
        let mut game = game.clone();
        let mut outcomes = Vec::new();
        for &ply in plies.iter().rev() {
            while game.plies() > ply {
                game.undo();
            }
            outcomes.push((ply, self.search(&game, moves.get(ply).copied(), effort, control)));
            if control.is_stopped() {
                return None;
            }
            tick();
        }
        Some(outcomes)
    }

    /// The number of nodes searched per second in some positions of a game; `None` if the searches
    /// end before their time.
    fn speed(&mut self, game: &Game, limits: Limits, control: &Control) -> Option<f64> {
        let mut game = game.clone();
        let plies = game.plies();
        // Up to the last completed iteration of each search, which may end long before the search.
        let (mut nodes, mut time) = (0, Duration::ZERO);
        let start = Instant::now();
        for part in (0..SPEED_SEARCHES).rev() {
            while game.plies() > plies * part / SPEED_SEARCHES {
                game.undo();
            }
            self.engine.set_game(game.clone());
            let info = self.engine.go(limits, control, &mut |_| {}).info;
            nodes += info.nodes;
            time += info.time;
        }
        let expected = limits.move_time? * SPEED_SEARCHES as u32;
        (start.elapsed() >= expected / 2).then(|| nodes as f64 / time.as_secs_f64())
    }

    fn search(
        &mut self,
        game: &Game,
        played: Option<Move>,
        effort: &Effort,
        control: &Control,
    ) -> SearchOutcome {
        let moves = game.position().legal_moves();
        let mut outcome = SearchOutcome {
            score: Score::DRAW,
            depth: 0,
            line: moves.first().copied().into_iter().collect(),
            second: None,
            is_obvious: false,
            is_forced: moves.len() == 1,
        };
        // Players may continue although the game is drawn.
        let end = if played.is_none() { game.outcome() } else { game.position().outcome() };
        if let Some(Outcome { winner, .. }) = end {
            outcome.line.clear();
            outcome.score = match winner {
                Some(winner) if winner == game.position().side() => Score::win_in(0),
                Some(_) => Score::loss_in(0),
                None => Score::DRAW,
            };
            return outcome;
        }
        // If only one move is legal, the score is later copied from the next position.
        if outcome.is_forced && played.is_some() {
            return outcome;
        }
        if effort.is_independent {
            self.engine.new_game();
        }
        self.engine.set_game(game.clone());
        let Info { score, depth, pv, .. } =
            self.engine.go(effort.limits, control, &mut |_| {}).info;
        outcome = SearchOutcome { score, depth, line: pv, ..outcome };
        let best = outcome.line.first().copied().filter(|mv| !mv.is_capture());
        let Some(best) = best else { return outcome };
        let is_shot = || {
            let shot = combination(game.position(), game.moves().last().copied());
            shot.is_some_and(|shot| shot.line.first() == Some(&best))
        };
        if played == Some(best) || is_shot() {
            outcome.second = self.second(effort.second(), control);
            outcome.is_obvious = self.is_obvious(game, best, control);
        }
        outcome
    }

    /// Searches for the score of the second-best move.
    fn second(&mut self, limits: Limits, control: &Control) -> Option<Score> {
        let multipv = self.engine.set_multipv(2);
        let mut score = None;
        self.engine.go(limits, control, &mut |info| {
            if info.rank == 2 {
                score = Some(info.score);
            }
        });
        self.engine.set_multipv(multipv);
        score
    }

    /// Whether a shallow search chooses a move.
    fn is_obvious(&mut self, game: &Game, mv: Move, control: &Control) -> bool {
        self.shallow.new_game();
        self.shallow.set_game(game.clone());
        let limits = Limits { mode: Mode::Analyze, ..Limits::depth(SHALLOW_DEPTH) };
        self.shallow.go(limits, control, &mut |_| {}).mv == Some(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, hub};

    /// A pool that searches each position for the given time.
    fn pool(count: usize, time: Duration) -> ReviewPool {
        let options = EngineOptions { tt_size: 12, ..EngineOptions::default() };
        ReviewPool::new(Variant::International, &options, count, Limits::time(time))
    }

    #[test]
    fn a_time_becomes_a_power_of_two_of_nodes_and_reviews_repeat() {
        let mut game = Game::new(Variant::International);
        for text in ["32-28", "17-22", "28x17x22", "12x21x17", "31-26"] {
            game.play(hub::parse_move(game.position(), text).unwrap());
        }
        let mut first = pool(2, Duration::from_millis(3));
        let found = first.search_game(&game, &Control::new(), &|| {});
        assert!(first.limits.move_time.is_none() && first.limits.nodes.unwrap().is_power_of_two());
        let mut second = pool(2, Duration::from_millis(3));
        second.limits = first.limits;
        assert_eq!(second.search_game(&game, &Control::new(), &|| {}), found);
    }

    #[test]
    fn a_game_too_short_to_measure_the_speed_keeps_the_time() {
        let start = fen::parse(Variant::International, "W:W7:B2").unwrap();
        let game = Game::from_position(start);
        let mut pool = pool(1, Duration::from_secs(1));
        pool.search_game(&game, &Control::new(), &|| {});
        assert_eq!(pool.limits.move_time, Some(Duration::from_secs(1)));
    }
}

//! Searches for reviews.

use std::mem;
use std::panic;
use std::thread;
use std::time::Duration;

use crate::board::Move;
use crate::engine::{Engine, EngineOptions};
use crate::erased::{Bitbases, Game};
use crate::game::Outcome;
use crate::rules::Variant;
use crate::score::Score;
use crate::search::{Control, Info, Limits, Mode};

/// The search result of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchOutcome {
    /// The score for the side to move.
    pub score: Score,
    /// The depth in plies; 0 if the position was not searched.
    pub depth: u32,
    /// The best line; empty if the game is over.
    pub line: Vec<Move>,
    /// The score of the second-best move, if it was searched.
    pub second: Option<Score>,
    /// Whether there was only one legal move.
    pub is_forced: bool,
}

/// The factor by which the limits are reduced in the search for the second-best move.
const SECOND_DIVISOR: u32 = 8;

/// Engines that search the positions of games, one per thread.
pub struct ReviewPool {
    engines: Vec<Engine>,
    limits: Limits,
}

impl ReviewPool {
    /// `count` engines with the same options, which search each position within the limits.
    pub fn new(
        variant: Variant,
        options: &EngineOptions,
        count: usize,
        limits: Limits,
    ) -> ReviewPool {
        let options = EngineOptions { threads: 1, multipv: 1, ..options.clone() };
        let engines = (0..count.max(1)).map(|_| Engine::new(variant, options.clone()));
        let limits = Limits { mode: Mode::Analyze, ..limits };
        ReviewPool { engines: engines.collect(), limits }
    }

    /// Returns new messages about files that cannot be used.
    pub fn take_warnings(&mut self) -> Vec<String> {
        let faults = self.engines.iter_mut().map(Engine::take_warnings);
        faults.reduce(|first, _| first).unwrap_or_default()
    }

    /// The bitbases of the engines.
    pub fn bitbases(&self) -> &Bitbases {
        self.engines[0].bitbases()
    }

    /// Searches every position of a game, and calls `tick` after each search. Returns the outcomes
    /// in the order of the game; `None` if stopped by `control`.
    pub fn search_game(
        &mut self,
        game: &Game,
        control: &Control,
        tick: &(dyn Fn() + Sync),
    ) -> Option<Vec<SearchOutcome>> {
        let positions = game.plies() + 1;
        let share = positions.div_ceil(self.engines.len());
        let limits = self.limits;
        let parts = thread::scope(|scope| {
            let parts = self.engines.iter_mut().enumerate().map(|(part, engine)| {
                let (first, end) = (part * share, ((part + 1) * share).min(positions));
                engine.new_game();
                scope.spawn(move || search_part(engine, game, first..end, limits, control, tick))
            });
            let parts: Vec<_> = parts.collect();
            let parts = parts.into_iter().map(thread::ScopedJoinHandle::join);
            let parts = parts.map(|part| part.unwrap_or_else(|fault| panic::resume_unwind(fault)));
            parts.collect::<Vec<_>>()
        });
        let outcomes: Option<Vec<_>> = parts.into_iter().collect();
        let mut outcomes: Vec<SearchOutcome> = outcomes?.into_iter().flatten().collect();
        copy_to_forced(&mut outcomes);
        Some(outcomes)
    }
}

/// Searches the positions of a game at the given plies, the last one first, so that the
/// transposition table already contains the positions that follow.
fn search_part(
    engine: &mut Engine,
    game: &Game,
    plies: std::ops::Range<usize>,
    limits: Limits,
    control: &Control,
    tick: &(dyn Fn() + Sync),
) -> Option<Vec<SearchOutcome>> {
    let moves = game.moves();
    let mut game = game.clone();
    let mut outcomes = Vec::new();
    for ply in plies.rev() {
        while game.plies() > ply {
            game.undo();
        }
        outcomes.push(search_position(engine, &game, moves.get(ply).copied(), limits, control));
        if control.is_stopped() {
            return None;
        }
        tick();
    }
    outcomes.reverse();
    Some(outcomes)
}

fn search_position(
    engine: &mut Engine,
    game: &Game,
    played: Option<Move>,
    limits: Limits,
    control: &Control,
) -> SearchOutcome {
    let moves = game.position().legal_moves();
    let known = SearchOutcome {
        score: Score::DRAW,
        depth: 0,
        line: moves.first().copied().into_iter().collect(),
        second: None,
        is_forced: moves.len() == 1,
    };
    if moves.is_empty() {
        let side = game.position().side();
        let winner = game.position().outcome().and_then(|Outcome { winner, .. }| winner);
        let score = if winner == Some(side) { Score::win_in(0) } else { Score::loss_in(0) };
        return SearchOutcome { score, ..known };
    }
    // If only one move is legal, the score is later copied from the next position.
    if known.is_forced && played.is_some() {
        return known;
    }
    engine.set_game(game.clone());
    let Info { score, depth, pv, .. } = engine.go(limits, control, &mut |_| {}).info;
    let is_best = played.is_some_and(|mv| pv.first() == Some(&mv) && !mv.is_capture());
    let second = if is_best { second(engine, limits, control) } else { None };
    SearchOutcome { score, depth, line: pv, second, ..known }
}

/// Searches for the score of the second-best move.
fn second(engine: &mut Engine, limits: Limits, control: &Control) -> Option<Score> {
    let less = |time: Duration| time / SECOND_DIVISOR;
    let limits = Limits {
        move_time: limits.move_time.map(less),
        nodes: limits.nodes.map(|nodes| (nodes / u64::from(SECOND_DIVISOR)).max(1)),
        ..limits
    };
    let multipv = engine.set_multipv(2);
    let mut score = None;
    engine.go(limits, control, &mut |info| {
        if info.rank == 2 {
            score = Some(info.score);
        }
    });
    engine.set_multipv(multipv);
    score
}

/// Copies the score and the line of the next position to positions with only one legal move.
fn copy_to_forced(outcomes: &mut [SearchOutcome]) {
    for ply in (0..outcomes.len().saturating_sub(1)).rev() {
        if outcomes[ply].is_forced {
            let next = outcomes[ply + 1].clone();
            let outcome = &mut outcomes[ply];
            outcome.score = -next.score;
            outcome.depth = next.depth;
            let mut line = mem::take(&mut outcome.line);
            line.extend(next.line);
            outcome.line = line;
        }
    }
}

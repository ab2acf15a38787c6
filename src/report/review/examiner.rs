//! The searches behind a review.

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

/// What a search finds in a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The score for the side to move.
    pub score: Score,
    /// The depth in plies; 0 where nothing was searched.
    pub depth: u32,
    /// The best line; empty if the game is over.
    pub line: Vec<Move>,
    /// The score of the second-best move, where it was asked for.
    pub second: Option<Score>,
    /// Whether there was only one legal move.
    pub is_forced: bool,
}

/// The part of the time of a position that looking for the second-best move takes.
const SECOND_SHARE: u32 = 8;

/// Engines that search the positions of games, each on a thread of its own.
pub struct Examiner {
    engines: Vec<Engine>,
    limits: Limits,
}

impl Examiner {
    /// `count` engines with the same options, which search each position within the limits.
    pub fn new(
        variant: Variant,
        options: &EngineOptions,
        count: usize,
        limits: Limits,
    ) -> Examiner {
        let options = EngineOptions { threads: 1, multipv: 1, ..options.clone() };
        let engines = (0..count.max(1)).map(|_| Engine::new(variant, options.clone()));
        let limits = Limits { mode: Mode::Analyze, ..limits };
        Examiner { engines: engines.collect(), limits }
    }

    /// The files that cannot be used, and why; each is returned once.
    pub fn take_warnings(&mut self) -> Vec<String> {
        let faults = self.engines.iter_mut().map(Engine::take_warnings);
        faults.reduce(|first, _| first).unwrap_or_default()
    }

    /// The bitbases of the engines.
    pub fn bitbases(&self) -> &Bitbases {
        self.engines[0].bitbases()
    }

    /// Searches every position of a game, the start first; `tick` is called after each. `None` if
    /// `control` has stopped it.
    pub fn examine(
        &mut self,
        game: &Game,
        control: &Control,
        tick: &(dyn Fn() + Sync),
    ) -> Option<Vec<Finding>> {
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
        let findings: Option<Vec<_>> = parts.into_iter().collect();
        let mut findings: Vec<Finding> = findings?.into_iter().flatten().collect();
        pass_back(&mut findings);
        Some(findings)
    }
}

/// Searches some positions of a game, the last one first, so that the table knows what comes.
fn search_part(
    engine: &mut Engine,
    game: &Game,
    plies: std::ops::Range<usize>,
    limits: Limits,
    control: &Control,
    tick: &(dyn Fn() + Sync),
) -> Option<Vec<Finding>> {
    let moves = game.moves();
    let mut game = game.clone();
    let mut findings = Vec::new();
    for ply in plies.rev() {
        while game.plies() > ply {
            game.undo();
        }
        findings.push(search_position(engine, &game, moves.get(ply).copied(), limits, control));
        if control.is_stopped() {
            return None;
        }
        tick();
    }
    findings.reverse();
    Some(findings)
}

fn search_position(
    engine: &mut Engine,
    game: &Game,
    played: Option<Move>,
    limits: Limits,
    control: &Control,
) -> Finding {
    let moves = game.position().legal_moves();
    let known = Finding {
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
        return Finding { score, ..known };
    }
    // The score of a position with one move is that of the next one.
    if known.is_forced && played.is_some() {
        return known;
    }
    engine.set_game(game.clone());
    let Info { score, depth, pv, .. } = engine.go(limits, control, &mut |_| {}).info;
    let is_best = played.is_some_and(|mv| pv.first() == Some(&mv) && !mv.is_capture());
    let second = if is_best { second(engine, limits, control) } else { None };
    Finding { score, depth, line: pv, second, ..known }
}

/// The score of the second-best move.
fn second(engine: &mut Engine, limits: Limits, control: &Control) -> Option<Score> {
    let less = |time: Duration| time / SECOND_SHARE;
    let limits = Limits {
        move_time: limits.move_time.map(less),
        nodes: limits.nodes.map(|nodes| (nodes / u64::from(SECOND_SHARE)).max(1)),
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

/// Positions with one move get the score and the line of the next one.
fn pass_back(findings: &mut [Finding]) {
    for ply in (0..findings.len().saturating_sub(1)).rev() {
        if findings[ply].is_forced {
            let next = findings[ply + 1].clone();
            let finding = &mut findings[ply];
            finding.score = -next.score;
            finding.depth = next.depth;
            let mut line = mem::take(&mut finding.line);
            line.extend(next.line);
            finding.line = line;
        }
    }
}

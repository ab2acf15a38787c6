//! Whether an ending can be won before a move limit makes it a draw.

use std::collections::HashMap;
use std::iter;

use crate::board::{BitMove, Side};
use crate::game::{BitGame, material, terminal};
use crate::position::{BitPosition, Key};
use crate::rules::{Ending, Rules, VariantSetup};

use super::limits::{Counts, Limit, MoveLimits};
use super::set::{BitbaseSet, RatedMove};
use super::value::{Value, Verdict};

/// The maximum number of positions to search; searching that many takes a few seconds. Short wins
/// need no search; wins in 73 and 83 plies with five pieces took 134,000 and 676,000 positions.
const MAX_NODES: u32 = 1_000_000;
/// The maximum number of positions to search for all root moves of a search together; searching
/// that many takes about 20 ms.
const MAX_ROOT_NODES: u32 = 5_000;
/// The maximum length of a line, in plies.
const MAX_PLIES: usize = 300;
/// Endings without distances are searched only if a limit is at most this many plies away.
const MAX_BLIND_PLIES: usize = 6;

impl<R: Rules> BitbaseSet<R> {
    /// Whether the side that would win without draw rules can also win within all of the rules'
    /// move limits. `None` if neither side would win, if the distances are unknown, or if the
    /// search takes too long.
    ///
    /// Repetition is ignored: a side that can win need not repeat a position.
    pub fn wins_within_move_limits(&self, game: &BitGame<R>) -> Option<bool> {
        let position = game.position();
        let winner = match self.verdict(position)?.value {
            Value::Win => position.side(),
            Value::Draw => return None,
            Value::Loss => position.side().opponent(),
        };
        let mut proof = Proof::new(self, winner, MAX_NODES);
        proof.wins(position, &game.move_counts(), 0)
    }

    /// Like [`BitbaseSet::rated_moves`] for the last position of a game, but wins and losses that a
    /// move limit prevents are draws. Also returns whether the value of the position is proven. It
    /// is not if a limit is near and either the distances are unknown or too many positions would
    /// have to be searched.
    pub fn rated_moves_in_game(&self, game: &BitGame<R>) -> Option<(Vec<RatedMove<R>>, bool)> {
        let (limits, mut rated) = (self.move_limits(), self.rated_moves(game.position())?);
        if limits.is_empty() {
            return Some((rated, true));
        }
        let counts = game.move_counts();
        let mut proofs = Side::ALL.map(|side| Proof::new(self, side, MAX_ROOT_NODES));
        let mut unknown = Vec::new();
        for (mv, verdict) in &mut rated {
            let side = game.position().side();
            let winner = match verdict.value {
                Value::Win => side,
                Value::Draw => continue,
                Value::Loss => side.opponent(),
            };
            let after = game.position().after(*mv);
            let counts = counts_after(game.setup(), game.position(), *mv, &counts);
            match proofs[winner.index()].wins(&after, &counts, 1) {
                Some(true) => {}
                Some(false) => *verdict = Verdict { value: Value::Draw, plies: None },
                None if limits.leave_ample_time(&counts) => {}
                None => unknown.push(*mv),
            }
        }
        rated.sort_by_key(|(_, verdict)| std::cmp::Reverse(*verdict));
        // A loss is proven only if none of the moves could run into a move limit.
        let is_certain = rated.first().is_none_or(|(best, verdict)| match verdict.value {
            Value::Loss => unknown.is_empty(),
            Value::Draw | Value::Win => !unknown.contains(best),
        });
        Some((rated, is_certain))
    }
}

/// A search result for a position: its move counts, and whether it can be won within the limits
/// (`None` if unknown).
type CachedResult = (Vec<Option<usize>>, Option<bool>);

/// A search for a win within the move limits. For the winner it tries every winning move, quickest
/// first; for the loser, every move.
struct Proof<'a, R: Rules> {
    setup: &'static VariantSetup,
    bitbases: &'a BitbaseSet<R>,
    winner: Side,
    limits: &'a MoveLimits,
    /// The results so far, by position.
    cache: HashMap<Key, Vec<CachedResult>>,
    /// The number of positions that may still be searched.
    nodes: u32,
}

impl<'a, R: Rules> Proof<'a, R> {
    fn new(bitbases: &'a BitbaseSet<R>, winner: Side, nodes: u32) -> Proof<'a, R> {
        let limits = bitbases.move_limits();
        let setup = bitbases.variant().setup();
        Proof { setup, bitbases, winner, limits, cache: HashMap::new(), nodes }
    }

    /// Whether a position `ply` plies from the root can be won within the limits; `None` if
    /// unknown.
    fn wins(&mut self, position: &BitPosition<R>, counts: &Counts, ply: usize) -> Option<bool> {
        if let Some(outcome) = terminal(position) {
            return Some(outcome.winner == Some(self.winner));
        }
        if self.limits.is_reached(counts) {
            return Some(false);
        }
        let verdict = self.bitbases.verdict(position)?;
        let wins = if position.side() == self.winner { Value::Win } else { Value::Loss };
        if verdict.value != wins {
            return Some(false);
        }
        match verdict.plies.map(usize::from) {
            Some(plies) if self.limits.is_certainly_in_time(plies, counts) => return Some(true),
            Some(plies) if self.limits.is_certainly_late(plies, counts) => return Some(false),
            Some(_) => {}
            None => {
                let mut started = self.limits.started(counts);
                let is_near =
                    |(limit, count): (&Limit, usize)| count + MAX_BLIND_PLIES >= limit.plies;
                if !started.any(is_near) {
                    return None;
                }
            }
        }
        if let Some(cached) = self.cached(position.key(), counts) {
            return cached;
        }
        if self.nodes == 0 || ply == MAX_PLIES {
            return None;
        }
        self.nodes -= 1;
        // Try rounded-up counts first: most wins have moves to spare, and rounding lets more
        // results be reused.
        let rounded = rounded_up(counts);
        let mut wins = None;
        if rounded != counts {
            wins = self.wins(position, &rounded, ply).filter(|wins| *wins);
        }
        if wins.is_none() {
            wins = self.wins_by_moves(position, counts, ply);
            self.cache.entry(position.key()).or_default().push((counts.to_vec(), wins));
        }
        wins
    }

    /// Whether a position can be won within the limits, found by searching its moves.
    fn wins_by_moves(
        &mut self,
        position: &BitPosition<R>,
        counts: &Counts,
        ply: usize,
    ) -> Option<bool> {
        let is_winner = position.side() == self.winner;
        let mut moves = self.bitbases.rated_moves(position)?;
        if is_winner {
            moves.retain(|(_, verdict)| verdict.value == Value::Win);
        }
        // The side to move needs only one move that decides in its favour.
        let mut all = Some(!is_winner);
        for (mv, _) in moves {
            let wins = self.wins(
                &position.after(mv),
                &counts_after(self.setup, position, mv, counts),
                ply + 1,
            );
            if wins == Some(is_winner) {
                return wins;
            }
            all = all.and(wins);
        }
        all
    }

    /// The cached result, if any. A win also holds for lower counts, a failure for higher ones.
    fn cached(&self, key: Key, counts: &Counts) -> Option<Option<bool>> {
        let mut all = self.cache.get(&key)?.iter();
        let applies = |(known, wins): &&CachedResult| match wins {
            Some(true) => known.iter().zip(counts).all(|(known, count)| count <= known),
            Some(false) => known.iter().zip(counts).all(|(known, count)| count >= known),
            None => known == counts,
        };
        all.find(applies).map(|&(_, wins)| wins)
    }
}

/// The counts, with the count of king moves rounded up to a multiple of `STEP`.
fn rounded_up(counts: &Counts) -> Vec<Option<usize>> {
    const STEP: usize = 8;
    let mut counts = counts.to_vec();
    if let Some(Some(king_moves)) = counts.first_mut() {
        *king_moves = king_moves.next_multiple_of(STEP);
    }
    counts
}

/// The counts after a move.
fn counts_after<R: Rules>(
    setup: &VariantSetup,
    position: &BitPosition<R>,
    mv: BitMove<R::Geometry>,
    counts: &Counts,
) -> Vec<Option<usize>> {
    let (before, now) = (material(position), material(&position.after(mv)));
    let king_moves = match position.is_conversion(mv) {
        true => 0,
        false => counts.first().copied().flatten().map_or(0, |count| count + 1),
    };
    let ending = |(ending, count): (&Ending, &Option<usize>)| {
        let continues = !ending.restarts || before.is_same(&now) && (ending.applies)(now);
        let starts = (ending.applies)(now).then_some(0);
        count.filter(|_| continues).map(|count| count + 1).or(starts)
    };
    let endings = setup.draws.endings.iter().zip(counts.iter().skip(1)).map(ending);
    iter::once(Some(king_moves)).chain(endings).collect()
}

//! Whether an ending can be won before a move limit makes it a draw.

use std::collections::HashMap;
use std::iter;

use crate::bitbase::{Content, Slice, Value};
use crate::board::{Move, Side};
use crate::position::Key;
use crate::rules::{Ending, Material, VariantSetup};

use super::bitbases::Bitbases;
use super::game::Game;
use super::position::Position;

/// The maximum number of positions to search; searching that many takes a few seconds. Short wins
/// need no search; wins in 73 and 83 plies with five pieces took 134,000 and 676,000 positions.
const MAX_NODES: u32 = 1_000_000;
/// The maximum length of a line, in plies.
const MAX_PLIES: usize = 300;

impl Bitbases {
    /// Whether the side that would win without draw rules can also win within all move limits of
    /// the rules. `None` if neither side would win, if the distances are unknown, or if the search
    /// takes too long.
    ///
    /// Repetition is ignored: a side that can win need not repeat a position.
    pub fn wins_within_move_limits(&self, game: &Game) -> Option<bool> {
        let side = game.position().side();
        let winner = match self.probe(game.position())?.value {
            Value::Win => side,
            Value::Draw => return None,
            Value::Loss => side.opponent(),
        };
        let setup = game.variant().setup();
        let limits = limits(setup, self);
        let mut proof =
            Proof { setup, bitbases: self, winner, limits, cache: HashMap::new(), nodes: 0 };
        proof.wins(game.position(), &game.move_counts(), 0)
    }
}

/// A move limit.
#[derive(Clone, Copy, Debug)]
struct Limit {
    plies: usize,
    /// Whether the shortest win always fits within the limit if the count has not started yet.
    is_loose: bool,
}

/// The move limits of the rules, the limit on king moves first.
fn limits(setup: &VariantSetup, bitbases: &Bitbases) -> Vec<Limit> {
    let king_moves = Limit { plies: usize::from(setup.draws.king_moves), is_loose: false };
    let ending = |ending: &Ending| {
        let plies = usize::from(ending.plies);
        let mut slices = (2..=bitbases.pieces()).flat_map(Slice::all);
        let is_loose = |slice| !applies(ending, slice) || wins_take_at_most(plies, slice, bitbases);
        Limit { plies, is_loose: slices.all(is_loose) }
    };
    iter::once(king_moves).chain(setup.draws.endings.iter().map(ending)).collect()
}

/// Whether a limit may apply to the material of a slice.
fn applies(ending: &Ending, slice: Slice) -> bool {
    let Slice { men, kings } = slice;
    let roads = [[false, false], [false, true], [true, false], [true, true]];
    roads.into_iter().any(|main_road| (ending.applies)(Material { men, kings, main_road }))
}

/// Whether every win of a slice and its mirror takes at most `plies` plies.
fn wins_take_at_most(plies: usize, slice: Slice, bitbases: &Bitbases) -> bool {
    slice.with_mirror().into_iter().all(|slice| {
        let file = bitbases.file(slice, Content::Distances);
        file.is_some_and(|file| file.max_plies() <= plies)
    })
}

/// The number of plies counted towards each limit; `None` where the count has not started.
type Counts = [Option<usize>];

/// A search result for a position: its move counts, and whether it can be won within the limits
/// (`None` if unknown).
type CachedResult = (Vec<Option<usize>>, Option<bool>);

/// A search for a win within the move limits. For the winner it tries every winning move, quickest
/// first; for the loser, every move.
struct Proof<'a> {
    setup: &'a VariantSetup,
    bitbases: &'a Bitbases,
    winner: Side,
    limits: Vec<Limit>,
    /// The results so far, by position.
    cache: HashMap<Key, Vec<CachedResult>>,
    nodes: u32,
}

impl Proof<'_> {
    /// Whether a position `ply` plies from the root can be won within the limits; `None` if
    /// unknown.
    fn wins(&mut self, position: &Position, counts: &Counts, ply: usize) -> Option<bool> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome.winner == Some(self.winner));
        }
        let is_reached = |(limit, count): (&Limit, &Option<usize>)| {
            limit.plies > 0 && count.is_some_and(|count| count >= limit.plies)
        };
        if self.limits.iter().zip(counts).any(is_reached) {
            return Some(false);
        }
        let plies = usize::from(self.bitbases.probe(position)?.plies?);
        if self.is_certainly_in_time(plies, counts) {
            return Some(true);
        }
        if let Some(cached) = self.cached(position.key(), counts) {
            return cached;
        }
        if self.nodes == MAX_NODES || ply == MAX_PLIES {
            return None;
        }
        self.nodes += 1;
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
    fn wins_by_moves(&mut self, position: &Position, counts: &Counts, ply: usize) -> Option<bool> {
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

    /// Whether the shortest win, in `plies` plies, is certain to come before any limit is reached.
    fn is_certainly_in_time(&self, plies: usize, counts: &Counts) -> bool {
        self.limits.iter().zip(counts).all(|(limit, count)| match count {
            _ if limit.plies == 0 => true,
            Some(count) => count + plies <= limit.plies,
            None => limit.is_loose || plies <= limit.plies,
        })
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
fn counts_after(
    setup: &VariantSetup,
    position: &Position,
    mv: Move,
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

/// The material of a position.
fn material(position: &Position) -> Material {
    let grid = position.grid();
    // The long diagonal from the corner at White's left, or on a mirrored board from the corner at
    // White's right.
    let road =
        (0..grid.size).filter_map(|row| grid.at(row, grid.size - 1 - row).or(grid.at(row, row)));
    let road: Vec<u8> = road.collect();
    let has_road_king = |side| road.iter().any(|&square| position.kings(side).has(square));
    Material {
        men: Side::ALL.map(|side| position.men(side).len() as u8),
        kings: Side::ALL.map(|side| position.kings(side).len() as u8),
        main_road: Side::ALL.map(has_road_king),
    }
}

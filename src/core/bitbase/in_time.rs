//! Whether an ending can be won before a move limit makes it a draw.

use std::collections::HashMap;
use std::iter;

use crate::board::{BitMove, Side};
use crate::game::{BitGame, material, terminal};
use crate::position::{BitPosition, Key};
use crate::rules::{Ending, Material, Rules, VariantSetup};

use super::file::Content;
use super::set::BitbaseSet;
use super::slice::Slice;
use super::value::Value;

/// The maximum number of positions searched, which takes seconds. Wins in few enough plies need
/// none; wins in 73 and 83 plies with five pieces took 134,000 and 676,000 when tried.
const MAX_NODES: u32 = 1_000_000;
/// The maximum length of a line, in plies.
const MAX_PLIES: usize = 300;

impl<R: Rules> BitbaseSet<R> {
    /// Whether the side that wins a game without draw rules also wins it within all move limits of
    /// the rules. `None` if neither side wins, if the distances are unknown, or if the search takes
    /// too long.
    ///
    /// Repetition is ignored: a side that can win need not repeat a position.
    pub fn wins_within_move_limits(&self, game: &BitGame<R>) -> Option<bool> {
        let side = game.position().side();
        let winner = match self.verdict(game.position())?.value {
            Value::Win => side,
            Value::Draw => return None,
            Value::Loss => side.opponent(),
        };
        let limits = limits(game.setup(), self);
        let setup = game.setup();
        let mut proof =
            Proof { setup, bitbases: self, winner, limits, known: HashMap::new(), nodes: 0 };
        proof.wins(game.position(), &game.counts(), 0)
    }
}

/// A move limit.
#[derive(Clone, Copy, Debug)]
struct Limit {
    plies: usize,
    /// Whether a winner who takes the shortest way wins in time as long as the count has not
    /// started.
    is_long: bool,
}

/// The move limits of the rules, that of king moves first.
fn limits<R: Rules>(setup: &VariantSetup, bitbases: &BitbaseSet<R>) -> Vec<Limit> {
    let king_moves = Limit { plies: usize::from(setup.draws.king_moves), is_long: false };
    let ending = |ending: &Ending| {
        let plies = usize::from(ending.plies);
        let mut slices = (2..=bitbases.pieces()).flat_map(Slice::all);
        let is_long = |slice| !applies(ending, slice) || is_over_in(plies, slice, bitbases);
        Limit { plies, is_long: slices.all(is_long) }
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
fn is_over_in<R: Rules>(plies: usize, slice: Slice, bitbases: &BitbaseSet<R>) -> bool {
    slice.with_mirror().into_iter().all(|slice| {
        let file = bitbases.file(slice, Content::Distances);
        file.is_some_and(|file| file.most_plies() <= plies)
    })
}

/// The plies counted towards each limit; `None` where the count has not started.
type Counts = [Option<usize>];

/// A result of the search: the counts, and whether the position can be won in time from them;
/// `None` if unknown.
type Finding = (Vec<Option<usize>>, Option<bool>);

/// A search for a win in time. The winner tries every move that wins, the quickest first; the loser
/// tries every move.
struct Proof<'a, R: Rules> {
    setup: &'a VariantSetup,
    bitbases: &'a BitbaseSet<R>,
    winner: Side,
    limits: Vec<Limit>,
    /// The results for positions and counts.
    known: HashMap<Key, Vec<Finding>>,
    nodes: u32,
}

impl<R: Rules> Proof<'_, R> {
    /// Whether a position `ply` plies from the root can be won in time; `None` if unknown.
    fn wins(&mut self, position: &BitPosition<R>, counts: &Counts, ply: usize) -> Option<bool> {
        if let Some(outcome) = terminal(position) {
            return Some(outcome.winner == Some(self.winner));
        }
        let is_reached = |(limit, count): (&Limit, &Option<usize>)| {
            limit.plies > 0 && count.is_some_and(|count| count >= limit.plies)
        };
        if self.limits.iter().zip(counts).any(is_reached) {
            return Some(false);
        }
        let plies = usize::from(self.bitbases.verdict(position)?.plies?);
        if self.is_surely_in_time(plies, counts) {
            return Some(true);
        }
        if let Some(known) = self.known(position.key(), counts) {
            return known;
        }
        if self.nodes == MAX_NODES || ply == MAX_PLIES {
            return None;
        }
        self.nodes += 1;
        // Most wins have time to spare, and rounded counts let more results be reused.
        let later = rounded_up(counts);
        let mut wins = None;
        if later != counts {
            wins = self.wins(position, &later, ply).filter(|wins| *wins);
        }
        if wins.is_none() {
            wins = self.wins_by_moves(position, counts, ply);
            self.known.entry(position.key()).or_default().push((counts.to_vec(), wins));
        }
        wins
    }

    /// Whether a position can be won in time, by searching its moves.
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

    /// The known result: a win is also one with lower counts, a failure is also one with higher
    /// counts.
    fn known(&self, key: Key, counts: &Counts) -> Option<Option<bool>> {
        let mut all = self.known.get(&key)?.iter();
        let tells = |(known, wins): &&Finding| match wins {
            Some(true) => known.iter().zip(counts).all(|(known, count)| count <= known),
            Some(false) => known.iter().zip(counts).all(|(known, count)| count >= known),
            None => known == counts,
        };
        all.find(tells).map(|&(_, wins)| wins)
    }

    /// Whether a win in `plies` plies comes before every draw if the winner takes the shortest way.
    fn is_surely_in_time(&self, plies: usize, counts: &Counts) -> bool {
        self.limits.iter().zip(counts).all(|(limit, count)| match count {
            _ if limit.plies == 0 => true,
            Some(count) => count + plies <= limit.plies,
            None => limit.is_long || plies <= limit.plies,
        })
    }
}

/// The counts, with that of king moves rounded up.
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
        let goes_on = !ending.restarts || before.is_same(&now) && (ending.applies)(now);
        let begins = (ending.applies)(now).then_some(0);
        count.filter(|_| goes_on).map(|count| count + 1).or(begins)
    };
    let endings = setup.draws.endings.iter().zip(counts.iter().skip(1)).map(ending);
    iter::once(Some(king_moves)).chain(endings).collect()
}

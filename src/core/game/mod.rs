//! A game on bitboards: its positions and moves, repetitions and draw counters.

mod outcome;

pub use outcome::{GameResult, Outcome, Reason, terminal};

use crate::board::{BitMove, Bitboard, Geometry, Side};
use crate::position::BitPosition;
use crate::rules::{Ending, Material, Rules, VariantSetup};

/// A game on bitboards from a starting position, with all the history the draw rules need.
#[derive(Clone, Debug)]
pub struct BitGame<R: Rules> {
    setup: &'static VariantSetup,
    /// All positions so far, the starting position first: one more than the number of moves.
    positions: Vec<BitPosition<R>>,
    moves: Vec<BitMove<R::Geometry>>,
    /// The number of plies before the start that count towards the move limits in force at the
    /// start.
    counted: usize,
}

impl<R: Rules> BitGame<R> {
    /// A game that starts from a position.
    pub fn new(setup: &'static VariantSetup, start: BitPosition<R>) -> Self {
        BitGame { setup, positions: vec![start], moves: Vec::new(), counted: 0 }
    }

    /// The same game, with `plies` plies before the start that count towards the move limits in
    /// force at the start: those for endings with its material, and the limit on king moves.
    pub fn with_counted_plies(self, plies: usize) -> Self {
        BitGame { counted: plies, ..self }
    }

    /// Adds the plies counted before the start to a count of the last `plies` plies, if that count
    /// reaches back to the start.
    #[inline]
    pub fn from_start(&self, plies: usize) -> usize {
        if plies == self.moves.len() { plies + self.counted } else { plies }
    }

    /// The start position, draw rules and notation of the variant.
    pub fn setup(&self) -> &'static VariantSetup {
        self.setup
    }

    /// The position the game started from.
    pub fn start(&self) -> &BitPosition<R> {
        &self.positions[0]
    }

    /// The current position.
    pub fn position(&self) -> &BitPosition<R> {
        &self.positions[self.positions.len() - 1]
    }

    /// All positions so far, the starting position first.
    pub fn positions(&self) -> &[BitPosition<R>] {
        &self.positions
    }

    /// The moves so far.
    pub fn moves(&self) -> &[BitMove<R::Geometry>] {
        &self.moves
    }

    /// Plays a legal move. A draw does not end the game by itself: the caller checks
    /// [`BitGame::outcome`].
    pub fn play(&mut self, mv: BitMove<R::Geometry>) {
        self.play_to(mv, &self.position().after(mv));
    }

    /// Plays a legal move when the position after it is already known.
    #[inline(never)]
    pub(crate) fn play_to(&mut self, mv: BitMove<R::Geometry>, after: &BitPosition<R>) {
        self.positions.push(*after);
        self.moves.push(mv);
    }

    /// Takes back the last move; `None` at the start.
    pub fn undo(&mut self) -> Option<BitMove<R::Geometry>> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// The outcome of the game; `None` while it is in progress. A win takes precedence over a draw:
    /// the last move within a limit may still win.
    pub fn outcome(&self) -> Option<Outcome> {
        terminal(self.position()).or_else(|| {
            let reason = self.draw()?;
            Some(Outcome { winner: None, reason })
        })
    }

    /// The number of times that the current position has occurred, including now.
    pub fn occurrences(&self) -> usize {
        let now = self.position();
        // No position before a conversion can recur.
        let reversible = self.reversible_plies();
        let first = self.positions.len() - 1 - reversible;
        self.positions[first..].iter().filter(|position| *position == now).count()
    }

    /// The number of plies since the last conversion, that is, a capture or a man's move forward.
    pub fn reversible_plies(&self) -> usize {
        let conversion = self
            .moves
            .iter()
            .zip(&self.positions)
            .rposition(|(mv, before)| before.is_conversion(*mv));
        self.moves.len() - conversion.map_or(0, |index| index + 1)
    }

    /// The number of past plies on which the draw rules may depend, at most the length of the game.
    /// A game that starts from the position that many plies ago and continues with the same moves
    /// is drawn exactly when this game is, now and after any further moves.
    pub fn draw_lookback(&self) -> usize {
        if self.counted > 0 {
            // Only the start position carries the count.
            return self.moves.len();
        }
        let endings = self.setup.draws.endings.iter().map(|ending| usize::from(ending.plies));
        let longest = endings.max().unwrap_or(0);
        self.reversible_plies().max(longest).min(self.moves.len())
    }

    /// The rule by which the game is drawn now, if any, assuming that the side to move has a legal
    /// move.
    pub fn draw(&self) -> Option<Reason> {
        let rules = &self.setup.draws;
        if rules.repetition > 0 && self.occurrences() >= usize::from(rules.repetition) {
            return Some(Reason::Repetition);
        }
        self.move_limit()
    }

    /// The move limit that has been reached, if any, assuming that the side to move has a legal
    /// move.
    pub fn move_limit(&self) -> Option<Reason> {
        let rules = &self.setup.draws;
        let king_moves = || self.from_start(self.reversible_plies());
        if rules.king_moves > 0 && king_moves() >= usize::from(rules.king_moves) {
            return Some(Reason::KingMoves);
        }
        let material = |plies| self.material_before(plies);
        if self.counted > 0 {
            let reached = |ending: &&Ending| {
                let count = count_towards(ending, self.moves.len(), &material);
                count.is_some_and(|count| self.from_start(count) >= usize::from(ending.plies))
            };
            return rules.endings.iter().find(reached).map(|ending| Reason::Ending(ending.article));
        }
        reached_ending(rules.endings, self.moves.len(), &material)
    }

    /// The number of plies counted towards each move limit, the limit on king moves first; `None`
    /// where the count has not started.
    pub fn move_counts(&self) -> Vec<Option<usize>> {
        let rules = &self.setup.draws;
        let king_moves = || self.from_start(self.reversible_plies());
        let mut counts = vec![(rules.king_moves > 0).then(king_moves)];
        for ending in rules.endings {
            let material = |plies| self.material_before(plies);
            let count = count_towards(ending, self.moves.len(), &material);
            counts.push(count.map(|count| self.from_start(count)));
        }
        counts
    }

    /// Whether a move limit whose count never restarts is certain to draw a game that would
    /// otherwise end in `plies` plies.
    pub fn is_limit_before(&self, plies: usize) -> bool {
        let is_before = |ending: &Ending| {
            let limit = usize::from(ending.plies);
            // The limit is reached if the material it applies to was on the board that many plies
            // earlier.
            let mut since = (limit + 1).saturating_sub(plies)..=limit.min(self.moves.len());
            since.any(|before| (ending.applies)(self.material_before(before)))
                || self.counted > 0 && self.counted_towards(ending) + plies > limit
        };
        self.setup.draws.endings.iter().any(|ending| !ending.restarts && is_before(ending))
    }

    /// The number of plies that count towards an ending's limit, 0 if the count has not started.
    fn counted_towards(&self, ending: &Ending) -> usize {
        let count = count_towards(ending, self.moves.len(), &|plies| self.material_before(plies));
        count.map_or(0, |count| self.from_start(count))
    }

    /// The material `plies` plies ago.
    fn material_before(&self, plies: usize) -> Material {
        material(&self.positions[self.moves.len() - plies])
    }
}

/// A function that returns a game's material as it was a given number of plies ago. It is a trait
/// object so that the functions that call it are compiled only once for all variants.
type MaterialBefore<'a> = dyn Fn(usize) -> Material + 'a;

/// The draw reason of the first move limit reached in a game of `plies` plies. A limit of `n` plies
/// is reached if the material it applies to was on the board `n` plies ago and, if a change of
/// material restarts its count, has not changed since.
fn reached_ending(
    endings: &'static [Ending],
    plies: usize,
    material: &MaterialBefore<'_>,
) -> Option<Reason> {
    let is_reached = |ending: &&Ending| {
        let limit = usize::from(ending.plies);
        if limit > plies {
            return false;
        }
        let then = material(limit);
        let continues = |plies| {
            let material = material(plies);
            material.is_same(&then) && (ending.applies)(material)
        };
        (ending.applies)(then) && (!ending.restarts || (0..limit).all(continues))
    };
    endings.iter().find(is_reached).map(|ending| Reason::Ending(ending.article))
}

/// The number of plies that count towards an ending's limit in a game of `plies` plies; `None` if
/// the count has not started.
fn count_towards(ending: &Ending, plies: usize, material: &MaterialBefore<'_>) -> Option<usize> {
    if !ending.restarts {
        let first = plies.min(usize::from(ending.plies));
        return (0..=first).rfind(|&before| (ending.applies)(material(before)));
    }
    let now = material(0);
    let continues = |&before: &usize| {
        let then = material(before);
        then.is_same(&now) && (ending.applies)(then)
    };
    (0..=plies).take_while(continues).last()
}

/// The material of a position.
pub fn material<R: Rules>(position: &BitPosition<R>) -> Material {
    let count = |board: Bitboard<R::Geometry>| board.len() as u8;
    let road = main_road::<R::Geometry>();
    Material {
        men: Side::ALL.map(|side| count(position.men(side))),
        kings: Side::ALL.map(|side| count(position.kings(side))),
        main_road: Side::ALL.map(|side| (position.kings(side) & road).is_some()),
    }
}

/// The main road: the long diagonal from the corner at White's left, or on a mirrored board from
/// the corner at White's right.
fn main_road<G: Geometry>() -> Bitboard<G> {
    (0..G::SIZE).filter_map(|row| G::at(row, G::SIZE - 1 - row).or(G::at(row, row))).collect()
}

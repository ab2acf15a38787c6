//! A plain solver: looks at every undecided position again and again, by its moves alone, until
//! nothing changes. It is slow and shares no code with the generator.

use std::collections::HashMap;

use manoury::bitbase::{Value, Verdict};
use manoury::board::{Grid, Kind, Side, SquareSet};
use manoury::erased::Position;
use manoury::game::Outcome;
use manoury::position::{Key, Setup};
use manoury::rules::Variant;
use rayon::prelude::*;

/// Where a move leads.
#[derive(Clone, Copy)]
enum Next {
    /// To the position with this number.
    Position(usize),
    /// To the end of the game, the opponent without a piece; the value for the opponent.
    End(Value),
}

/// All positions with White to move and 2 to `pieces` pieces, with their verdicts.
pub fn solve(variant: Variant, pieces: usize) -> Vec<(Position, Verdict)> {
    let positions = positions(variant, pieces);
    let numbers: HashMap<Key, usize> =
        positions.iter().enumerate().map(|(number, position)| (position.key(), number)).collect();
    assert_eq!(numbers.len(), positions.len(), "a key stands for one position");
    let nexts: Vec<Vec<Next>> =
        positions.par_iter().map(|position| nexts(position, &numbers)).collect();
    let mut ends: Vec<Option<(Value, u8)>> = vec![None; positions.len()];
    // Round n finds the ends in n plies.
    for plies in 0.. {
        let decided = |number: usize| {
            let after = |next: &Next| match *next {
                Next::Position(next) => ends[next].map(|(value, _)| -value),
                // That end takes 0 plies, so it counts from the next round on.
                Next::End(value) => (plies > 0).then_some(-value),
            };
            if let Some(outcome) = positions[number].outcome() {
                return Some(value(outcome, Side::White));
            }
            let after: Vec<_> = nexts[number].iter().map(after).collect();
            let has_won = after.contains(&Some(Value::Win));
            let has_lost = after.iter().all(|value| *value == Some(Value::Loss));
            has_won.then_some(Value::Win).or(has_lost.then_some(Value::Loss))
        };
        let open = (0..ends.len()).filter(|&number| ends[number].is_none());
        let new: Vec<_> = open.filter_map(|number| Some((number, decided(number)?))).collect();
        if new.is_empty() && plies > 0 {
            break;
        }
        for (number, value) in new {
            ends[number] = Some((value, plies));
        }
    }
    let verdict = |end: Option<(Value, u8)>| Verdict {
        value: end.map_or(Value::Draw, |(value, _)| value),
        plies: end.map(|(_, plies)| plies),
    };
    positions.into_iter().zip(ends.into_iter().map(verdict)).collect()
}

/// The value of a decided game for a side.
fn value(outcome: Outcome, side: Side) -> Value {
    if outcome.winner == Some(side) { Value::Win } else { Value::Loss }
}

/// All positions with White to move, pieces of both sides, and at most `pieces` pieces.
fn positions(variant: Variant, pieces: usize) -> Vec<Position> {
    let mut positions = Vec::new();
    place(variant, Setup::empty(Side::White), 1, pieces, &mut positions);
    positions
}

/// Adds the positions of a setup with up to `pieces` more pieces on the squares from `first` on.
fn place(variant: Variant, setup: Setup, first: u8, pieces: usize, positions: &mut Vec<Position>) {
    let has_white = setup.pieces[Side::White.index()].iter().any(|set| set.is_some());
    if has_white && let Ok(position) = Position::from_setup(variant, &setup) {
        positions.push(position);
    }
    if pieces == 0 {
        return;
    }
    for square in first..=variant.grid().squares() {
        for (side, kind) in
            Side::ALL.into_iter().flat_map(|side| [(side, Kind::Man), (side, Kind::King)])
        {
            let mut setup = setup;
            setup.put(side, kind, square);
            place(variant, setup, square + 1, pieces - 1, positions);
        }
    }
}

fn nexts(position: &Position, numbers: &HashMap<Key, usize>) -> Vec<Next> {
    let after = |mv| {
        let next = position.after(mv);
        if next.pieces(next.side()).is_empty() {
            let outcome = next.outcome().expect("a side without a piece cannot move");
            return Next::End(value(outcome, next.side()));
        }
        Next::Position(numbers[&with_white_to_move(&next).key()])
    };
    position.legal_moves().into_iter().map(after).collect()
}

/// The position as the side to move sees it: if that is Black, the board turned and the colours
/// swapped. It has no counters of king moves.
fn with_white_to_move(position: &Position) -> Position {
    let grid = position.grid();
    let Setup { side, pieces: [white, black] } = position.setup();
    let pieces = match side {
        Side::White => [white, black],
        Side::Black => [black, white].map(|sets| sets.map(|set| rotated(grid, set))),
    };
    let setup = Setup { side: Side::White, pieces };
    Position::from_setup(position.variant(), &setup).expect("a position after a move")
}

/// The set after a half turn of the board.
fn rotated(grid: Grid, set: SquareSet) -> SquareSet {
    SquareSet::from_bits(set.bits().reverse_bits() >> (128 - grid.squares()))
}

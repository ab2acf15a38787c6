//! A plain solver: every position that is not decided yet is looked at again and again, by its moves
//! alone, until nothing changes. Slow, and with nothing in it that could be wrong in the same way.

use std::collections::HashMap;

use manoury::bitbase::{Index, Slice, Value, Verdict};
use manoury::movegen::legal_moves;
use manoury::position::{Pieces, Position};
use manoury::rules::{Goal, Rules};

/// Where a move leads: to a position, or to the end, the opponent without a piece.
#[derive(Clone, Copy)]
enum Next {
    Position(usize),
    End,
}

/// All positions with White to move and 2 to `pieces` pieces, and what is known about them.
pub fn solve<R: Rules>(pieces: usize) -> Vec<(Position<R>, Verdict)> {
    let positions = positions::<R>(pieces);
    let places: HashMap<_, _> =
        positions.iter().enumerate().map(|(place, &p)| (p, place)).collect();
    let moves: Vec<Vec<Next>> = positions.iter().map(|position| next(position, &places)).collect();
    let without_move = if R::GOAL == Goal::Lose { Value::Win } else { Value::Loss };
    let mut ends: Vec<Option<(Value, u8)>> = vec![None; positions.len()];
    // In round n the ends in n plies are found.
    for plies in 0.. {
        let decided = |place: usize| {
            let after = |next: &Next| match *next {
                Next::Position(next) => ends[next].map(|(value, _)| -value),
                // That is a loss in 0 plies, known from the next round on.
                Next::End => (plies > 0).then_some(-without_move),
            };
            if moves[place].is_empty() {
                return Some(without_move);
            }
            let after: Vec<_> = moves[place].iter().map(after).collect();
            let has_won = after.contains(&Some(Value::Win));
            let has_lost = after.iter().all(|value| *value == Some(Value::Loss));
            has_won.then_some(Value::Win).or(has_lost.then_some(Value::Loss))
        };
        let open = (0..ends.len()).filter(|&place| ends[place].is_none());
        let new: Vec<_> = open.filter_map(|place| Some((place, decided(place)?))).collect();
        if new.is_empty() && plies > 0 {
            break;
        }
        for (place, value) in new {
            ends[place] = Some((value, plies));
        }
    }
    let verdict = |end: Option<(Value, u8)>| Verdict {
        value: end.map_or(Value::Draw, |(value, _)| value),
        plies: end.map(|(_, plies)| plies),
    };
    positions.into_iter().zip(ends.into_iter().map(verdict)).collect()
}

fn positions<R: Rules>(pieces: usize) -> Vec<Position<R>> {
    let mut positions = Vec::new();
    for slice in (2..=pieces).flat_map(Slice::all) {
        let index = Index::<R>::new(slice);
        positions.extend((0..index.len()).map(|number| index.pieces(number).position::<R>()));
    }
    positions
}

fn next<R: Rules>(position: &Position<R>, places: &HashMap<Position<R>, usize>) -> Vec<Next> {
    let after = |mv| {
        let next = position.after(mv);
        if next.pieces(next.side()).is_empty() {
            return Next::End;
        }
        Next::Position(places[&Pieces::of(&next).position()])
    };
    legal_moves(position).into_iter().map(after).collect()
}

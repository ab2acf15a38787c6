//! The order of moves: the hash move, then large captures, then quiet moves by their history.

use smallvec::SmallVec;

use crate::board::{Move, MoveList, PackedMove};
use crate::position::Position;
use crate::rules::Rules;

use super::history::History;
use super::params::HISTORY_LIMIT;

/// The rank of the hash move; every other rank is lower.
const FIRST: i32 = 1_000 * HISTORY_LIMIT;

/// The legal moves of a position, best first.
pub(super) struct Picker<R: Rules> {
    moves: MoveList<R::Geometry>,
    ranks: SmallVec<[i32; 64]>,
    picked: usize,
}

impl<R: Rules> Picker<R> {
    /// Ranks the legal moves. A hash move that is not among them changes nothing.
    #[inline]
    pub(super) fn new(
        position: &Position<R>,
        moves: MoveList<R::Geometry>,
        hash_move: Option<PackedMove>,
        history: &History,
    ) -> Self {
        let rank = |&mv: &Move<R::Geometry>| {
            if hash_move == Some(mv.into()) {
                FIRST
            } else if mv.is_capture() {
                captured_value(position, mv)
            } else {
                history.value(position.side(), mv)
            }
        };
        let ranks = moves.iter().map(rank).collect();
        Picker { moves, ranks, picked: 0 }
    }

    /// The best move that has not been picked yet; of equal ones the first of the list.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Move<R::Geometry>> {
        let rest = &self.ranks[self.picked..];
        let best = (0..rest.len()).rev().max_by_key(|&index| rest[index])?;
        self.moves.swap(self.picked, self.picked + best);
        self.ranks.swap(self.picked, self.picked + best);
        self.picked += 1;
        Some(self.moves[self.picked - 1])
    }

    /// The moves picked so far, in order.
    #[inline]
    pub(super) fn picked(&self) -> &[Move<R::Geometry>] {
        &self.moves[..self.picked]
    }
}

/// The rank of a capture: a king counts as three men.
#[inline(always)]
fn captured_value<R: Rules>(position: &Position<R>, mv: Move<R::Geometry>) -> i32 {
    let kings = (mv.captured & position.all_kings()).len();
    (mv.captured.len() + 2 * kings) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board10;
    use crate::movegen::legal_moves;
    use crate::rules::International;

    #[test]
    fn every_move_comes_once_and_the_hash_move_first() {
        let position = Position::<International>::start();
        let moves = legal_moves(&position);
        for &hash_move in &moves {
            let history = History::new::<Board10>();
            let packed = Some(hash_move.into());
            let mut picker = Picker::new(&position, moves.clone(), packed, &history);
            assert_eq!(picker.next(), Some(hash_move));
            while picker.next().is_some() {}
            let mut picked = picker.picked().to_vec();
            let mut all = moves.to_vec();
            picked.sort_by_key(|mv| mv.numbers());
            all.sort_by_key(|mv| mv.numbers());
            assert_eq!(picked, all);
        }
    }

    #[test]
    fn a_hash_move_that_is_not_legal_is_never_picked() {
        let position = Position::<International>::start();
        let moves = legal_moves(&position);
        let history = &History::new::<Board10>();
        for bits in 1..=u16::MAX {
            let packed = PackedMove::from_bits(bits);
            let picker = &mut Picker::new(&position, moves.clone(), packed, history);
            let first = picker.next().unwrap();
            assert!(moves.contains(&first));
        }
    }

    #[test]
    fn moves_of_good_history_come_early() {
        let position = Position::<International>::start();
        let moves = legal_moves(&position);
        let last = moves[moves.len() - 1];
        let mut history = History::new::<Board10>();
        history.reward(position.side(), &moves, 5);
        assert_eq!(Picker::new(&position, moves, None, &history).next(), Some(last));
    }
}

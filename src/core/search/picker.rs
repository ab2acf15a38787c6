//! Move ordering: the hash move, then captures by the pieces taken, then quiet moves by history.

use smallvec::SmallVec;

use crate::board::{BitMove, Geometry, MoveList, PackedMove};
use crate::position::BitPosition;
use crate::rules::Rules;

use super::history::{History, HistoryPlace};
use super::params::Params;

/// What orders the quiet moves of a node.
pub(super) struct Hints<'a> {
    /// Quiet moves that refuted sibling positions.
    pub(super) killer_moves: [Option<PackedMove>; 2],
    /// The counter move, the last refutation of the move before.
    pub(super) counter_move: Option<PackedMove>,
    /// The success of quiet moves.
    pub(super) history: &'a History,
    /// Selects the history entries of the node.
    pub(super) place: HistoryPlace,
    /// The weights of these.
    pub(super) params: &'a Params,
}

impl Hints<'_> {
    /// Whether a move is a killer move: it refuted a sibling position.
    #[inline(always)]
    fn is_killer(&self, mv: PackedMove) -> bool {
        let [newest, older] = self.killer_moves;
        (newest == Some(mv)) | (older == Some(mv))
    }

    /// Whether a quiet move is a killer or a counter move.
    #[inline(always)]
    pub(super) fn is_refutation<G: Geometry>(&self, mv: BitMove<G>) -> bool {
        let mv = PackedMove::of_quiet(mv);
        self.is_killer(mv) | (self.counter_move == Some(mv))
    }

    #[inline(always)]
    fn rank<R: Rules>(&self, position: &BitPosition<R>, mv: BitMove<R::Geometry>) -> i32 {
        if mv.is_capture() {
            return captured_value(position, mv);
        }
        let bonus = |is_one, rank| if is_one { rank } else { 0 };
        let packed = PackedMove::of_quiet(mv);
        self.history.value(self.place, mv, self.params)
            + bonus(self.is_killer(packed), self.params.killer_rank)
            + bonus(self.counter_move == Some(packed), self.params.counter_rank)
    }
}

/// The ranks of a move list: one number per move, the rank in its upper bits and the index, counted
/// down from [`INDICES`], in its lower ones. The maximum is then the move to pick, found without a
/// branch that depends on the moves.
pub(super) type Ranks = SmallVec<[i32; 64]>;

/// Longer than any list of moves.
const INDICES: i32 = (1 << 11) - 1;
/// Marks a move already picked, and the room after the last.
const PICKED: i32 = i32::MIN;

/// Picks the moves of a list, best first. List and ranks are owned by the caller, as they are
/// large.
pub(super) struct Picker<'a, R: Rules> {
    moves: &'a MoveList<R::Geometry>,
    ranks: &'a mut Ranks,
    /// The index of the hash move, once picked.
    first: Option<usize>,
    /// The index of the highest-ranked move not yet picked, once looked up.
    ahead: Option<usize>,
}

impl<'a, R: Rules> Picker<'a, R> {
    /// A picker of the legal moves of a position; `ranks` must be empty.
    #[inline(always)]
    pub(super) fn new(moves: &'a MoveList<R::Geometry>, ranks: &'a mut Ranks) -> Self {
        Picker { moves, ranks, first: None, ahead: None }
    }

    /// The next move: the hash move if it is legal, then the others by rank, ties in the order of
    /// the list. Ranks are computed only when needed: the hash move is often enough.
    #[inline(always)]
    pub(super) fn next<'h>(
        &mut self,
        position: &BitPosition<R>,
        hash_move: Option<PackedMove>,
        hints: impl FnOnce() -> Hints<'h>,
    ) -> Option<BitMove<R::Geometry>> {
        if self.ranks.is_empty() {
            if self.first.is_none()
                && let Some(hash_move) = hash_move
            {
                self.first = self.moves.iter().position(|&mv| hash_move.is(mv));
                if let Some(first) = self.first {
                    return Some(self.moves[first]);
                }
            }
            let hints = hints();
            self.rank(|mv| hints.rank(position, mv));
        }
        self.best()
    }

    /// The move that [`Picker::next`] will return, once ranks are known.
    #[inline(always)]
    pub(super) fn peek(&mut self) -> Option<BitMove<R::Geometry>> {
        self.ahead = self.best_index();
        Some(self.moves[self.ahead?])
    }

    /// The index of the highest-ranked move not yet picked.
    #[inline(always)]
    fn best_index(&self) -> Option<usize> {
        let best = highest(self.ranks);
        (best != PICKED).then_some((INDICES - (best & INDICES)) as usize)
    }

    /// The next capture, by the pieces it takes.
    #[inline(always)]
    pub(super) fn next_capture(
        &mut self,
        position: &BitPosition<R>,
    ) -> Option<BitMove<R::Geometry>> {
        if self.ranks.is_empty() {
            self.rank(|mv| captured_value(position, mv));
        }
        self.best()
    }

    #[inline(always)]
    fn rank(&mut self, rank: impl Fn(BitMove<R::Geometry>) -> i32) {
        for (&mv, number) in self.moves.iter().zip((0..=INDICES).rev()) {
            self.ranks.push(rank(mv) * (INDICES + 1) + number);
        }
        if let Some(first) = self.first {
            self.ranks[first] = PICKED;
        }
    }

    /// The highest-ranked move not yet picked.
    #[inline(always)]
    fn best(&mut self) -> Option<BitMove<R::Geometry>> {
        let index = self.ahead.take().or_else(|| self.best_index())?;
        self.ranks[index] = PICKED;
        Some(self.moves[index])
    }
}

/// The highest rank. Not inlined: it is long vector code, the same for all games.
#[inline(never)]
fn highest(ranks: &[i32]) -> i32 {
    ranks.iter().copied().fold(PICKED, i32::max)
}

/// The rank of a capture, with a king counting as three men.
#[inline(always)]
fn captured_value<R: Rules>(position: &BitPosition<R>, mv: BitMove<R::Geometry>) -> i32 {
    let kings = (mv.captured & position.all_kings()).len();
    (mv.captured.len() + 2 * kings) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board10, Side};
    use crate::movegen::{self, legal_moves};
    use crate::rules::{Breakthrough, Canadian, English, Frisian, International};
    use crate::search::history::Context;

    const NOWHERE: HistoryPlace = HistoryPlace { side: Side::White, contexts: [Context::NONE; 2] };

    /// All moves in the order of the picker, given a hash move.
    fn picked<R: Rules>(
        position: &BitPosition<R>,
        hash_move: Option<PackedMove>,
        history: &History,
    ) -> Vec<BitMove<R::Geometry>> {
        let params = &Params::default();
        let hints = || Hints {
            killer_moves: [None; 2],
            counter_move: None,
            history,
            place: NOWHERE,
            params,
        };
        let (moves, mut ranks) = (legal_moves(position), Ranks::new());
        let mut picker = Picker::new(&moves, &mut ranks);
        std::iter::from_fn(|| picker.next(position, hash_move, hints)).collect()
    }

    #[test]
    fn the_hash_move_comes_first() {
        let position = BitPosition::<International>::start();
        let history = History::new::<Board10>();
        for &hash_move in &legal_moves(&position) {
            assert_eq!(picked(&position, Some(hash_move.into()), &history)[0], hash_move);
        }
    }

    #[test]
    fn a_hash_move_that_is_not_legal_is_never_picked() {
        let position = BitPosition::<International>::start();
        let history = History::new::<Board10>();
        let moves = legal_moves(&position);
        for bits in 1..=u16::MAX {
            let all = picked(&position, PackedMove::from_bits(bits), &history);
            assert!(all.len() == moves.len() && all.iter().all(|mv| moves.contains(mv)));
        }
    }

    #[test]
    fn moves_of_good_history_come_early() {
        let position = BitPosition::<International>::start();
        let moves = legal_moves(&position);
        let last = moves[moves.len() - 1];
        let history = History::new::<Board10>();
        history.reward(NOWHERE, &moves, 5, &Params::default());
        assert_eq!(picked(&position, None, &history)[0], last);
    }

    /// Perft through the picker: whatever the hints, it gives each legal move exactly once.
    fn perft<R: Rules>(position: &BitPosition<R>, depth: u32, history: &History, seed: u16) -> u64 {
        if depth == 0 {
            return 1;
        }
        let legal = legal_moves(position);
        let hash_move = legal.get(usize::from(seed) % (legal.len() + 1)).map(|&mv| mv.into());
        let moves = picked(position, hash_move, history);
        let seeds = (0..).map(|index| seed.wrapping_mul(31).wrapping_add(index));
        let below = moves.iter().zip(seeds);
        below.map(|(&mv, seed)| perft(&position.after(mv), depth - 1, history, seed)).sum()
    }

    fn compare<R: Rules>(depth: u32) {
        let position = BitPosition::<R>::start();
        let history = History::new::<R::Geometry>();
        for mv in legal_moves(&position) {
            history.reward(NOWHERE, &[mv], 3, &Params::default());
        }
        assert_eq!(perft(&position, depth, &history, 7), movegen::perft(&position, depth));
    }

    #[test]
    fn perft_through_the_picker_is_perft() {
        compare::<International>(6);
        compare::<Frisian>(5);
        compare::<Breakthrough>(5);
        compare::<English>(7);
        compare::<Canadian>(4);
    }
}

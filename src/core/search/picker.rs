//! Move ordering: the hash move first, then either captures, ordered by the value of the pieces
//! taken and then by history, or quiet moves, ordered by history.

use smallvec::SmallVec;

use crate::board::{BitMove, Geometry, MoveList, PackedMove};
use crate::position::BitPosition;
use crate::rules::Rules;

use super::histories::{HistoryContext, MoveHistory};
use super::params::Params;

/// The data for ordering the moves of a node.
pub struct MoveOrdering<'a> {
    /// Quiet moves that caused a beta cutoff in sibling positions.
    pub killer_moves: [Option<PackedMove>; 2],
    /// The counter move: the last quiet refutation of the previous move.
    pub counter_move: Option<PackedMove>,
    /// The history of moves.
    pub history: &'a MoveHistory,
    /// The context that selects the history entries of the node.
    pub context: HistoryContext,
    /// The tunables, with the weights of the other fields.
    pub params: &'a Params,
}

impl MoveOrdering<'_> {
    /// Whether a move is a killer move: it caused a beta cutoff in a sibling position.
    #[inline(always)]
    fn is_killer(&self, mv: PackedMove) -> bool {
        let [newest, older] = self.killer_moves;
        (newest == Some(mv)) | (older == Some(mv))
    }

    /// Whether a quiet move is a killer or a counter move.
    #[inline(always)]
    pub fn is_refutation<G: Geometry>(&self, mv: BitMove<G>) -> bool {
        let mv = PackedMove::of_quiet(mv);
        self.is_killer(mv) | (self.counter_move == Some(mv))
    }

    #[inline(always)]
    fn score<R: Rules>(&self, position: &BitPosition<R>, mv: BitMove<R::Geometry>) -> i32 {
        let history = self.history.value(self.context, mv, self.params);
        if mv.is_capture() {
            return capture_score(position, mv) * MAN_TAKEN + history / HISTORY_STEP;
        }
        let bonus = |applies, bonus| if applies { bonus } else { 0 };
        let packed = PackedMove::of_quiet(mv);
        history
            + bonus(self.is_killer(packed), self.params.killer_bonus)
            + bonus(self.counter_move == Some(packed), self.params.counter_bonus)
    }
}

/// The scores of a move list, one number per move: the score in the upper bits and the index,
/// counted down from [`MAX_INDEX`], in the lower bits. The move to pick is then the maximum, found
/// without data-dependent branches.
type Scores = SmallVec<[i32; 64]>;

/// The score of a capture for each man it takes. With the default weight of the continuation
/// history it exceeds the difference between the histories of any two moves, so that history decides
/// only between captures of equal value. Under the majority rule, nearly all captures are equal.
const MAN_TAKEN: i32 = 1 << 10;
/// The difference in history that counts as 1 in the score of a capture.
const HISTORY_STEP: i32 = 64;

/// An upper bound on the index of a move in a list.
const MAX_INDEX: i32 = (1 << 11) - 1;
/// The score of a move already picked.
const PICKED: i32 = i32::MIN;

/// Picks the moves of a list, best first.
pub struct MovePicker<'a, R: Rules> {
    moves: &'a MoveList<R::Geometry>,
    /// Empty until needed: the hash move often causes a cutoff by itself.
    scores: Scores,
    /// The index of the hash move, once picked.
    hash_index: Option<usize>,
    /// The index of the best move not yet picked, once looked up.
    next_index: Option<usize>,
}

impl<'a, R: Rules> MovePicker<'a, R> {
    /// A picker of the legal moves of a position.
    #[inline(always)]
    pub fn new(moves: &'a MoveList<R::Geometry>) -> Self {
        MovePicker { moves, scores: Scores::new(), hash_index: None, next_index: None }
    }

    /// The next move: the hash move if it is legal, then the others by score, with ties in list
    /// order.
    #[inline(always)]
    pub fn next<'o>(
        &mut self,
        position: &BitPosition<R>,
        hash_move: Option<PackedMove>,
        ordering: impl FnOnce() -> MoveOrdering<'o>,
    ) -> Option<BitMove<R::Geometry>> {
        if self.scores.is_empty() {
            if self.hash_index.is_none()
                && let Some(hash_move) = hash_move
            {
                self.hash_index = self.moves.iter().position(|&mv| hash_move.is(mv));
                if let Some(index) = self.hash_index {
                    return Some(self.moves[index]);
                }
            }
            let ordering = ordering();
            self.score_moves(|mv| ordering.score(position, mv));
        }
        self.pick()
    }

    /// The next capture, in descending order of the value of the pieces taken.
    #[inline(always)]
    pub fn next_capture(&mut self, position: &BitPosition<R>) -> Option<BitMove<R::Geometry>> {
        if self.scores.is_empty() {
            self.score_moves(|mv| capture_score(position, mv));
        }
        self.pick()
    }

    /// The move that [`MovePicker::next`] will return; `None` before moves have scores.
    #[inline(always)]
    pub fn peek(&mut self) -> Option<BitMove<R::Geometry>> {
        self.next_index = self.best_index();
        Some(self.moves[self.next_index?])
    }

    #[inline(always)]
    fn score_moves(&mut self, score: impl Fn(BitMove<R::Geometry>) -> i32) {
        for (&mv, index) in self.moves.iter().zip((0..=MAX_INDEX).rev()) {
            self.scores.push(score(mv) * (MAX_INDEX + 1) + index);
        }
        if let Some(index) = self.hash_index {
            self.scores[index] = PICKED;
        }
    }

    #[inline(always)]
    fn pick(&mut self) -> Option<BitMove<R::Geometry>> {
        let index = self.next_index.take().or_else(|| self.best_index())?;
        self.scores[index] = PICKED;
        Some(self.moves[index])
    }

    /// The index of the best move not yet picked.
    #[inline(always)]
    fn best_index(&self) -> Option<usize> {
        let best = highest(&self.scores);
        (best != PICKED).then_some((MAX_INDEX - (best & MAX_INDEX)) as usize)
    }
}

/// The highest score. Not inlined, as the vectorized code is long and the same for all variants.
#[inline(never)]
fn highest(scores: &[i32]) -> i32 {
    scores.iter().copied().fold(PICKED, i32::max)
}

/// The score of a capture: the number of men it takes, with a king counting as three men.
#[inline(always)]
fn capture_score<R: Rules>(position: &BitPosition<R>, mv: BitMove<R::Geometry>) -> i32 {
    let kings = (mv.captured & position.all_kings()).len();
    (mv.captured.len() + 2 * kings) as i32
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;
    use crate::board::{Board8, Board10, Kind, Side};
    use crate::movegen::{self, legal_moves};
    use crate::position::Setup;
    use crate::rules::{
        Canadian, English, Frisian, International, InternationalVariation, Variant,
    };
    use crate::search::histories::PieceTo;

    const CONTEXT: HistoryContext =
        HistoryContext { side: Side::White, previous: [PieceTo::NONE; 2] };

    /// All moves in the order of the picker, given a hash move.
    fn picked<R: Rules>(
        position: &BitPosition<R>,
        hash_move: Option<PackedMove>,
        history: &MoveHistory,
    ) -> Vec<BitMove<R::Geometry>> {
        let params = &Params::default();
        let ordering = || MoveOrdering {
            killer_moves: [None; 2],
            counter_move: None,
            history,
            context: CONTEXT,
            params,
        };
        let moves = legal_moves(position);
        let mut picker = MovePicker::new(&moves);
        std::iter::from_fn(|| picker.next(position, hash_move, ordering)).collect()
    }

    fn start() -> BitPosition<International> {
        BitPosition::start_of(International, Variant::International.setup())
    }

    #[test]
    fn picks_the_hash_move_first() {
        let position = start();
        let history = MoveHistory::new::<Board10>();
        for &hash_move in &legal_moves(&position) {
            assert_eq!(picked(&position, Some(hash_move.into()), &history)[0], hash_move);
        }
    }

    #[test]
    fn never_picks_an_illegal_hash_move() {
        let position = start();
        let history = MoveHistory::new::<Board10>();
        let moves = legal_moves(&position);
        for bits in 1..=u16::MAX {
            let all = picked(&position, PackedMove::from_bits(bits), &history);
            assert!(all.len() == moves.len() && all.iter().all(|mv| moves.contains(mv)));
        }
    }

    #[test]
    fn picks_moves_by_history() {
        let position = start();
        let moves = legal_moves(&position);
        let last = moves[moves.len() - 1];
        let history = MoveHistory::new::<Board10>();
        history.update(CONTEXT, &moves, 5, &Params::default());
        assert_eq!(picked(&position, None, &history)[0], last);
    }

    /// The position with White to move that has men on the given squares.
    fn men<R: Rules>(rules: R, white: &[u8], black: &[u8]) -> BitPosition<R> {
        let mut setup = Setup::empty(Side::White);
        white.iter().for_each(|&square| setup.put(Side::White, Kind::Man, square));
        black.iter().for_each(|&square| setup.put(Side::Black, Kind::Man, square));
        setup.position(rules)
    }

    #[test]
    fn picks_captures_of_equal_value_by_history() {
        let position = men(International, &[32, 33], &[28]);
        let moves = legal_moves(&position);
        assert_eq!(moves.len(), 2);
        for refutation in moves.iter().copied() {
            let history = MoveHistory::new::<Board10>();
            history.update(CONTEXT, &[refutation], 5, &Params::default());
            assert_eq!(picked(&position, None, &history)[0], refutation);
        }
    }

    #[test]
    fn picks_captures_by_value_before_history() {
        let position = men(English, &[22], &[17, 18, 11]);
        let taken = |mv: &BitMove<_>| mv.captured.len();
        let mut moves = legal_moves(&position);
        moves.sort_by_key(|mv| Reverse(taken(mv)));
        assert_eq!(moves.iter().map(taken).collect::<Vec<_>>(), [2, 1]);
        let history = MoveHistory::new::<Board8>();
        for depth in 1..200 {
            history.update(CONTEXT, &moves, depth, &Params::default());
        }
        assert_eq!(picked(&position, None, &history), moves.to_vec());
    }

    /// Perft through the picker, which must pick each legal move exactly once.
    fn perft<R: Rules>(
        position: &BitPosition<R>,
        depth: u32,
        history: &MoveHistory,
        seed: u16,
    ) -> u64 {
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

    fn compare_perft<R: Rules>(rules: R, variant: Variant, depth: u32) {
        let position = BitPosition::start_of(rules, variant.setup());
        let history = MoveHistory::new::<R::Geometry>();
        for mv in legal_moves(&position) {
            history.update(CONTEXT, &[mv], 3, &Params::default());
        }
        assert_eq!(perft(&position, depth, &history, 7), movegen::perft(&position, depth, None));
    }

    #[test]
    fn picks_every_move_once() {
        compare_perft(International, Variant::International, 6);
        compare_perft(Frisian, Variant::Frisian, 5);
        compare_perft(InternationalVariation::BREAKTHROUGH, Variant::Breakthrough, 5);
        compare_perft(English, Variant::English, 7);
        compare_perft(Canadian, Variant::Canadian, 4);
    }
}

//! Statistics that the threads of an engine collect while searching and keep between the searches
//! of a game: move histories and the correction history. All threads share them, so that each
//! benefits from the results of the others.

use std::sync::atomic::{AtomicI16, Ordering};

use crate::board::{BitMove, Bits, Geometry, PackedMove, Side};
use crate::position::BitPosition;
use crate::rules::Rules;
use crate::score::Score;

use super::eval_cache::EvalCache;
use super::params::{CORRECTION_ENTRIES, CORRECTION_LIMIT, CORRECTION_UNIT, HISTORY_LIMIT, Params};

/// The statistics collected by all threads of an engine.
pub struct Histories {
    /// The history of moves.
    pub moves: MoveHistory,
    /// The errors of the static evaluation.
    pub correction: CorrectionHistory,
    /// Caches of static evaluations, by thread.
    pub evaluations: Vec<EvalCache>,
}

impl Histories {
    /// Empty histories for a board and a number of threads.
    pub fn new<G: Geometry>(threads: usize) -> Self {
        Histories {
            moves: MoveHistory::new::<G>(),
            correction: CorrectionHistory::new(),
            evaluations: (0..threads).map(|_| EvalCache::new()).collect(),
        }
    }
}

/// A list of 16-bit numbers, shared between threads without locks. If two threads update a number
/// at the same time, one update is lost, which values learned in many small steps can tolerate.
struct AtomicNumbers(Vec<AtomicI16>);

impl AtomicNumbers {
    /// `len` zeros.
    fn new(len: usize) -> Self {
        AtomicNumbers((0..len).map(|_| AtomicI16::new(0)).collect())
    }

    #[inline(always)]
    fn get(&self, index: usize) -> i16 {
        self.0[index].load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn set(&self, index: usize, number: i16) {
        self.0[index].store(number, Ordering::Relaxed);
    }
}

/// A move that led to a node, reduced to what histories distinguish: an index by side, kind of
/// piece and target square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PieceTo(u16);

impl PieceTo {
    /// No move.
    pub const NONE: PieceTo = PieceTo(0);

    /// The number of distinct values on a board.
    const fn count<G: Geometry>() -> usize {
        1 + 4 * G::BITS
    }

    /// The index of a move of `side` by a king or a man.
    #[inline(always)]
    pub fn new<G: Geometry>(side: Side, is_king: bool, mv: BitMove<G>) -> Self {
        let piece = 2 * side.index() + usize::from(is_king);
        PieceTo((1 + piece * G::BITS + mv.to.index()) as u16)
    }
}

/// The context that selects the history entries of a node.
#[derive(Clone, Copy)]
pub struct HistoryContext {
    /// The side to move.
    pub side: Side,
    /// The last move and the one before it.
    pub previous: [PieceTo; 2],
}

/// The history heuristic (J. Schaeffer, *The history heuristic and alpha-beta search enhancements
/// in practice*, 1989): moves that caused a beta cutoff at one node are tried early at others. There
/// are entries for moves by themselves and for moves as replies to either of the last two moves
/// (continuation history). The last quiet refutation of each move is stored as its counter move (J.
/// Uiterwijk, *The countermove heuristic*, 1992).
pub struct MoveHistory {
    /// By side, origin and target square.
    butterfly: AtomicNumbers,
    /// Two tables, by the last move and by the one before it; each also by the [`target`] of the
    /// move.
    continuation: [AtomicNumbers; 2],
    /// Counter moves as packed bits, by the last move.
    counter_moves: AtomicNumbers,
}

/// The number of entries per previous move: two for each target square.
const fn targets<G: Geometry>() -> usize {
    2 * G::BITS
}

/// The entry of a move: moves to the same square from the left and from the right have different
/// entries.
#[inline(always)]
fn target<G: Geometry>(mv: BitMove<G>) -> usize {
    2 * mv.to.index() + usize::from((mv.from.index() ^ mv.to.index()) & 1 == 0)
}

impl MoveHistory {
    /// An empty history for a board.
    pub fn new<G: Geometry>() -> Self {
        let pieces = PieceTo::count::<G>();
        let continuation = || AtomicNumbers::new(pieces * targets::<G>());
        MoveHistory {
            butterfly: AtomicNumbers::new(2 * G::BITS * G::BITS),
            continuation: [continuation(), continuation()],
            counter_moves: AtomicNumbers::new(pieces),
        }
    }

    /// The history value of a move, at most 3 * [`HISTORY_LIMIT`] in absolute value if the weight of
    /// the continuation history is 100 %.
    #[inline(always)]
    pub fn value<G: Geometry>(
        &self,
        context: HistoryContext,
        mv: BitMove<G>,
        params: &Params,
    ) -> i32 {
        let [last, before] = [0, 1].map(|back| {
            i32::from(self.continuation[back].get(continuation_index(context, back, mv)))
        });
        let butterfly = i32::from(self.butterfly.get(butterfly_index(context.side, mv)));
        butterfly + (last + before) * params.continuation_weight / 100
    }

    /// The counter move: the last quiet refutation of the previous move.
    #[inline(always)]
    pub fn counter_move(&self, context: HistoryContext) -> Option<PackedMove> {
        PackedMove::from_bits(self.counter_moves.get(usize::from(context.previous[0].0)) as u16)
    }

    /// Rewards the last move of `searched`, which caused a beta cutoff in a search to `depth`, and
    /// penalizes the moves searched before it.
    #[inline]
    pub fn update<G: Geometry>(
        &self,
        context: HistoryContext,
        searched: &[BitMove<G>],
        depth: i32,
        params: &Params,
    ) {
        let bonus = (params.history_bonus * depth * depth).min(params.history_max);
        let Some((&refutation, others)) = searched.split_last() else {
            return;
        };
        if !refutation.is_capture() {
            let bits = PackedMove::from(refutation).bits() as i16;
            self.counter_moves.set(usize::from(context.previous[0].0), bits);
        }
        self.add(context, refutation, bonus);
        for &mv in others {
            self.add(context, mv, -bonus);
        }
    }

    #[inline]
    fn add<G: Geometry>(&self, context: HistoryContext, mv: BitMove<G>, bonus: i32) {
        add(&self.butterfly, butterfly_index(context.side, mv), bonus);
        for back in 0..2 {
            add(&self.continuation[back], continuation_index(context, back, mv), bonus);
        }
    }
}

/// Adds a bonus to a value, scaled down as the value approaches the limit.
#[inline(always)]
fn add(values: &AtomicNumbers, index: usize, bonus: i32) {
    let value = i32::from(values.get(index));
    values.set(index, (value + bonus - value * bonus.abs() / HISTORY_LIMIT) as i16);
}

#[inline(always)]
fn butterfly_index<G: Geometry>(side: Side, mv: BitMove<G>) -> usize {
    (side.index() * G::BITS + mv.from.index()) * G::BITS + mv.to.index()
}

#[inline(always)]
fn continuation_index<G: Geometry>(context: HistoryContext, back: usize, mv: BitMove<G>) -> usize {
    usize::from(context.previous[back].0) * targets::<G>() + target(mv)
}

/// Correction history: the average error of the static evaluation relative to the search, by the
/// placement of the men. The placement changes slowly, so an error found a few moves earlier
/// usually still applies. (First seen in the chess engines Caissa and Stockfish, 2023.)
///
/// Rejected experiment: additional entries by the men of each wing and by the kings. At 10,000
/// nodes from edge openings they gained 9.6 [2.3, 16.9] Elo; at 20,000 nodes from level openings
/// they lost 1.9 [-3.1, 6.9] Elo, and they take more time.
pub struct CorrectionHistory(AtomicNumbers);

impl CorrectionHistory {
    /// An empty correction history.
    pub fn new() -> Self {
        CorrectionHistory(AtomicNumbers::new(2 * CORRECTION_ENTRIES))
    }

    /// The corrected evaluation.
    #[inline(always)]
    pub fn apply<R: Rules>(
        &self,
        position: &BitPosition<R>,
        evaluation: Score,
        params: &Params,
    ) -> Score {
        let error = i32::from(self.0.get(correction_index(position))) * params.correction_weight;
        Score::evaluation(i32::from(evaluation.0) + error / (100 * CORRECTION_UNIT))
    }

    /// Records the error of an evaluation, given the score of a search to `depth`.
    #[inline]
    pub fn update<R: Rules>(
        &self,
        position: &BitPosition<R>,
        evaluation: Score,
        score: Score,
        depth: i32,
    ) {
        /// The maximum weight of one search in an entry, in 1/256.
        const MAX_WEIGHT: i32 = 16;
        let index = correction_index(position);
        let weight = (depth + 1).min(MAX_WEIGHT);
        let error = (i32::from(score.0) - i32::from(evaluation.0)) * CORRECTION_UNIT;
        let mean = (i32::from(self.0.get(index)) * (256 - weight) + error * weight) / 256;
        self.0.set(index, mean.clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT) as i16);
    }
}

/// The index of the entry of a position.
#[inline(always)]
fn correction_index<R: Rules>(position: &BitPosition<R>) -> usize {
    // Multiplicative hashing with arbitrary odd constants.
    let men = |side| position.men(side).0.folded();
    let mixed = men(Side::White).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ men(Side::Black).wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
    let hash = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32;
    position.side().index() * CORRECTION_ENTRIES + (hash as usize & (CORRECTION_ENTRIES - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board12;
    use crate::rules::{International, Variant};

    #[test]
    fn rewards_and_punishes_within_the_limit() {
        let params = Params { continuation_weight: 100, ..Params::default() };
        let square = |number| Board12::square(number).unwrap();
        let good = BitMove::<Board12>::quiet(square(72), square(66));
        let bad = BitMove::<Board12>::quiet(square(71), square(65));
        let context = HistoryContext { side: Side::Black, previous: Default::default() };
        let other = HistoryContext { side: Side::White, ..context };
        let history = MoveHistory::new::<Board12>();
        let limit = 3 * HISTORY_LIMIT;
        for depth in 1..200 {
            history.update(context, &[bad, good], depth, &params);
            assert!((1..=limit).contains(&history.value(context, good, &params)));
            assert!((-limit..0).contains(&history.value(context, bad, &params)));
            assert_eq!(history.counter_move(context), Some(good.into()));
        }
        let far = HistoryContext { previous: [PieceTo(7), PieceTo(9)], ..other };
        assert_eq!(history.value(far, good, &params), 0);
    }

    #[test]
    fn corrects_a_repeated_error() {
        let position = BitPosition::start_of(International, Variant::International.setup());
        let params = Params { correction_weight: 100, ..Params::default() };
        let correction = CorrectionHistory::new();
        assert_eq!(correction.apply(&position, Score(5), &params), Score(5));
        for _ in 0..200 {
            correction.update(&position, Score(5), Score(25), 9);
        }
        assert!((Score(23)..=Score(25)).contains(&correction.apply(&position, Score(5), &params)));
        for _ in 0..200 {
            correction.update(&position, Score(5), Score::win_in(9), 9);
        }
        let max = CORRECTION_LIMIT / CORRECTION_UNIT;
        assert_eq!(correction.apply(&position, Score(5), &params).0, 5 + max as i16);
    }
}

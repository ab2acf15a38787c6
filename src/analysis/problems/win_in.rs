//! Wins in N moves, by exhaustive search.

use std::collections::HashMap;
use std::sync::Arc;

use crate::board::{Move, Side};
use crate::erased::Position;
use crate::instant::Instant;

use super::proof::{Proof, ProofEnd};

/// Maximum number of positions searched.
const MAX_POSITIONS: usize = 3_000_000;
/// The number of positions between checks of the clock.
const POSITIONS_PER_CHECK: usize = 1000;

/// An exhaustive search for wins for one side. It ignores repetitions and move limits, which do not
/// affect short wins.
pub struct WinInN {
    side: Side,
    /// The results for positions with `side` to move, by position and number of plies left.
    known: HashMap<(Position, u32), Option<Arc<Proof>>>,
    left: usize,
    /// When to give up.
    deadline: Option<Instant>,
}

/// The replies to a move, with the proofs after them.
type Replies = Vec<(Move, Arc<Proof>)>;

/// The search would visit too many positions or take too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyPositions;

impl WinInN {
    /// A search for wins for one side, which fails with [`TooManyPositions`] past the deadline.
    pub fn new(side: Side, deadline: Option<Instant>) -> WinInN {
        WinInN { side, known: HashMap::new(), left: MAX_POSITIONS, deadline }
    }

    /// Proves that the side, which must be the side to move, wins within the given number of plies;
    /// returns `None` if it cannot.
    ///
    /// # Errors
    ///
    /// The search would visit too many positions.
    pub fn attack(
        &mut self,
        position: &Position,
        plies: u32,
    ) -> Result<Option<Arc<Proof>>, TooManyPositions> {
        if let Some(is_won) = self.visit(position)? {
            return Ok(is_won.then(|| Proof::done(ProofEnd::Over, 0)));
        }
        if plies == 0 {
            return Ok(None);
        }
        if let Some(known) = self.known.get(&(*position, plies)) {
            return Ok(known.clone());
        }
        let mut proof = None;
        for mv in self.most_forcing_first(position) {
            if let Some(replies) = self.defend(&position.after(mv), plies - 1)? {
                proof = Some(Proof::of_move(mv, replies));
                break;
            }
        }
        self.known.insert((*position, plies), proof.clone());
        Ok(proof)
    }

    /// Proves the win after every reply by the opponent, who must be to move; returns `None` if a
    /// reply prevents the win.
    ///
    /// # Errors
    ///
    /// The search would visit too many positions.
    pub fn defend(
        &mut self,
        position: &Position,
        plies: u32,
    ) -> Result<Option<Replies>, TooManyPositions> {
        if let Some(is_won) = self.visit(position)? {
            return Ok(is_won.then(Vec::new));
        }
        if plies == 0 {
            return Ok(None);
        }
        let mut replies = Vec::new();
        for reply in position.sorted_moves() {
            match self.attack(&position.after(reply), plies - 1)? {
                Some(proof) => replies.push((reply, proof)),
                None => return Ok(None),
            }
        }
        Ok(Some(replies))
    }

    /// Counts a position. Returns whether the side has won; `None` if the game is not over.
    fn visit(&mut self, position: &Position) -> Result<Option<bool>, TooManyPositions> {
        self.left = self.left.checked_sub(1).ok_or(TooManyPositions)?;
        let is_checked = self.left.is_multiple_of(POSITIONS_PER_CHECK);
        if is_checked && self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(TooManyPositions);
        }
        Ok(position.outcome().map(|outcome| outcome.winner == Some(self.side)))
    }

    /// The legal moves, sorted by the number of possible replies, fewest first.
    fn most_forcing_first(&self, position: &Position) -> Vec<Move> {
        let mut moves = position.sorted_moves();
        moves.sort_by_cached_key(|&mv| position.after(mv).legal_moves().len());
        moves
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bitbase::{Slice, Value};
    use crate::erased::Bitbases;
    use crate::rules::Variant;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn agrees_with_bitbases(pick in any::<u64>(), moves in 1..3_u32) {
            let bitbases = Bitbases::embedded(Variant::International);
            let files: Vec<_> = (2..=3)
                .flat_map(Slice::all)
                .filter_map(|slice| bitbases.file(slice, crate::bitbase::Content::Values))
                .collect();
            let file = files[pick as usize % files.len()];
            let position = bitbases.position(file, (pick >> 8) % file.positions());
            let plies = 2 * moves - 1;
            let proof = WinInN::new(position.side(), None).attack(&position, plies).unwrap();
            let verdict = bitbases.probe(&position).unwrap();
            let is_won = verdict.value == Value::Win
                && verdict.plies.is_some_and(|distance| u32::from(distance) <= plies);
            prop_assert_eq!(proof.is_some(), is_won, "{:?}", verdict);
        }
    }
}

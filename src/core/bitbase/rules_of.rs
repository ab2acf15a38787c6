//! The rules of a game as an object for the solver.
//!
//! Positions are numbered, stored and counted by board; only the work on a chunk of positions
//! depends on the rules. So the solver is compiled once for each of five boards, and its inner loops
//! once for each game.

use std::marker::PhantomData;

use crate::rules::Rules;

/// The rules of a game.
pub(super) struct RulesOf<R>(PhantomData<R>);

impl<R: Rules> RulesOf<R> {
    pub(super) const NEW: Self = RulesOf(PhantomData);
}

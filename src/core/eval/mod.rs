//! The static evaluation of quiet positions.
//!
//! The evaluation uses a trained network if there is one, otherwise hand-crafted material and
//! piece-square terms. It is symmetric: rotating the board by half a turn and swapping the colours
//! leaves the value for the side to move unchanged.

mod hand_crafted;
pub mod network;

use std::sync::Arc;

use crate::board::{Side, Square};
use crate::position::{BitPosition, Pieces};
use crate::rules::{Directions, Goal, Rules};
use crate::score::Score;

use hand_crafted::{PackedPair, PieceSquareTables, rotated};
use network::Network;

/// The minimum margin, in hundredths of a man. Lower network outputs are raised to it.
pub const MIN_MARGIN: i32 = 5;
/// The additional lead, in hundredths of a man, that multiplies the odds of a win by e in games at
/// 200 nodes per move. Margins are learned on this scale.
pub const MARGIN_STEP: i32 = 80;

/// The static evaluation: a network for the board of one variant, or the hand-crafted weights.
#[derive(Clone, Debug)]
pub struct Evaluation {
    network: Option<Arc<Network>>,
    checksum: Option<u32>,
}

impl Evaluation {
    /// The built-in hand-crafted weights, available for every variant.
    pub fn hand_crafted() -> Self {
        Evaluation { network: None, checksum: None }
    }

    /// The evaluation by the network of a weights file with the given checksum.
    pub fn from_network(network: Network, checksum: u32) -> Self {
        Evaluation { network: Some(Arc::new(network)), checksum: Some(checksum) }
    }

    /// The checksum of the network's file; `None` for the hand-crafted weights.
    pub fn checksum(&self) -> Option<u32> {
        self.checksum
    }

    /// The value of a position for the side to move. The game must not be over.
    #[inline]
    pub fn score<R: Rules>(&self, position: &BitPosition<R>) -> Score {
        let lead = match &self.network {
            Some(network) => network.lead(&Pieces::of(position)),
            None => lead(position),
        };
        let side = position.side();
        let ahead = if lead > 0 { side } else { side.opponent() };
        Score::evaluation(lead / divisor(position, ahead))
    }

    /// The margin of a quiet position: the lead at which half of all games are won, in hundredths
    /// of a man, at least [`MIN_MARGIN`]. `None` if there is no network or it has no margins.
    pub fn margin<R: Rules>(&self, position: &BitPosition<R>) -> Option<i32> {
        let margin = self.network.as_ref()?.margin(&Pieces::of(position))?;
        Some(margin.max(MIN_MARGIN))
    }
}

/// The lead of the side to move by the hand-crafted weights, in hundredths of a man.
#[inline]
fn lead<R: Rules>(position: &BitPosition<R>) -> i32 {
    let side = position.side();
    side_value(position, side) - side_value(position, side.opponent())
}

/// The value of a side's pieces on their squares, in hundredths of a man.
#[inline(always)]
fn side_value<R: Rules>(position: &BitPosition<R>, side: Side) -> i32 {
    let index = |square: Square| match side {
        Side::White => square.index(),
        Side::Black => rotated::<R>(square).index(),
    };
    let tables = PieceSquareTables::of(position.rules());
    let men = position.men(side).squares();
    let men = men.fold(PackedPair::ZERO, |sum, square| sum.plus(tables.man[index(square)]));
    let (mut value, imbalance) = (men.upper(), men.lower());
    for square in position.kings(side).squares() {
        value += i32::from(tables.king[index(square)]);
    }
    value - imbalance.abs() * tables.imbalance / 8
}

/// The divisor of a side's lead: above 1 if the lead is hard to convert into a win.
///
/// If flying kings move on diagonals, a single king can hold a draw against a few pieces: three
/// kings win only if that king is off the main diagonal; in international draughts, four are
/// needed.
#[inline(always)]
pub fn divisor<R: Rules>(position: &BitPosition<R>, ahead: Side) -> i32 {
    /// The maximum number of pieces against which a single king may hold a draw.
    const HELD: usize = 3;
    /// The divisor of a lead against such a king.
    const HARD: i32 = 8;

    let is_hard = position.rules().goal() == Goal::Block
        && R::FLYING_KINGS
        && R::DIRECTIONS == Directions::Diagonal;
    if !is_hard || position.all_kings().is_empty() {
        return 1;
    }
    let has_king = position.kings(ahead.opponent()).is_some();
    if has_king && position.pieces(ahead).len() <= HELD { HARD } else { 1 }
}

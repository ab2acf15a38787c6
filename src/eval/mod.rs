//! The evaluation: what a quiet position is worth without looking ahead.
//!
//! A network where one has been learned, for international draughts; else material and placement, by
//! weights chosen by hand. It is fair: a position after a half turn of the board with the colours swapped
//! has the same value for the side to move.

mod endings;
pub mod network;
mod placement;
mod source;
mod weights;

use std::sync::Arc;

use crate::board::{Side, Square};
use crate::position::{Pieces, Position};
use crate::rules::Rules;
use crate::score::Score;

use network::Network;
use network::file::Contents;
use placement::{Both, Placement, turned};
use weights::Weights;

pub use endings::divisor;
pub use source::Source;

/// What tells the value of positions: a network, or weights chosen by hand.
#[derive(Clone, Debug)]
pub struct Evaluation<R: Rules> {
    network: Option<Arc<Network<R::Geometry>>>,
    checksum: Option<u32>,
}

impl<R: Rules> Evaluation<R> {
    /// By the weights in the program that were chosen by hand: every game has such.
    pub fn by_hand() -> Self {
        Evaluation { network: None, checksum: None }
    }

    /// By the network of a file.
    pub fn by_network(file: Contents<R::Geometry>) -> Self {
        Evaluation { network: Some(Arc::new(file.network)), checksum: Some(file.checksum) }
    }

    /// The checksum of the file of its network, if it has one.
    pub fn checksum(&self) -> Option<u32> {
        self.checksum
    }

    /// The value of a position for the side to move, a game that is not over.
    #[inline]
    pub fn score(&self, position: &Position<R>) -> Score {
        let lead = match &self.network {
            Some(network) => network.lead(&Pieces::of(position)),
            None => lead(position),
        };
        let side = position.side();
        let ahead = if lead > 0 { side } else { side.opponent() };
        Score::evaluation(lead / divisor(position, ahead))
    }
}

/// The lead of the side to move, by hand.
#[inline]
fn lead<R: Rules>(position: &Position<R>) -> i32 {
    let side = position.side();
    worth(position, side) - worth(position, side.opponent())
}

/// What the pieces of a side are worth where they stand.
#[inline(always)]
fn worth<R: Rules>(position: &Position<R>, side: Side) -> i32 {
    let index = |square: Square| match side {
        Side::White => square.index(),
        Side::Black => turned::<R>(square).index(),
    };
    let men = position.men(side).squares();
    let men = men.fold(Both::ZERO, |sum, square| sum.plus(Placement::<R>::MAN[index(square)]));
    let (mut value, lean) = (men.upper(), men.lower());
    for square in position.kings(side).squares() {
        value += i32::from(Placement::<R>::KING[index(square)]);
    }
    value - lean.abs() * const { Weights::of::<R>().lean } / 8
}

#[cfg(test)]
mod tests;

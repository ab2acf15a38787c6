//! Material counts for the draw rules.

use crate::board::{Bitboard, Geometry, Side};
use crate::position::BitPosition;
use crate::rules::{Material, Rules};

/// The material of a position.
pub fn material<R: Rules>(position: &BitPosition<R>) -> Material {
    let count = |board: Bitboard<R::Geometry>| board.len() as u8;
    let road = main_road::<R::Geometry>();
    Material {
        men: Side::ALL.map(|side| count(position.men(side))),
        kings: Side::ALL.map(|side| count(position.kings(side))),
        main_road: Side::ALL.map(|side| (position.kings(side) & road).is_some()),
    }
}

/// The main road, the long diagonal: from the corner at White's left, or at White's right on a
/// mirrored board.
fn main_road<G: Geometry>() -> Bitboard<G> {
    (0..G::SIZE).filter_map(|row| G::at(row, G::SIZE - 1 - row).or(G::at(row, row))).collect()
}

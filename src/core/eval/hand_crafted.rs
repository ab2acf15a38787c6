//! The hand-crafted evaluation: its weights, and the piece-square tables computed from them at
//! compile time.

use crate::board::{Geometry, Square};
use crate::rules::{Directions, Goal, Rules};

/// The piece-square tables of a variant for White's pieces, by square index. For Black's pieces the
/// board is rotated by half a turn.
pub(super) struct PieceSquareTables {
    /// The value of a man and its distance from the centre line in half columns, negative to the
    /// left, packed so that one addition sums both.
    pub(super) man: [PackedPair; 128],
    /// The value of a king.
    pub(super) king: SquareTable,
    /// See [`Weights::imbalance`].
    pub(super) imbalance: i32,
}

/// A value for each square index.
type SquareTable = [i16; 128];

impl PieceSquareTables {
    /// The tables of a variant.
    #[inline(always)]
    pub(super) fn of<R: Rules>(rules: R) -> &'static Self {
        match rules.goal() {
            Goal::Block => const { &Self::new::<R>(Goal::Block) },
            Goal::Lose => const { &Self::new::<R>(Goal::Lose) },
            Goal::King => const { &Self::new::<R>(Goal::King) },
        }
    }

    const fn new<R: Rules>(goal: Goal) -> Self {
        let weights = Weights::of::<R>(goal);
        PieceSquareTables {
            man: both(men::<R>(&weights), imbalances::<R>()),
            king: kings::<R>(&weights),
            imbalance: weights.imbalance,
        }
    }
}

/// Two 16-bit numbers packed into one, so that adding packed values adds both.
#[derive(Clone, Copy)]
pub(super) struct PackedPair(i32);

impl PackedPair {
    /// Both numbers zero.
    pub(super) const ZERO: PackedPair = PackedPair(0);

    /// Adds both numbers.
    #[inline(always)]
    pub(super) fn plus(self, other: PackedPair) -> PackedPair {
        PackedPair(self.0 + other.0)
    }

    /// The upper number, corrected for the borrow from a negative lower number.
    #[inline(always)]
    pub(super) fn upper(self) -> i32 {
        (self.0 + (1 << 15)) >> 16
    }

    /// The lower number.
    #[inline(always)]
    pub(super) fn lower(self) -> i32 {
        i32::from(self.0 as i16)
    }
}

const fn both(upper: SquareTable, lower: SquareTable) -> [PackedPair; 128] {
    let mut table = [PackedPair::ZERO; 128];
    let mut index = 0;
    while index < table.len() {
        table[index] = PackedPair(((upper[index] as i32) << 16) + lower[index] as i32);
        index += 1;
    }
    table
}

/// The square whose table entry applies to a Black piece on the given square.
#[inline(always)]
pub(super) fn rotated<R: Rules>(square: Square) -> Square {
    R::Geometry::rotated(square)
}

const fn men<R: Rules>(weights: &Weights) -> SquareTable {
    let mut table = [0; 128];
    let mut index = 0;
    while index < R::Geometry::BITS {
        let (row, column) = place::<R>(index);
        let advanced = R::Geometry::SIZE - 1 - row;
        let mut value = weights.man + weights.man_centre * edge_distance(column, R::Geometry::SIZE);
        if advanced == 0 {
            value += weights.base_row;
        }
        let mut step = 0;
        while step < advanced {
            let last = weights.steps.len() - 1;
            value += weights.steps[if step < last { step } else { last }];
            step += 1;
        }
        table[index] = value as i16;
        index += 1;
    }
    table
}

const fn kings<R: Rules>(weights: &Weights) -> SquareTable {
    let mut table = [0; 128];
    let mut index = 0;
    while index < R::Geometry::BITS {
        let (row, column) = place::<R>(index);
        let edge_distance =
            edge_distance(row, R::Geometry::SIZE) + edge_distance(column, R::Geometry::SIZE);
        table[index] = (weights.king + weights.king_centre * edge_distance) as i16;
        index += 1;
    }
    table
}

const fn imbalances<R: Rules>() -> SquareTable {
    let mut table = [0; 128];
    let mut index = 0;
    while index < R::Geometry::BITS {
        let (_, column) = place::<R>(index);
        table[index] = 2 * column as i16 - (R::Geometry::SIZE as i16 - 1);
        index += 1;
    }
    table
}

/// The row and column of a bit index on the full board; arbitrary but in range for ghost bits.
const fn place<R: Rules>(index: usize) -> (usize, usize) {
    let (row, column) = R::Geometry::LAYOUT.place(index);
    let last = R::Geometry::SIZE - 1;
    (row, if column < last { column } else { last })
}

/// The distance of a row or column from the nearer edge.
const fn edge_distance(line: usize, size: usize) -> i32 {
    let other = size - 1 - line;
    (if line < other { line } else { other }) as i32
}

/// The weights of a variant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// The value of a man.
    pub man: i32,
    /// The value of a king.
    pub king: i32,
    /// The bonus for a man's first step forward, its second step, and so on; the last entry applies
    /// to all further steps. The bonus for a row is the sum over the steps that lead there.
    pub steps: [i32; 6],
    /// The bonus for a man on its own base row, where it keeps the opponent from promoting.
    pub base_row: i32,
    /// The bonus for a man, per column of distance from the nearer edge.
    pub man_centre: i32,
    /// The bonus for a king, per row and per column of distance from the nearer edge.
    pub king_centre: i32,
    /// The penalty for an uneven distribution of men between the wings, in 1/800 of a man per unit
    /// of imbalance. The imbalance is the absolute value of the sum of the men's signed distances
    /// from the centre line, in half columns.
    pub imbalance: i32,
}

impl Weights {
    /// The weights of a variant.
    const fn of<R: Rules>(goal: Goal) -> Self {
        match goal {
            Goal::Block => Weights {
                king: match R::DIRECTIONS {
                    // The learning guide in the Turkish rules values a king at five men.
                    Directions::Orthogonal => 500,
                    Directions::AllForCaptures => 400,
                    Directions::Diagonal if R::FLYING_KINGS => 300,
                    Directions::Diagonal => 150,
                },
                ..BLOCK
            },
            Goal::Lose => LOSE,
            Goal::King => KING,
        }
    }
}

/// Variants in which a side without a legal move loses.
const BLOCK: Weights = Weights {
    man: 100,
    king: 300,
    steps: [1, 2, 2, 2, 2, 4],
    base_row: 6,
    man_centre: 2,
    king_centre: 1,
    imbalance: 2,
};

/// Variants in which a side without a legal move wins: men are a burden, but a king can choose
/// where to be captured.
const LOSE: Weights = Weights {
    man: -100,
    king: 100,
    steps: [0; 6],
    base_row: 0,
    man_centre: 0,
    king_centre: 0,
    imbalance: 0,
};

/// Variants in which the first king wins, so that advancing men matters most.
const KING: Weights = Weights {
    man: 100,
    king: 0,
    steps: [1, 2, 3, 5, 8, 20],
    base_row: 12,
    man_centre: 1,
    king_centre: 0,
    imbalance: 2,
};

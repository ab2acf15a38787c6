//! The rules of each variant as a table of constants.
//!
//! A type that implements [`Rules`] describes the moves and captures of a variant: hot code is
//! generic over it, so rules that a variant does not have cost nothing. Variants that differ only
//! slightly share a type, which is compiled once. The rest, [`VariantSetup`], is data. To add a
//! variant, define both in a file here, then add one line to the list of variants in `variant.rs`
//! and one to the `match` from variants to types in [`erased`](crate::erased).

mod draws;
mod english;
mod frisian;
mod german;
mod international;
mod italian;
mod russian;
mod turkish;
mod variant;

pub use draws::{DrawRules, Ending, Material};
pub use english::English;
pub use frisian::Frisian;
pub use german::MenForward8;
pub use international::{Canadian, International, InternationalVariation};
pub use italian::{Italian, Spanish};
pub use russian::MenBackward8;
pub use turkish::Turkish;
pub use variant::{PdnSquares, UnknownVariant, Variant, VariantSetup};

use std::fmt::Debug;
use std::hash::Hash;

use crate::board::{Direction, Geometry, Side};

use Direction::*;

/// The rules of a variant: moves, captures and goal.
///
/// Constants belong to the type: code that depends on them is compiled for each type. The methods
/// cover what may differ between variants that share a type; they cost nothing for a type without
/// data.
pub trait Rules: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The board: its size, which corner is dark, and whether all squares are playable.
    type Geometry: Geometry;

    /// The directions in which pieces move and capture.
    const DIRECTIONS: Directions = Directions::Diagonal;
    /// Whether men capture backward too.
    const MEN_CAPTURE_BACKWARD: bool;
    /// Whether a man may capture a king.
    const MEN_CAPTURE_KINGS: bool = true;
    /// Whether kings move and capture over any distance.
    const FLYING_KINGS: bool;
    /// Whether a captured piece is removed at once rather than after the whole capture, so that the
    /// rest of the capture can cross its square or land on it.
    const CAPTURED_AT_ONCE: bool = false;
    /// The maximum number of consecutive moves without a capture that a side with a man may make
    /// with the same king; 0 for no limit.
    const KING_MOVES_IN_A_ROW: u8 = 0;

    /// Which of the possible captures are legal.
    fn precedence(self) -> Precedence;

    /// Whether a king that ends a capture by taking another king must stop directly behind it.
    #[inline(always)]
    fn halts_behind_king(self) -> bool {
        false
    }

    /// Whether a man that reaches its promotion row during a capture becomes a king at once and
    /// continues as one; otherwise only a man that ends its move there is promoted.
    #[inline(always)]
    fn promotes_in_passing(self) -> bool {
        false
    }

    /// The goal of the variant.
    #[inline(always)]
    fn goal(self) -> Goal {
        Goal::Block
    }
}

/// The captures that a player must choose from.
///
/// In every variant a capture must continue until no further piece can be captured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Precedence {
    /// Any capture.
    Free,
    /// Captures by a king if there are any, otherwise any capture (Czech).
    King,
    /// Captures of the most pieces (international).
    Pieces,
    /// Captures of the most pieces; among them, those of the most kings (Spanish).
    PiecesKings,
    /// Captures of the most pieces; among them, those by a king; then those of the most kings; then
    /// those that capture kings as early as possible (Italian).
    PiecesKingKingsEarly,
    /// Captures of the greatest value, a king counting slightly less than two men; among them,
    /// those by a king (Frisian).
    Value,
}

/// The goal of a variant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// A side that cannot move loses.
    Block,
    /// A side that cannot move wins.
    Lose,
    /// A side that gets a king wins; a side that cannot move loses.
    King,
}

/// The directions in which pieces move and capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Directions {
    /// The diagonals.
    Diagonal,
    /// The diagonals; captures along rows and columns too (Frisian).
    AllForCaptures,
    /// Rows and columns (Turkish).
    Orthogonal,
}

impl Directions {
    /// The directions in which kings move.
    pub const fn moves(self) -> &'static [Direction] {
        match self {
            Directions::Diagonal | Directions::AllForCaptures => &Direction::DIAGONAL,
            Directions::Orthogonal => &Direction::ORTHOGONAL,
        }
    }

    /// The directions in which men move: all but backward.
    pub const fn forward(self, side: Side) -> &'static [Direction] {
        match (self, side) {
            (Directions::Orthogonal, Side::White) => &[North, West, East],
            (Directions::Orthogonal, Side::Black) => &[South, West, East],
            (_, Side::White) => &[NorthWest, NorthEast],
            (_, Side::Black) => &[SouthWest, SouthEast],
        }
    }

    /// The directions in which kings capture.
    pub const fn captures(self) -> &'static [Direction] {
        match self {
            Directions::AllForCaptures => &Direction::ALL,
            _ => self.moves(),
        }
    }

    /// Whether men also step sideways, so that a man's move can be reversed.
    pub const fn has_side_steps(self) -> bool {
        matches!(self, Directions::Orthogonal)
    }
}

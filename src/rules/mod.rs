//! The rules of each game as a table of constants.
//!
//! A game is a type that implements [`Rules`], one file each. Everything above this module is
//! generic over it, so a rule that a game does not have costs that game nothing. To add a game, add
//! a file, its `mod` and `use` below and a line in the list of [`Variant`]; nothing else changes.

mod draws;
mod variant;

mod brazilian;
mod breakthrough;
mod canadian;
mod czech;
mod english;
mod frisian;
mod frysk;
mod german;
mod international;
mod italian;
mod killer;
mod losing;
mod pool;
mod russian;
mod spanish;

pub use brazilian::Brazilian;
pub use breakthrough::Breakthrough;
pub use canadian::Canadian;
pub use czech::Czech;
pub use english::English;
pub use frisian::Frisian;
pub use frysk::Frysk;
pub use german::German;
pub use international::International;
pub use italian::Italian;
pub use killer::Killer;
pub use losing::Losing;
pub use pool::Pool;
pub use russian::Russian;
pub use spanish::Spanish;

pub use draws::{DrawRules, Ending, Material};
pub use variant::{UnknownVariant, Variant, VariantVisitor};

use std::fmt::Debug;
use std::hash::Hash;

use crate::board::{Geometry, Side};

/// The rules of one game.
pub trait Rules: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static {
    /// The board: size, and which corner is dark.
    type Geometry: Geometry;

    /// The game as the run-time enum names it.
    const VARIANT: Variant;
    /// Rows of men of each side at the start.
    const START_ROWS: usize;
    /// The side that moves first.
    const FIRST: Side = Side::White;

    /// Whether men capture backward too.
    const MEN_CAPTURE_BACKWARD: bool;
    /// Whether a man may capture a king.
    const MEN_CAPTURE_KINGS: bool = true;
    /// Whether kings move and capture over any distance.
    const FLYING_KINGS: bool;
    /// Whether pieces also capture along rows and columns.
    const ORTHOGONAL_CAPTURES: bool = false;
    /// Whether a king that captures a king last must stop directly behind it.
    const HALT_BEHIND_KING: bool = false;
    /// Whether a man that reaches the far row within a capture is a king at once and goes on as
    /// one; otherwise only a man that ends its move there is promoted.
    const PROMOTION_IN_PASSING: bool = false;
    /// Which of the possible captures are legal.
    const PRECEDENCE: Precedence;
    /// How often in a row a side that has a man may move the same king without capturing; 0 is no
    /// limit.
    const KING_MOVES_IN_A_ROW: u8 = 0;

    /// What ends the game.
    const GOAL: Goal = Goal::Block;
    /// When the game is drawn.
    const DRAWS: DrawRules;
    /// How PDN files name squares.
    const PDN_SQUARES: PdnSquares = PdnSquares::Numbers;
    /// The number of the game in PDN's `GameType` tag; `None` for a game that PDN has none for.
    const PDN_GAME_TYPE: Option<u8>;
}

/// Which of the possible captures a player must choose from.
///
/// In every game a capture must go on as long as it can.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Precedence {
    /// Any of them.
    Free,
    /// Captures by a king where there is one, then any of them (Czech).
    King,
    /// Those of most pieces (international).
    Pieces,
    /// Those of most pieces, among them those of most kings (Spanish).
    PiecesKings,
    /// Those of most pieces, by a king, of most kings, with kings as early as possible (Italian).
    PiecesKingKingsEarly,
    /// Those of most value, a king a little less than two men; among them those by a king
    /// (Frisian).
    Value,
}

/// What ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// A side that cannot move has lost.
    Block,
    /// A side that cannot move has won.
    Lose,
    /// A side that gets a king has won; a side that cannot move has lost.
    King,
}

/// How PDN files name squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PdnSquares {
    /// By number, 1 at the top left.
    Numbers,
    /// By number, 1 at the bottom right.
    NumbersFromBelow,
    /// By file and rank, a1 at the bottom left.
    Algebraic,
}

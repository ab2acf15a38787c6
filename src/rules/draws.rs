//! Draw rules as data. `game::Game` applies them.

use crate::board::Side;

/// When a game is drawn. Limits are in plies, two for each move of both players.
#[derive(Clone, Copy, Debug)]
pub struct DrawRules {
    /// The occurrence of a position (same pieces, same side to move) that draws; 0 is never.
    pub repetition: u8,
    /// Plies in a row of king moves without capture that draw; 0 is no limit.
    pub king_moves: u16,
    /// Limits that depend on the material.
    pub endings: &'static [Ending],
}

impl DrawRules {
    /// No draw but by agreement.
    pub const NONE: DrawRules = DrawRules { repetition: 0, king_moves: 0, endings: &[] };
    /// Only the third occurrence of a position draws.
    pub const REPETITION: DrawRules = DrawRules { repetition: 3, ..DrawRules::NONE };
}

/// A limit of moves that starts when certain material stands on the board.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    /// The article of the rules, for records: "6.3".
    pub article: &'static str,
    /// The limit in plies, counted from the position after the move that brought the material.
    pub plies: u16,
    /// Whether any later change of material starts the count again. Otherwise the count runs on
    /// through captures and promotions once it has begun.
    pub restarts: bool,
    /// Whether the material is of this kind.
    pub applies: fn(Material) -> bool,
}

/// The pieces on the board, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Material {
    /// Men, White's first.
    pub men: [u8; 2],
    /// Kings, White's first.
    pub kings: [u8; 2],
    /// Which side has a king on the main road, the long diagonal from the corner square at White's
    /// left; White first. Always false on mirrored boards.
    pub main_road: [bool; 2],
}

impl Material {
    /// All pieces of a side.
    pub const fn pieces(&self, side: Side) -> u8 {
        self.men[side.index()] + self.kings[side.index()]
    }

    /// The side that has nothing but one king, if there is one; with one king each, White.
    pub const fn lone_king(&self) -> Option<Side> {
        if self.men[0] == 0 && self.kings[0] == 1 {
            Some(Side::White)
        } else if self.men[1] == 0 && self.kings[1] == 1 {
            Some(Side::Black)
        } else {
            None
        }
    }

    /// Whether one side has a lone king and the other between `least` and `most` pieces, at least
    /// `kings` of them kings.
    pub const fn is_lone_king_against(&self, least: u8, most: u8, kings: u8) -> bool {
        match self.lone_king() {
            Some(side) => {
                let other = side.opponent();
                let pieces = self.pieces(other);
                least <= pieces && pieces <= most && self.kings[other.index()] >= kings
            }
            None => false,
        }
    }

    /// Whether the pieces are the same; the main road does not matter.
    pub fn is_same(&self, other: &Material) -> bool {
        self.men == other.men && self.kings == other.kings
    }
}

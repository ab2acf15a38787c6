//! Draw rules as data; [`BitGame`](crate::game::BitGame) applies them.

use crate::board::Side;

/// The draw rules of a variant. Limits are in plies, two per move of both players.
#[derive(Clone, Copy, Debug)]
pub struct DrawRules {
    /// The number of occurrences of a position (same pieces, same side to move) at which the game
    /// is drawn; 0 if repetition does not draw.
    pub repetition: u8,
    /// The number of consecutive plies of king moves without a capture after which the game is
    /// drawn; 0 for no limit.
    pub king_moves: u16,
    /// Move limits that depend on the material.
    pub endings: &'static [Ending],
}

impl DrawRules {
    /// No draw except by agreement.
    pub const NONE: DrawRules = DrawRules { repetition: 0, king_moves: 0, endings: &[] };
    /// A draw only at the third occurrence of a position.
    pub const REPETITION: DrawRules = DrawRules { repetition: 3, ..DrawRules::NONE };
}

/// A move limit whose count starts when certain material is on the board.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    /// The article of the rules, as shown in game records; for example, "6.3".
    pub article: &'static str,
    /// The limit in plies, counted from the position after the move that produced the material.
    pub plies: u16,
    /// Whether any later change of material restarts the count. Otherwise the count, once started,
    /// continues through captures and promotions.
    pub restarts: bool,
    /// Whether the limit applies to the given material.
    pub applies: fn(Material) -> bool,
}

/// The material on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Material {
    /// The number of men of each side, White first.
    pub men: [u8; 2],
    /// The number of kings of each side, White first.
    pub kings: [u8; 2],
    /// Whether each side has a king on the main road, the long diagonal that joins two corners of
    /// the board; White first.
    pub main_road: [bool; 2],
}

impl Material {
    /// The number of pieces of a side.
    pub const fn pieces(&self, side: Side) -> u8 {
        self.men[side.index()] + self.kings[side.index()]
    }

    /// The side whose only piece is a king; `None` if neither side has a lone king, White if both
    /// do.
    pub const fn lone_king(&self) -> Option<Side> {
        if self.men[0] == 0 && self.kings[0] == 1 {
            Some(Side::White)
        } else if self.men[1] == 0 && self.kings[1] == 1 {
            Some(Side::Black)
        } else {
            None
        }
    }

    /// Whether there is a lone king and it is on the main road.
    pub fn is_lone_king_on_main_road(&self) -> bool {
        self.lone_king().is_some_and(|side| self.main_road[side.index()])
    }

    /// Whether one side has a lone king and the other has between `least` and `most` pieces, at
    /// least `kings` of them kings.
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

    /// Whether the numbers of men and kings are the same; the main road is ignored.
    pub fn is_same(&self, other: &Material) -> bool {
        self.men == other.men && self.kings == other.kings
    }
}

//! Sides and pieces.

use std::ops::Not;

use serde_core::de::Error;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

/// A side: White moves up the board (towards lower numbers), Black down. Serialized by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// The side that starts at the bottom.
    White = 0,
    /// The side that starts at the top.
    Black = 1,
}

impl Side {
    /// Both sides, White first.
    pub const ALL: [Side; 2] = [Side::White, Side::Black];

    /// 0 for White, 1 for Black: the index into tables with one entry per side.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `white` or `black`.
    pub const fn name(self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
        }
    }

    /// The other side.
    #[inline(always)]
    pub const fn opponent(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

impl Not for Side {
    type Output = Side;

    #[inline(always)]
    fn not(self) -> Side {
        self.opponent()
    }
}

impl Serialize for Side {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Side {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let side = Side::ALL.into_iter().find(|side| side.name() == name);
        side.ok_or_else(|| D::Error::unknown_variant(&name, &["white", "black"]))
    }
}

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// A man: a piece not yet promoted.
    Man = 0,
    /// A king.
    King = 1,
}

impl Kind {
    /// 0 for a man, 1 for a king: the index into tables with one entry per kind.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A piece: its side and kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// The side it belongs to.
    pub side: Side,
    /// Man or king.
    pub kind: Kind,
}

//! Sides and pieces.

use std::ops::Not;

/// A side: White moves up the board (towards lower numbers), Black down.
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

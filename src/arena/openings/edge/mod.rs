//! Openings at the edge between win and draw.
//!
//! From level openings most games of a good engine against itself are drawn, whichever version
//! plays which side, and say nothing about the versions. Where one side is ahead by so much that it
//! wins about half of its games, the better version wins such a game and draws it with the other
//! colour. Unbalanced books serve chess engines in the same way. Tests of a program against itself
//! start here by default.
//!
//! [`find`] searches the last positions of numbered random games, and keeps the games in which the
//! lead of one side is within a window. The sets in the program are lists of such numbers: about a
//! byte an opening.

mod find;
mod judge;
mod random_games;
mod sets;

pub use find::{EdgeOpening, EdgeSettings, find};
pub use sets::has_set;

pub(super) use sets::openings;

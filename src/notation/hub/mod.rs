//! Positions and moves of the Hub protocol.

mod moves;
mod position;

pub use moves::{format_move, parse_move, parse_move_leniently};
pub use position::{format_position, format_wolf, parse_position, parse_wolf};

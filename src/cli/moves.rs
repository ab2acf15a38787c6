//! `manoury moves`: lists legal moves.

use clap::Args;
use serde::Serialize;

use crate::board::Move;
use crate::erased::Position;
use crate::notation::{fen, hub};

use super::Error;
use super::answers::PositionAnswer;
use super::positions::Positions;

/// List the legal moves of a position
///
/// Moves are in Hub notation (32-28; 28x19x23 is a capture from 28 to 19 over 23), one per line,
/// sorted numerically; a finished game prints nothing. With `-`, prints one line per position: its
/// moves separated by spaces, or an empty line for a finished game.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    positions: Positions,
    /// Print one JSON object per position: variant, fen, moves (each with move, from, to, captured)
    #[arg(short, long)]
    json: bool,
}

/// The legal moves of a position.
#[derive(Serialize)]
struct MoveListing {
    variant: &'static str,
    fen: String,
    moves: Vec<ListedMove>,
}

#[derive(Serialize)]
struct ListedMove {
    r#move: String,
    from: u8,
    to: u8,
    captured: Vec<u8>,
}

/// Prints the moves.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.positions.answer(arguments.json, MoveListing::new)
}

impl MoveListing {
    fn new(position: &Position) -> Self {
        MoveListing {
            variant: position.variant().name(),
            fen: fen::format(position),
            moves: position.sorted_moves().into_iter().map(ListedMove::new).collect(),
        }
    }
}

impl ListedMove {
    fn new(mv: Move) -> Self {
        let (from, to, captured) = mv.numbers();
        ListedMove { r#move: hub::format_move(mv), from, to, captured }
    }
}

impl PositionAnswer for MoveListing {
    fn rows(&self) -> String {
        let moves: Vec<_> = self.moves.iter().map(|listed| listed.r#move.as_str()).collect();
        moves.join(" ") + "\n"
    }

    fn page(&self) -> String {
        self.moves.iter().map(|listed| format!("{}\n", listed.r#move)).collect()
    }
}

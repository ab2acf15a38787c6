//! The games and their boards.

use serde::Serialize;

use crate::protocol::hub;
use crate::report::board;
use crate::report::page::PageBoard;
use crate::rules::Variant;

#[derive(Serialize)]
pub struct Games {
    program: &'static str,
    games: Vec<GameName>,
    /// SVG definitions of the pieces.
    pieces: String,
}

#[derive(Serialize)]
struct GameName {
    name: &'static str,
    /// What Hub calls it.
    hub: &'static str,
}

#[derive(Serialize)]
pub struct Board {
    #[serde(flatten)]
    board: PageBoard,
    /// SVG definitions of the empty board from both sides.
    drawing: String,
}

/// All games.
pub fn games() -> Games {
    let named =
        |&variant: &Variant| GameName { name: variant.name(), hub: hub::variant_name(variant) };
    Games {
        program: concat!("Manoury ", env!("CARGO_PKG_VERSION")),
        games: Variant::ALL.iter().map(named).collect(),
        pieces: board::piece_drawings(),
    }
}

/// The board of a game.
pub fn board(variant: Variant) -> Board {
    Board { board: PageBoard::new(variant), drawing: board::empty_boards(variant) }
}

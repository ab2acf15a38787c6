//! The variants, their boards and their positions.

use serde::Serialize;

use crate::analysis::SHALLOW_DEPTH;
use crate::board::{Kind, Piece, Side};
use crate::erased::{Game, Position};
use crate::game::Reason;
use crate::notation::pdn::ResultText;
use crate::notation::{fen, hub, pdn};
use crate::position::Setup;
use crate::protocol::hub::{LineBuilder, variant_name};
use crate::report::board;
use crate::report::page::{PageBoard, PageMove, pieces};
use crate::rules::{Precedence, Variant};

use super::{MAX_FILE, MAX_TEXT};

#[derive(Serialize)]
pub struct Games {
    program: &'static str,
    games: Vec<GameName>,
    /// SVG definitions of the pieces.
    pieces: String,
    /// The maximum size of a text to read, in bytes.
    max_text: usize,
    /// The maximum size of a file with games, in bytes.
    max_file: usize,
    /// The depth, in plies, of a search that finds only the obvious moves.
    shallow_depth: u32,
}

#[derive(Serialize)]
struct GameName {
    name: &'static str,
    /// The name in the Hub protocol.
    hub: &'static str,
    /// The PDN tag that specifies the variant.
    tag: (&'static str, String),
}

#[derive(Serialize)]
pub struct Board {
    #[serde(flatten)]
    board: PageBoard,
    /// The rule on compulsory captures, as the key of a string on the page.
    captures: &'static str,
}

/// All variants.
pub fn games() -> Games {
    let name = |&variant: &Variant| GameName {
        name: variant.name(),
        hub: variant_name(variant),
        tag: pdn::game_tag(variant),
    };
    Games {
        program: concat!("Manoury ", env!("CARGO_PKG_VERSION")),
        games: Variant::ALL.iter().map(name).collect(),
        pieces: board::piece_drawings(),
        max_text: MAX_TEXT,
        max_file: MAX_FILE,
        shallow_depth: SHALLOW_DEPTH,
    }
}

/// The board of a variant.
pub fn board(variant: Variant) -> Board {
    Board {
        board: PageBoard::new(variant),
        captures: captures_key(variant.move_rules().precedence),
    }
}

fn captures_key(precedence: Precedence) -> &'static str {
    match precedence {
        Precedence::Free => "captures_any",
        Precedence::King => "captures_king",
        Precedence::Pieces | Precedence::PiecesKings | Precedence::PiecesKingKingsEarly => {
            "captures_most"
        }
        Precedence::Value => "captures_value",
    }
}

#[derive(Serialize)]
pub struct PagePosition {
    fen: String,
    /// The Hub `pos` command that sets up this game.
    hub: String,
    /// A letter or a dot for each square.
    pieces: String,
    side: Side,
    /// The number of the next move, as in PDN: `12.` or `12...`.
    number: String,
    moves: Vec<PageMove>,
    /// `None` while the game continues.
    end: Option<End>,
}

#[derive(Serialize)]
struct End {
    result: &'static str,
    /// The key of a string on the page.
    reason: &'static str,
}

#[derive(Serialize)]
pub struct Fen {
    fen: String,
}

/// The last position of a game.
pub fn position(game: &Game) -> PagePosition {
    let position = game.position();
    let end = game.outcome().map(|outcome| End {
        result: ResultText::of(outcome.winner),
        reason: reason_key(outcome.reason),
    });
    // In a game drawn by a rule, the position may still have legal moves, but they must not be
    // played.
    let moves = if end.is_none() { position.sorted_moves() } else { Vec::new() };
    PagePosition {
        fen: fen::format(position),
        hub: hub_line(game),
        pieces: pieces(position),
        side: position.side(),
        number: pdn::move_number(game.start(), game.plies()),
        moves: moves.into_iter().map(|mv| PageMove::new(position, mv)).collect(),
        end,
    }
}

fn hub_line(game: &Game) -> String {
    let moves: Vec<_> = game.moves().into_iter().map(hub::format_move).collect();
    let mut line = LineBuilder::new("pos").field("pos", hub::format_position(game.start()));
    let wolf = hub::format_wolf(game.start());
    if !wolf.is_empty() {
        line = line.field("wolf", wolf);
    }
    if !moves.is_empty() {
        line = line.field("moves", moves.join(" "));
    }
    line.to_string()
}

fn reason_key(reason: Reason) -> &'static str {
    match reason {
        Reason::NoPieces => "no_pieces",
        Reason::Blocked => "blocked",
        Reason::King => "first_king",
        Reason::Repetition => "repetition",
        Reason::KingMoves => "king_moves",
        Reason::Ending(_) => "ending",
    }
}

/// The position with the given pieces on the board: a letter or a dot for each square.
pub fn setup(variant: Variant, side: Side, pieces: &str) -> Result<Fen, String> {
    let mut setup = Setup::empty(side);
    let squares = variant.grid().squares();
    if pieces.chars().count() != usize::from(squares) {
        return Err(format!("expected {squares} squares"));
    }
    for (square, letter) in (1..).zip(pieces.chars()) {
        match piece(letter) {
            Some(Piece { side, kind }) => setup.put(side, kind, square),
            None if letter == '.' => {}
            None => return Err(format!("not a piece: {letter:?}")),
        }
    }
    let position = Position::from_setup(variant, &setup).map_err(|error| error.to_string())?;
    Ok(Fen { fen: fen::format(&position) })
}

/// The piece with a letter.
fn piece(letter: char) -> Option<Piece> {
    let kinds = [Kind::Man, Kind::King];
    let mut pieces = Side::ALL.into_iter().flat_map(|side| kinds.map(|kind| Piece { side, kind }));
    pieces.find(|&piece| board::letter(piece) == letter)
}

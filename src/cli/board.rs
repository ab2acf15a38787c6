//! Commands that show positions: `manoury board` and `manoury moves`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use crate::board::{Move, Side, SquareSet};
use crate::erased::Position;
use crate::notation::{fen, squares};
use crate::report::board::{self, Diagram};
use crate::report::board_text::{self, Glyphs, TextStyle};
use crate::rules::Variant;
use crate::storage;

use super::Error;
use super::args::games::GameFileArguments;
use super::args::positions::PositionsArguments;
use super::args::{ColorArgument, JsonArgument};
use super::output::{PositionReport, ReportedMove, colour};

/// Show the board of a position
///
/// The position is given as FEN, in Hub notation, or as a ply of a game in a PDN file (by default
/// the last ply of the first game); otherwise it is the start position. Empty squares show their
/// number, or their name in variants that name squares with letters. With `-`, prints one board for
/// each position read.
///
/// The squares of the last move are shown in brackets, and in colour if colours are on.
///
/// Examples:
///   manoury board --fen B:W31,32,K45:B19,K20 --flip
///   manoury board games.pdn --game 3 --ply 40 --svg board.svg --legal
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct BoardArguments {
    #[command(flatten)]
    positions: PositionsArguments,
    #[command(flatten)]
    file: GameFileArguments,
    /// Put Black at the bottom
    #[arg(long)]
    flip: bool,
    /// Show pieces as letters instead of Unicode symbols: w and b for men, W and B for kings
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    color: ColorArgument,
    /// Write an SVG picture to this file instead; `-` for standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Squares to mark as the last move, such as 32-28
    #[arg(long, value_name = "FROM-TO", conflicts_with = "file")]
    last_move: Option<String>,
    /// Draw an arrow between two squares; may be repeated
    #[arg(long, value_name = "FROM-TO", requires = "svg")]
    arrow: Vec<String>,
    /// Draw a dot on each square where a legal move ends
    #[arg(long, requires = "svg")]
    legal: bool,
}

/// Shows the positions.
pub fn board_command(arguments: &BoardArguments) -> Result<(), Error> {
    if let Some(game) = arguments.file.read(arguments.positions.variant())? {
        return arguments.show(game.position(), game.moves().last().copied());
    }
    if arguments.svg.is_some() && arguments.positions.is_batch() {
        return Err(Error::usage("--svg accepts one position, not `-`"));
    }
    arguments.positions.each(|position| arguments.show(position, None))
}

impl BoardArguments {
    /// Shows a position and, if known, the move that led to it.
    fn show(&self, position: &Position, last_move: Option<Move>) -> Result<(), Error> {
        let diagram = self.diagram(position, last_move)?;
        let mut output = io::stdout().lock();
        match self.svg.as_deref() {
            Some(path) if path == Path::new("-") => {
                output.write_all(board::svg(&diagram).as_bytes())?;
            }
            Some(path) => {
                let picture = board::svg(&diagram);
                let written =
                    storage::write_atomically(path, |file| file.write_all(picture.as_bytes()));
                written.map_err(storage::with_path(path))?;
            }
            None => {
                let side = colour(position.side());
                let text = board_text::text(&diagram, self.style());
                writeln!(output, "{text}{side} to move: {}", fen::format(position))?;
            }
        }
        Ok(output.flush()?)
    }

    fn style(&self) -> TextStyle {
        let glyphs = if self.ascii { Glyphs::Ascii } else { Glyphs::Unicode };
        TextStyle { glyphs, is_coloured: self.color.is_on() }
    }

    fn diagram(&self, position: &Position, last_move: Option<Move>) -> Result<Diagram, Error> {
        let variant = position.variant();
        let bottom = if self.flip { Side::Black } else { Side::White };
        let mut diagram = Diagram::new(*position, bottom);
        diagram.marked = match (&self.last_move, last_move) {
            (Some(text), _) => two_squares(variant, text, "--last-move")?.into_iter().collect(),
            (None, Some(mv)) => [mv.from, mv.to].into_iter().collect(),
            (None, None) => SquareSet::EMPTY,
        };
        let arrows = self.arrow.iter().map(|text| two_squares(variant, text, "--arrow"));
        diagram.arrows = arrows.collect::<Result<_, _>>()?;
        if self.legal {
            diagram.dotted = position.legal_moves().into_iter().map(|mv| mv.to).collect();
        }
        Ok(diagram)
    }
}

/// Parses two squares such as `32-28` or `28x19`, named as in PDN files of the variant.
fn two_squares(variant: Variant, text: &str, option: &str) -> Result<[u8; 2], Error> {
    let wrong = |why: String| Error::usage(format!("{option} {text}: {why}"));
    let (from, to) = text
        .split_once(['-', 'x'])
        .ok_or_else(|| wrong("expected two squares, such as 32-28".to_owned()))?;
    let square = |name: &str| squares::from_pdn_name(variant, name.trim()).map_err(wrong);
    Ok([square(from)?, square(to)?])
}

/// List the legal moves of a position
///
/// Moves are written the way players write them (32-28, 28x19, c3-d4), one per line, sorted
/// numerically; captures with the same start and end squares also list the squares in between
/// (47x38x24). For a finished game, nothing is printed. With `-`, prints one line per position: its
/// moves separated by spaces, or an empty line for a finished game.
///
/// JSON, one object per position: variant, fen, moves (each with move, in Hub notation, from, to,
/// captured).
#[derive(Args, Debug)]
#[command(after_long_help = MOVES_EXAMPLES)]
pub struct MovesArguments {
    #[command(flatten)]
    positions: PositionsArguments,
    #[command(flatten)]
    json: JsonArgument,
}

/// The examples at the end of the help.
const MOVES_EXAMPLES: &str = "Examples:
  manoury moves --fen W:W28,38,50:B22,23,33
  manoury moves --variant russian --json";

/// The legal moves of a position.
#[derive(Serialize)]
struct MoveListing {
    variant: &'static str,
    fen: String,
    moves: Vec<ListedMove>,
}

#[derive(Serialize)]
struct ListedMove {
    r#move: ReportedMove,
    from: u8,
    to: u8,
    captured: Vec<u8>,
}

/// Prints the moves.
pub fn moves(arguments: &MovesArguments) -> Result<(), Error> {
    arguments.positions.report(arguments.json.is_on(), MoveListing::new)
}

impl MoveListing {
    fn new(position: &Position) -> Self {
        MoveListing {
            variant: position.variant().name(),
            fen: fen::format(position),
            moves: position
                .sorted_moves()
                .into_iter()
                .map(|mv| ListedMove::new(position, mv))
                .collect(),
        }
    }
}

impl ListedMove {
    fn new(position: &Position, mv: Move) -> Self {
        let (from, to, captured) = mv.numbers();
        ListedMove { r#move: ReportedMove::new(position, mv), from, to, captured }
    }
}

impl PositionReport for MoveListing {
    fn rows(&self) -> String {
        let moves: Vec<_> = self.moves.iter().map(|listed| listed.r#move.to_string()).collect();
        moves.join(" ") + "\n"
    }

    fn page(&self) -> String {
        self.moves.iter().map(|listed| format!("{}\n", listed.r#move)).collect()
    }
}

//! `manoury eval`: the static evaluation, bitbase value and book moves of positions.

use clap::Args;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, Table, Width};
use serde::Serialize;

use crate::analysis::{Chances, GroupWorth, PieceWorth, StaticView};
use crate::bitbase::Verdict;
use crate::board::{Kind, Side};
use crate::book::Book;
use crate::erased::{Bitbases, Position};
use crate::eval::Evaluation;
use crate::notation::fen;
use crate::report::board::letter;

use super::Error;
use super::args::positions::PositionsArguments;
use super::args::{BitbasesArgument, BookArgument, JsonArgument, WeightsArgument};
use super::output::{PositionReport, ReportedMove};

/// Maximum number of groups of men listed for a single position.
const MAX_GROUPS: usize = 3;

/// Show the static evaluation, bitbase value and book moves of a position
///
/// Prints the static evaluation: its score, and the worth of each piece, which is the score with
/// the piece minus the score without it. Men close together can be worth more or less than the sum
/// of their individual worths: the groups with the largest difference per man are shown. The
/// chances apply to games at 200 to 400 nodes per move, as the variant's network learned from. The
/// evaluation is meant for quiet positions; the engine always plays out pending captures before it
/// evaluates a position.
///
/// The bitbase value and the book moves follow. Scores are in men, from White's point of view;
/// those of book moves are for the side to move. With `-`, prints one score per position.
///
/// JSON, one object per position: variant, fen, score (null if the game is over), weights
/// ("network" or "hand"), chances (white, draw and black, 0 to 1, in games at 200 to 400 nodes per
/// move; null if the network has not learned them), quiet (whether neither side can capture),
/// pieces (each with square, side, king and worth, which is null if the position without it would
/// not be legal), groups (each with side, squares, together and apart), value according to the
/// bitbases ("win", "draw", "loss" for the side to move, or null), plies (to the end of the game, or
/// null) and book (moves, the best first, each with move, in Hub notation, and score).
///
/// Examples:
///   manoury eval --fen W:W28,32,38,42:B13,18,23,24
///   manoury eval --fen B:WK28,31:BK5 --json
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    #[command(flatten)]
    positions: PositionsArguments,
    #[command(flatten)]
    weights: WeightsArgument,
    #[command(flatten)]
    folder: BitbasesArgument,
    #[command(flatten)]
    book: BookArgument,
    #[command(flatten)]
    json: JsonArgument,
}

/// The static evaluation, bitbase value and book moves of a position.
#[derive(Serialize)]
struct EvalReport {
    variant: &'static str,
    fen: String,
    score: Option<f64>,
    weights: &'static str,
    chances: Option<ShownChances>,
    quiet: bool,
    pieces: Vec<ShownPiece>,
    groups: Vec<ShownGroup>,
    value: Option<String>,
    plies: Option<u8>,
    book: Vec<ShownMove>,
    #[serde(skip)]
    verdict: Option<Verdict>,
    /// The board, with the worth of each piece on its square.
    #[serde(skip)]
    board: String,
}

/// The chances of each result, 0 to 1.
#[derive(Serialize)]
struct ShownChances {
    white: f64,
    draw: f64,
    black: f64,
}

#[derive(Serialize)]
struct ShownPiece {
    square: u8,
    side: &'static str,
    king: bool,
    worth: Option<f64>,
}

#[derive(Serialize)]
struct ShownGroup {
    side: &'static str,
    squares: Vec<u8>,
    together: f64,
    apart: f64,
}

#[derive(Serialize)]
struct ShownMove {
    r#move: ReportedMove,
    score: f64,
}

/// Prints the report on each position.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { positions, weights, folder, book, json } = arguments;
    let variant = positions.variant();
    let sources = Sources {
        evaluation: weights.open(variant)?,
        bitbases: folder.open(variant)?,
        book: book.open(variant)?,
    };
    positions.report(json.is_on(), |position| sources.answer(position))
}

/// The evaluation, bitbases and book to query.
struct Sources {
    evaluation: Evaluation,
    bitbases: Bitbases,
    book: Option<Book>,
}

impl Sources {
    fn answer(&self, position: &Position) -> EvalReport {
        let view = position.has_move().then(|| StaticView::new(position, &self.evaluation));
        let (pieces, groups) = match &view {
            Some(view) => (&view.pieces[..], &view.groups[..]),
            None => (&[][..], &[][..]),
        };
        let verdict = self.bitbases.probe(position);
        let moves = self.book.as_ref().map(|book| book.moves(position)).unwrap_or_default();
        EvalReport {
            variant: position.variant().name(),
            fen: fen::format(position),
            score: view.as_ref().map(|view| men(view.score)),
            weights: if self.evaluation.checksum().is_some() { "network" } else { "hand" },
            chances: ShownChances::new(position, &self.evaluation),
            quiet: !position.has_capture() && !position.is_threatened(),
            pieces: pieces.iter().map(ShownPiece::new).collect(),
            groups: groups.iter().map(ShownGroup::new).collect(),
            value: verdict.map(|verdict| verdict.value.to_string()),
            plies: verdict.and_then(|verdict| verdict.plies),
            book: moves
                .iter()
                .map(|mv| ShownMove {
                    r#move: ReportedMove::new(position, mv.mv),
                    score: men(i32::from(mv.score.0)),
                })
                .collect(),
            verdict,
            board: board(position, pieces),
        }
    }
}

impl ShownChances {
    fn new(position: &Position, evaluation: &Evaluation) -> Option<Self> {
        let Chances { win, loss } = position
            .has_move()
            .then(|| Chances::from_evaluation(evaluation, position))
            .flatten()?;
        let [white, black] = match position.side() {
            Side::White => [win, loss],
            Side::Black => [loss, win],
        };
        let [white, draw, black] =
            [white, 1.0 - win - loss, black].map(|chance| (chance * 1e3).round() / 1e3);
        Some(ShownChances { white, draw, black })
    }
}

impl ShownPiece {
    fn new(piece: &PieceWorth) -> Self {
        ShownPiece {
            square: piece.square,
            side: piece.piece.side.name(),
            king: piece.piece.kind == Kind::King,
            worth: piece.worth.map(men),
        }
    }
}

impl ShownGroup {
    fn new(group: &GroupWorth) -> Self {
        ShownGroup {
            side: group.side.name(),
            squares: group.men.numbers().collect(),
            together: men(group.together),
            apart: men(group.apart),
        }
    }
}

fn men(hundredths: i32) -> f64 {
    f64::from(hundredths) / 100.0
}

/// The board, with the worth of each piece on its square and dots for empty squares.
fn board(position: &Position, pieces: &[PieceWorth]) -> String {
    let grid = position.grid();
    let shown = |square: u8| {
        let found = pieces.iter().find(|piece| piece.square == square);
        let Some(PieceWorth { piece, worth, .. }) = found else {
            return ".".to_owned();
        };
        let worth = worth.map_or("?".to_owned(), |worth| format!("{:.2}", men(worth)));
        format!("{}{worth}", letter(*piece))
    };
    let mut table = Table::new();
    table.load_style(NOTHING);
    for row in 0..grid.size {
        let squares = (0..grid.size).map(|column| grid.at(row, column));
        table.add_row(squares.map(|square| square.map(shown).unwrap_or_default()));
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 0)).set_cell_alignment(CellAlignment::Right);
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(5)));
    }
    table.trim_fmt() + "\n"
}

impl EvalReport {
    fn score(&self) -> String {
        self.score.map_or("the game is over".to_owned(), |score| format!("{score:+.2}"))
    }

    fn chances(&self) -> String {
        let line = |chances: &ShownChances| {
            let [white, draw, black] =
                [chances.white, chances.draw, chances.black].map(|chance| 100.0 * chance);
            format!("chances   White {white:.0} %, draw {draw:.0} %, Black {black:.0} %\n")
        };
        self.chances.as_ref().map(line).unwrap_or_default()
    }

    fn bitbases(&self) -> String {
        self.verdict.map_or("unknown".to_owned(), |verdict| verdict.to_string())
    }

    fn book(&self) -> String {
        if self.book.is_empty() {
            return "no moves".to_owned();
        }
        let moves = self.book.iter().map(|mv| format!("{} {:+.2}", mv.r#move, mv.score));
        moves.collect::<Vec<_>>().join(", ")
    }

    fn groups(&self) -> String {
        let line = |group: &ShownGroup| {
            let squares: Vec<_> = group.squares.iter().map(u8::to_string).collect();
            format!(
                "group     {} {}: {:+.2} together, {:+.2} individually\n",
                group.side,
                squares.join(" "),
                group.together,
                group.apart,
            )
        };
        self.groups.iter().take(MAX_GROUPS).map(line).collect()
    }
}

impl PositionReport for EvalReport {
    fn rows(&self) -> String {
        format!("{}\n", self.score())
    }

    fn page(&self) -> String {
        let note = if self.quiet { "" } else { ", not quiet: a side can capture" };
        format!(
            "score     {}, by {}{note}\n{}{}{}bitbases  {}\nbook      {}\n",
            self.score(),
            if self.weights == "hand" { "the hand-crafted weights" } else { "the network" },
            self.chances(),
            self.board,
            self.groups(),
            self.bitbases(),
            self.book(),
        )
    }
}

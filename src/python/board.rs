//! Boards.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyString};

use manoury::notation::{hub, squares};
use manoury::report::board_text::{Glyphs, TextStyle, text};
use manoury::{Diagram, Game, Kind, Position, Side, SquareSet, Variant, fen, pdn, svg};

use crate::arguments::small;
use crate::moves::{LegalMoves, Move, Outcome, Piece, legal_move};
use crate::perft::perft;
use crate::{value_error, variant};

/// The maximum depth of :meth:`Board.perft`.
const MAX_PERFT: u32 = 100;

/// A position, with the moves that led to it.
///
/// Starts at the start position, or at ``fen``. Raises ValueError if the variant is unknown or the
/// FEN is invalid. Squares are numbered from 1 at the top left; ``print(board)`` draws the board,
/// and a notebook shows it as a picture.
///
/// Boards are equal if they have the same moves from the same start. The hash is that of the
/// position: it changes with every move.
///
/// >>> from manoury import Board
/// >>> board = Board()
/// >>> board.push("32-28")
/// >>> board.turn, len(board.legal_moves)
/// ('black', 9)
/// >>> Board("W:W28,38,50:B22,23,33").legal_moves
/// <LegalMoves: 38x27>
#[pyclass(module = "manoury")]
#[derive(Clone)]
pub struct Board {
    pub(crate) game: Game,
}

impl Board {
    /// A board without moves.
    pub(crate) fn at(position: Position) -> Self {
        Board { game: Game::from_position(position) }
    }

    fn position(&self) -> &Position {
        self.game.position()
    }

    /// Checks that this is a board of the given variant.
    pub(crate) fn check(&self, should: Variant) -> PyResult<()> {
        let is = self.game.variant();
        if is == should {
            return Ok(());
        }
        Err(value_error(format!("expected a board of {}, not {}", should.name(), is.name())))
    }

    /// Checks that a square is on the board.
    fn square(&self, square: &Bound<'_, PyAny>) -> PyResult<u8> {
        let last = self.position().grid().playable().len() as u32;
        small("square", square, 1..=last).map(|square| square as u8)
    }

    fn move_list(&self) -> Vec<Move> {
        Move::line(self.game.start(), &self.game.moves())
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (fen = None, *, variant = "international"))]
    fn new(fen: Option<&str>, variant: &str) -> PyResult<Self> {
        let variant = self::variant(variant)?;
        let start = match fen {
            Some(text) => fen::parse(variant, text).map_err(value_error)?,
            None => Position::start(variant),
        };
        Ok(Board::at(start))
    }

    /// A board after a list of moves, each a string or a :class:`Move`, from the start position or
    /// ``fen``. Raises ValueError if one is not legal.
    ///
    /// >>> from manoury import Board
    /// >>> Board.from_moves("32-28 19-23 28x19".split()).turn
    /// 'black'
    #[staticmethod]
    #[pyo3(signature = (moves, fen = None, *, variant = "international"))]
    fn from_moves(moves: &Bound<'_, PyAny>, fen: Option<&str>, variant: &str) -> PyResult<Self> {
        let mut board = Board::new(fen, variant)?;
        board.__setstate__(moves)?;
        Ok(board)
    }

    /// The name of the variant: ``"international"``.
    #[getter]
    fn variant(&self) -> &'static str {
        self.game.variant().name()
    }

    /// The position as FEN.
    #[getter]
    fn fen(&self) -> String {
        fen::format(self.position())
    }

    /// The position from which the moves were played, as FEN.
    #[getter]
    fn start_fen(&self) -> String {
        fen::format(self.game.start())
    }

    /// The side to move: ``"white"`` or ``"black"``.
    #[getter]
    fn turn(&self) -> &'static str {
        self.position().side().name()
    }

    /// A 64-bit number for the position: equal for equal positions, and almost certainly different
    /// for different ones.
    #[getter]
    fn key(&self) -> u64 {
        self.position().key().0
    }

    /// The number of playable squares: 50 in international draughts.
    #[getter]
    fn squares(&self) -> usize {
        self.position().grid().playable().len()
    }

    /// The legal moves; empty if the side to move has none.
    #[getter]
    fn legal_moves(&self) -> LegalMoves {
        LegalMoves::of(self.position())
    }

    /// The moves so far.
    #[getter]
    fn move_stack(&self) -> Vec<Move> {
        self.move_list()
    }

    /// The moves so far, as strings in PDN notation.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.move_list().iter().map(Move::text).collect()
    }

    /// The number of moves so far.
    #[getter]
    fn ply(&self) -> usize {
        self.game.plies()
    }

    /// The piece on a square, or None. Raises ValueError if the board has no such square.
    fn piece_at(&self, square: &Bound<'_, PyAny>) -> PyResult<Option<Piece>> {
        Ok(self.position().piece_on(self.square(square)?).map(Piece::from))
    }

    /// The pieces by square, in ascending order; with ``side`` (``"white"``, ``"black"``) or
    /// ``kind`` (``"man"``, ``"king"``) only those.
    ///
    /// >>> from manoury import Board
    /// >>> Board("W:WK28,30:B5").pieces(side="white")
    /// {28: <Piece: white king>, 30: <Piece: white man>}
    #[pyo3(signature = (*, side = None, kind = None))]
    fn pieces<'py>(
        &self,
        py: Python<'py>,
        side: Option<&str>,
        kind: Option<&str>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let side = side.map(self::side).transpose()?;
        let kind = kind.map(self::kind).transpose()?;
        let pieces = PyDict::new(py);
        for square in self.position().occupied().numbers() {
            let Some(piece) = self.position().piece_on(square) else { continue };
            if side.is_none_or(|side| piece.side == side)
                && kind.is_none_or(|kind| piece.kind == kind)
            {
                pieces.set_item(square, Bound::new(py, Piece::from(piece))?)?;
            }
        }
        Ok(pieces)
    }

    /// Iterates over the occupied squares and their pieces, like ``board.pieces().items()``.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.pieces(py, None, None)?.items().try_iter()
    }

    /// The name of a square in PDN files of the variant: ``"28"``, or ``"c3"``.
    fn square_name(&self, square: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(squares::pdn_name(self.game.variant(), self.square(square)?))
    }

    /// The legal move described by a string: ``"32-28"``, ``"38x27"``. Raises ValueError with the
    /// reason if there is none or more than one.
    fn find_move(&self, text: &str) -> PyResult<Move> {
        let mv = pdn::parse_move(self.position(), text).map_err(value_error)?;
        Ok(Move { position: *self.position(), mv })
    }

    /// Plays a :class:`Move` or the move described by a string: ``"32-28"``, ``"38x27"``. Raises
    /// ValueError if it is not legal.
    fn push(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let mv = legal_move(self.position(), r#move)?;
        self.game.play(mv);
        Ok(())
    }

    /// Takes back the last move and returns it. Raises IndexError if there is none.
    fn pop(&mut self) -> PyResult<Move> {
        let Some(mv) = self.game.undo() else {
            return Err(PyIndexError::new_err("no move to take back"));
        };
        Ok(Move { position: *self.position(), mv })
    }

    /// Whether the game has ended, by a win or by a draw rule.
    fn is_game_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    /// The winner and the rule that ended the game, including draws by repetition and move limits;
    /// None while the game continues.
    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().map(Outcome)
    }

    /// The result, ``"2-0"``, ``"1-1"`` or ``"0-2"``, including draws by repetition and move
    /// limits; None while the game continues.
    ///
    /// >>> from manoury import Board
    /// >>> board = Board("W:W33:B22")
    /// >>> board.push("33-28"); board.push("22x33")
    /// >>> board.result(), board.outcome()
    /// ('0-2', <Outcome: 0-2, no pieces left>)
    fn result(&self) -> Option<&'static str> {
        self.game.outcome().map(|outcome| pdn::ResultText::of(outcome.winner))
    }

    /// The reason why the game ended; None while the game continues.
    fn reason(&self) -> Option<String> {
        self.game.outcome().map(|outcome| outcome.reason.to_string())
    }

    /// The number of sequences of ``depth`` legal moves; ``depth`` is 0 to 100. Ctrl-C stops the
    /// count.
    ///
    /// >>> from manoury import Board
    /// >>> Board().perft(6)
    /// 167140
    fn perft(slf: &Bound<'_, Self>, depth: &Bound<'_, PyAny>) -> PyResult<u64> {
        let depth = small("depth", depth, 0..=MAX_PERFT)?;
        let position = *slf.borrow().position();
        perft(slf.py(), &position, depth)
    }

    /// The board as an SVG picture.
    ///
    /// - ``bottom``: the side at the bottom, ``"white"`` or ``"black"``
    /// - ``arrows``: pairs of squares
    /// - ``marked``: squares to highlight; by default those of the last move
    /// - ``dotted``: squares with a dot
    /// - ``size``: width and height in pixels; by default as large as there is room
    ///
    /// >>> from manoury import Board
    /// >>> Board().svg(arrows=[(32, 28)], size=300)[:4]
    /// '<svg'
    #[pyo3(signature = (*, bottom = "white", arrows = None, marked = None, dotted = None, size = None))]
    fn svg(
        &self,
        bottom: &str,
        arrows: Option<Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>>,
        marked: Option<Vec<Bound<'_, PyAny>>>,
        dotted: Option<Vec<Bound<'_, PyAny>>>,
        size: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let set = |squares: Vec<Bound<'_, PyAny>>| {
            squares.iter().map(|square| self.square(square)).collect::<PyResult<SquareSet>>()
        };
        let mut diagram = Diagram::new(*self.position(), side(bottom)?);
        diagram.marked = match (marked, self.game.moves().last()) {
            (Some(marked), _) => set(marked)?,
            (None, Some(last)) => SquareSet::of(last.from) | SquareSet::of(last.to),
            (None, None) => SquareSet::EMPTY,
        };
        diagram.dotted = set(dotted.unwrap_or_default())?;
        for (from, to) in arrows.unwrap_or_default() {
            diagram.arrows.push([self.square(&from)?, self.square(&to)?]);
        }
        let picture = svg(&diagram);
        let Some(size) = size else { return Ok(picture) };
        let size = small("size", size, 1..=100_000)?;
        Ok(picture.replacen("<svg ", &format!("<svg width=\"{size}\" height=\"{size}\" "), 1))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        const SIZE: &str = "<svg width=\"400\" height=\"400\" ";
        Ok(self.svg("white", None, None, None, None)?.replacen("<svg ", SIZE, 1))
    }

    /// A copy with the same moves.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((String,), Bound<'py, PyDict>)> {
        let named = PyDict::new(py);
        named.set_item("variant", self.variant())?;
        Ok(((self.start_fen(),), named))
    }

    fn __getstate__(&self) -> Vec<String> {
        self.moves()
    }

    fn __setstate__(&mut self, moves: &Bound<'_, PyAny>) -> PyResult<()> {
        if moves.is_instance_of::<PyString>() {
            return Err(PyValueError::new_err(
                "moves must be a list of moves, not a str: use split()",
            ));
        }
        moves.try_iter()?.try_for_each(|mv| self.push(&mv?))
    }

    /// The position as Hub engines write it: the side to move, then a letter for each square.
    #[getter]
    fn hub(&self) -> String {
        hub::format_position(self.position())
    }

    /// The legal move as written by a Hub engine: ``"38x27x22x23x33"``. Raises ValueError if there
    /// is none.
    fn find_hub_move(&self, text: &str) -> PyResult<Move> {
        let mv = hub::parse_move_leniently(self.position(), text).map_err(value_error)?;
        Ok(Move { position: *self.position(), mv })
    }

    /// The arguments of the Hub ``pos`` command that sets up this game.
    fn _hub_game(&self) -> (String, String, Vec<String>) {
        let start = self.game.start();
        let moves = self.game.moves().into_iter().map(hub::format_move).collect();
        (hub::format_position(start), hub::format_wolf(start), moves)
    }

    fn __str__(&self) -> String {
        let style = TextStyle { glyphs: Glyphs::Unicode, is_coloured: false };
        let picture = text(&Diagram::new(*self.position(), Side::White), style);
        format!("{picture}{} to move", self.turn())
    }

    fn __repr__(&self) -> String {
        match self.game.variant() {
            Variant::International => format!("Board({:?})", self.fen()),
            variant => format!("Board({:?}, variant={:?})", self.fen(), variant.name()),
        }
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game == other.game
    }

    fn __hash__(&self) -> u64 {
        self.position().key().0
    }
}

/// The side with this name.
pub(crate) fn side(name: &str) -> PyResult<Side> {
    let side = Side::ALL.into_iter().find(|side| side.name() == name);
    side.ok_or_else(|| value_error(format!("not a side: {name:?}; expected white or black")))
}

fn kind(name: &str) -> PyResult<Kind> {
    match name {
        "man" => Ok(Kind::Man),
        "king" => Ok(Kind::King),
        _ => Err(value_error(format!("not a kind of piece: {name:?}; expected man or king"))),
    }
}

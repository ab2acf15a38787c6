//! Moves, lists of legal moves, and pieces.

use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PySlice, PyString, PyTuple};

use manoury::notation::{hub, pdn};
use manoury::report::board::letter;
use manoury::{Kind, Position, board};

use crate::board::Board;
use crate::value_error;

/// A piece: its side and kind.
///
/// - ``side``: ``"white"`` or ``"black"``
/// - ``kind``: ``"man"`` or ``"king"``
/// - ``symbol``: ``"w"`` or ``"b"`` for a man, ``"W"`` or ``"B"`` for a king; also ``str(piece)``
///
/// >>> from manoury import Board
/// >>> piece = Board("W:WK28:B5").piece_at(28)
/// >>> piece.side, piece.kind, piece.symbol
/// ('white', 'king', 'W')
#[pyclass(module = "manoury", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub struct Piece(manoury::Piece);

impl From<manoury::Piece> for Piece {
    fn from(piece: manoury::Piece) -> Self {
        Piece(piece)
    }
}

#[pymethods]
impl Piece {
    /// The side: ``"white"`` or ``"black"``.
    #[getter]
    fn side(&self) -> &'static str {
        self.0.side.name()
    }

    /// The kind: ``"man"`` or ``"king"``.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0.kind {
            Kind::Man => "man",
            Kind::King => "king",
        }
    }

    /// Whether the piece is a king.
    #[getter]
    fn is_king(&self) -> bool {
        self.0.kind == Kind::King
    }

    /// ``"w"`` or ``"b"`` for a man, ``"W"`` or ``"B"`` for a king.
    #[getter]
    fn symbol(&self) -> char {
        letter(self.0)
    }

    fn __str__(&self) -> char {
        self.symbol()
    }

    fn __repr__(&self) -> String {
        format!("<Piece: {} {}>", self.side(), self.kind())
    }
}

/// A legal move.
///
/// Moves come from :attr:`Board.legal_moves`, :meth:`Board.find_move`, a search or a game. A move
/// is equal to its string in PDN notation and to any move with the same string.
///
/// >>> from manoury import Board
/// >>> move, = Board("W:W28,38,50:B22,23,33").legal_moves
/// >>> move == "38x27", move.from_square, move.to_square, move.captured, move.path
/// (True, 38, 27, (22, 23, 33), (38, 29, 18, 27))
#[pyclass(module = "manoury", frozen, freelist = 256)]
pub struct Move {
    pub(crate) position: Position,
    pub(crate) mv: board::Move,
}

impl Move {
    pub(crate) fn text(&self) -> String {
        pdn::format_move(&self.position, self.mv)
    }

    /// The moves of a line from a position.
    pub(crate) fn line(start: &Position, moves: &[board::Move]) -> Vec<Move> {
        let mut position = *start;
        let step = |&mv| {
            let step = Move { position, mv };
            position = position.after(mv);
            step
        };
        moves.iter().map(step).collect()
    }
}

/// The legal move in a position that an object describes: a :class:`Move` or a string.
pub(crate) fn legal_move(position: &Position, object: &Bound<'_, PyAny>) -> PyResult<board::Move> {
    if let Ok(known) = object.cast_exact::<Move>() {
        let known = known.get();
        let is_legal = known.position == *position
            || known.position.variant() == position.variant()
                && position.legal_moves().contains(&known.mv);
        return match is_legal {
            true => Ok(known.mv),
            // Parsing the text gives the reason why the move is not legal here.
            false => pdn::parse_move(position, &known.text()).map_err(value_error),
        };
    }
    let Ok(text) = object.cast::<PyString>() else {
        let name = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!("expected a Move or a str, not {name}")));
    };
    pdn::parse_move(position, &text.to_cow()?).map_err(value_error)
}

#[pymethods]
impl Move {
    /// The square that the piece leaves, numbered from 1 at the top left.
    #[getter(from_square)]
    fn start_square(&self) -> u8 {
        self.mv.from
    }

    /// The square on which the piece lands. A capture may end where it began.
    #[getter]
    fn to_square(&self) -> u8 {
        self.mv.to
    }

    /// The squares of the captured pieces, ascending; empty for a quiet move.
    #[getter]
    fn captured<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.mv.captured.numbers().collect::<Vec<_>>())
    }

    /// All squares that the piece occupies, in order: the start, the landing square of each jump,
    /// and the end. If a capture has several routes, this is one of them.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let landings = pdn::landing_squares(&self.position, self.mv);
        PyTuple::new(py, [self.mv.from].into_iter().chain(landings).collect::<Vec<_>>())
    }

    /// Whether the move captures.
    #[getter]
    fn is_capture(&self) -> bool {
        self.mv.is_capture()
    }

    /// Whether a man becomes a king.
    #[getter]
    fn is_promotion(&self) -> bool {
        let Move { position, mv } = self;
        !position.all_kings().has(mv.from) && position.after(*mv).all_kings().has(mv.to)
    }

    /// The piece that moves, as it is before the move.
    #[getter]
    fn piece(&self) -> Option<Piece> {
        self.position.piece_on(self.mv.from).map(Piece)
    }

    /// The move as Hub engines write it, with the captured squares: ``"38x27x22x23x33"``.
    #[getter]
    fn hub(&self) -> String {
        hub::format_move(self.mv)
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("<Move: {}>", self.text())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        if let Ok(other) = other.cast_exact::<Move>() {
            let other = other.get();
            let is_same = self.mv == other.mv && self.position == other.position;
            return Ok(is_same || self.text() == other.text());
        }
        match other.cast::<PyString>() {
            Ok(text) => Ok(*text.to_cow()? == *self.text()),
            Err(_) => Ok(false),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.text()).hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Board, String))> {
        let find = py.get_type::<Board>().getattr("find_move")?;
        Ok((find, (Board::at(self.position), self.text())))
    }
}

/// The legal moves of a board at the time of the call, sorted by square.
///
/// ``len``, ``in``, iteration and indexing work as for a list; ``in`` takes a :class:`Move` or a
/// string. The moves are generated when needed. Equal to a list of the same moves or strings.
///
/// >>> from manoury import Board
/// >>> moves = Board().legal_moves
/// >>> len(moves), moves[0], "32-28" in moves, "28-32" in moves
/// (9, <Move: 31-26>, True, False)
#[pyclass(module = "manoury", frozen)]
pub struct LegalMoves {
    position: Position,
    /// Sorted.
    moves: OnceLock<Vec<board::Move>>,
}

impl LegalMoves {
    pub(crate) fn of(position: &Position) -> Self {
        LegalMoves { position: *position, moves: OnceLock::new() }
    }

    fn moves(&self) -> &[board::Move] {
        self.moves.get_or_init(|| self.position.sorted_moves())
    }

    fn wrapped(&self, mv: board::Move) -> Move {
        Move { position: self.position, mv }
    }
}

#[pymethods]
impl LegalMoves {
    fn __len__(&self) -> usize {
        match self.moves.get() {
            Some(moves) => moves.len(),
            None => self.position.count_leaves(1, None) as usize,
        }
    }

    fn __bool__(&self) -> bool {
        self.position.has_move()
    }

    /// The number of moves; the same as ``len(moves)``.
    fn count(&self) -> usize {
        self.__len__()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.list(py)?.try_iter()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if index.is_instance_of::<PySlice>() {
            return self.list(py)?.as_any().get_item(index);
        }
        let (index, moves) = (index.extract::<isize>()?, self.moves());
        let index = if index < 0 { index + moves.len() as isize } else { index };
        let mv = usize::try_from(index).ok().and_then(|index| moves.get(index));
        let mv = mv.ok_or_else(|| PyIndexError::new_err("move index out of range"))?;
        Ok(Bound::new(py, self.wrapped(*mv))?.into_any())
    }

    fn __contains__(&self, r#move: &Bound<'_, PyAny>) -> bool {
        legal_move(&self.position, r#move).is_ok()
    }

    fn __eq__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<bool> {
        match other.cast_exact::<LegalMoves>() {
            Ok(other) => Ok(self.position == other.get().position),
            Err(_) => self.list(other.py())?.eq(other),
        }
    }

    fn __repr__(&self) -> String {
        let moves = self.moves().iter();
        let moves: Vec<_> = moves.map(|&mv| pdn::format_move(&self.position, mv)).collect();
        format!("<LegalMoves: {}>", moves.join(" "))
    }
}

impl LegalMoves {
    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.moves().iter().map(|&mv| self.wrapped(mv)))
    }
}

/// How a game ended.
///
/// - ``winner``: ``"white"``, ``"black"``, or None for a draw
/// - ``reason``: the rule that ended it, such as ``"no pieces left"`` or ``"repetition"``
/// - ``result``: ``"2-0"``, ``"1-1"`` or ``"0-2"``
#[pyclass(module = "manoury", frozen, eq, hash)]
#[derive(PartialEq, Eq)]
pub struct Outcome(pub(crate) manoury::Outcome);

impl Hash for Outcome {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0.winner, self.0.reason.to_string()).hash(state);
    }
}

#[pymethods]
impl Outcome {
    /// The winner, ``"white"`` or ``"black"``; None for a draw.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.0.winner.map(manoury::Side::name)
    }

    /// The rule that ended the game, such as ``"no pieces left"`` or ``"repetition"``.
    #[getter]
    fn reason(&self) -> String {
        self.0.reason.to_string()
    }

    /// The result: ``"2-0"``, ``"1-1"`` or ``"0-2"``.
    #[getter]
    fn result(&self) -> &'static str {
        pdn::ResultText::of(self.0.winner)
    }

    fn __repr__(&self) -> String {
        format!("<Outcome: {}, {}>", self.result(), self.reason())
    }
}

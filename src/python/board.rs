//! Boards.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use manoury::board::Move;
use manoury::erased::{Game, Position};
use manoury::notation::{fen, pdn};
use manoury::rules::Variant;

use crate::{value_error, variant};

/// A position of a game, with the moves that led to it.
///
/// Starts at the start position, or at ``fen``. Raises ValueError if the variant is unknown or the
/// FEN is invalid.
///
/// >>> from manoury import Board
/// >>> board = Board()
/// >>> board.push("32-28")
/// >>> board.turn, len(board.legal_moves)
/// ('black', 9)
/// >>> Board("W:W28,38,50:B22,23,33").legal_moves
/// ['38x27']
#[pyclass(module = "manoury")]
#[derive(Clone)]
pub struct Board {
    pub(crate) game: Game,
}

impl Board {
    fn position(&self) -> &Position {
        self.game.position()
    }

    /// Checks that this is a board of the given game.
    pub(crate) fn check(&self, should: Variant) -> PyResult<()> {
        let is = self.game.variant();
        if is == should {
            return Ok(());
        }
        Err(value_error(format!("expected a board of {}, not {}", should.name(), is.name())))
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
        Ok(Board { game: Game::from_position(start) })
    }

    /// The name of the game: ``"international"``.
    #[getter]
    fn variant(&self) -> &'static str {
        self.game.variant().name()
    }

    /// The position as FEN.
    #[getter]
    fn fen(&self) -> String {
        fen::format(self.position())
    }

    /// The side to move: ``"white"`` or ``"black"``.
    #[getter]
    fn turn(&self) -> &'static str {
        self.position().side().name()
    }

    /// The legal moves in PDN notation; empty if the side to move has none. Captures that differ
    /// only in the captured pieces include the squares between.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let position = self.position();
        let mut text = String::new();
        let name = |mv| {
            text.clear();
            pdn::push_move(&mut text, position, mv);
            PyString::new(py, &text)
        };
        PyList::new(py, position.sorted_moves().into_iter().map(name))
    }

    /// The moves so far.
    #[getter]
    fn moves(&self) -> Vec<String> {
        let positions = self.game.positions();
        let moves = positions.iter().zip(self.game.moves());
        moves.map(|(position, mv)| pdn::format_move(position, mv)).collect()
    }

    /// The number of moves so far.
    #[getter]
    fn ply(&self) -> usize {
        self.game.plies()
    }

    /// Plays a move: ``"32-28"``, ``"38x27"``. Raises ValueError if it is not legal.
    fn push(&mut self, r#move: &str) -> PyResult<()> {
        let position = self.position();
        // The text is usually spelled as in the list of legal moves, and finding it there is faster
        // than parsing it.
        let mut text = String::new();
        let is_spelled = |&mv: &Move| {
            text.clear();
            pdn::push_move(&mut text, position, mv);
            text == r#move
        };
        let mv = match position.legal_moves().into_iter().find(is_spelled) {
            Some(mv) => mv,
            None => pdn::parse_move(position, r#move).map_err(value_error)?,
        };
        self.game.play(mv);
        Ok(())
    }

    /// Takes back the last move and returns it. Raises IndexError if there is none.
    fn pop(&mut self) -> PyResult<String> {
        let Some(mv) = self.game.undo() else {
            return Err(PyIndexError::new_err("no move to take back"));
        };
        Ok(pdn::format_move(self.position(), mv))
    }

    /// The result, ``"2-0"``, ``"1-1"`` or ``"0-2"``, including draws by repetition and move
    /// limits; None while the game continues.
    ///
    /// >>> from manoury import Board
    /// >>> board = Board("W:W33:B22")
    /// >>> board.push("33-28"); board.push("22x33")
    /// >>> board.result(), board.reason()
    /// ('0-2', 'no pieces left')
    fn result(&self) -> Option<&'static str> {
        self.game.outcome().map(|outcome| pdn::ResultText::of(outcome.winner))
    }

    /// Why the game ended; None while it continues.
    fn reason(&self) -> Option<String> {
        self.game.outcome().map(|outcome| outcome.reason.to_string())
    }

    /// The number of sequences of ``depth`` legal moves.
    ///
    /// >>> from manoury import Board
    /// >>> Board().perft(6)
    /// 167140
    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        py.detach(|| self.position().perft(depth))
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

    fn __str__(&self) -> String {
        self.fen()
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
}

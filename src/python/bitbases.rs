//! Bitbases.

use std::path::PathBuf;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use manoury::bitbase::MAX_PIECES;
use manoury::engine::bitbase_folder;
use manoury::erased;

use crate::board::Board;
use crate::moves::Move;
use crate::variant;

/// The bitbases of a variant: the built-in ones, and those in a folder filled by ``manoury bitbase
/// generate``.
///
/// Raises OSError if the folder or a file in it cannot be used.
///
/// >>> from manoury import Bitbases, Board
/// >>> Bitbases().probe(Board("W:WK28:BK5"))
/// <Verdict: win in 3 plies>
#[pyclass(module = "manoury", frozen)]
pub struct Bitbases(erased::Bitbases);

/// The bitbases' verdict on a position, for the side to move.
///
/// - ``value``: ``"win"``, ``"draw"`` or ``"loss"``, ignoring draw rules
/// - ``plies``: plies to the end of the game; None for a draw, or if unknown
#[pyclass(module = "manoury", frozen, get_all)]
pub struct Verdict {
    value: String,
    plies: Option<u8>,
}

#[pymethods]
impl Verdict {
    fn __repr__(&self) -> String {
        match self.plies {
            Some(1) => format!("<Verdict: {} in 1 ply>", self.value),
            Some(plies) => format!("<Verdict: {} in {plies} plies>", self.value),
            None => format!("<Verdict: {}>", self.value),
        }
    }
}

impl From<manoury::bitbase::Verdict> for Verdict {
    fn from(verdict: manoury::bitbase::Verdict) -> Self {
        Verdict { value: verdict.value.to_string(), plies: verdict.plies }
    }
}

#[pymethods]
impl Bitbases {
    #[new]
    #[pyo3(signature = (folder = None, *, variant = "international"))]
    fn new(folder: Option<PathBuf>, variant: &str) -> PyResult<Self> {
        let variant = self::variant(variant)?;
        let mut bitbases = erased::Bitbases::embedded(variant);
        if let Some(folder) = folder {
            if !folder.is_dir() {
                let problem = format!("{}: no such folder", folder.display());
                return Err(PyOSError::new_err(problem));
            }
            let faults = bitbases.open(&bitbase_folder(variant, &folder), MAX_PIECES);
            if let Some(fault) = faults.first() {
                return Err(PyOSError::new_err(fault.to_string()));
            }
        }
        Ok(Bitbases(bitbases))
    }

    /// The name of the variant.
    #[getter]
    fn variant(&self) -> &'static str {
        self.0.variant().name()
    }

    /// The maximum number of pieces in positions that can be probed.
    #[getter]
    fn pieces(&self) -> usize {
        self.0.pieces()
    }

    /// The verdict on the position of a board; None if unknown.
    fn probe(&self, board: &Board) -> PyResult<Option<Verdict>> {
        board.check(self.0.variant())?;
        Ok(self.0.probe(board.game.position()).map(Verdict::from))
    }

    /// The legal moves on a board with their verdicts for the side to move, best first; None if any
    /// verdict is unknown.
    fn moves(&self, board: &Board) -> PyResult<Option<Vec<(Move, Verdict)>>> {
        board.check(self.0.variant())?;
        let position = board.game.position();
        let shown = |(mv, verdict): (_, manoury::bitbase::Verdict)| {
            (Move { position: *position, mv }, verdict.into())
        };
        Ok(self.0.rated_moves(position).map(|rated| rated.into_iter().map(shown).collect()))
    }
}

//! Games in PDN.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use manoury::notation::fen;
use manoury::notation::pdn::{self, GameRecord};

use crate::board::Board;
use crate::{value_error, variant};

/// A game read from PDN; ``str(game)`` is its PDN.
#[pyclass(module = "manoury", frozen)]
pub struct PdnGame(GameRecord);

#[pymethods]
impl PdnGame {
    /// The tags, except those for the position and the game type.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for (name, value) in self.0.tags.iter() {
            tags.set_item(name, value)?;
        }
        Ok(tags)
    }

    /// The name of the variant.
    #[getter]
    fn variant(&self) -> &'static str {
        self.0.start.variant().name()
    }

    /// The start position as FEN.
    #[getter]
    fn start(&self) -> String {
        fen::format(&self.0.start)
    }

    /// The moves of the main line.
    #[getter]
    fn moves(&self) -> Vec<String> {
        let mut position = self.0.start;
        let step = |annotated: &pdn::AnnotatedMove| {
            let text = pdn::format_move(&position, annotated.mv);
            position = position.after(annotated.mv);
            text
        };
        self.0.line.moves.iter().map(step).collect()
    }

    /// The result as written in the file, such as ``"2-0"``; ``"*"`` if unknown.
    #[getter]
    fn result(&self) -> String {
        self.0.result().as_str().to_owned()
    }

    /// The board after the last move.
    fn board(&self) -> Board {
        Board { game: self.0.game() }
    }

    fn __str__(&self) -> String {
        pdn::write_game(&self.0)
    }

    fn __repr__(&self) -> String {
        let name = |tag| self.0.tags.get(tag).unwrap_or("?");
        format!("<PdnGame: {} - {} {}>", name("White"), name("Black"), self.result())
    }
}

/// The games in a text. A game without a game type is read as ``variant`` if its moves are legal in
/// that variant.
///
/// Raises ValueError if a game cannot be read; ``skip_broken=True`` skips it instead.
///
/// >>> from manoury import read_pdn
/// >>> game, = read_pdn('[White "Ann"] 1. 32-28 19-23 2. 28x19 14x23 1-1')
/// >>> game.tags["White"], game.moves[2], game.result, game.board().ply
/// ('Ann', '28x19', '1-1', 4)
#[pyfunction]
#[pyo3(signature = (text, *, variant = "international", skip_broken = false))]
pub fn read_pdn(
    py: Python<'_>,
    text: &str,
    variant: &str,
    skip_broken: bool,
) -> PyResult<Vec<PdnGame>> {
    let variant = self::variant(variant)?;
    py.detach(|| {
        let read = |game| match pdn::read_any_game(variant, &game, &mut Vec::new()) {
            Ok(record) => Some(Ok(PdnGame(record))),
            Err(_) if skip_broken => None,
            Err(broken) => Some(Err(value_error(broken.error))),
        };
        pdn::games(text).filter_map(read).collect()
    })
}

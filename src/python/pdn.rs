//! Games in PDN: as flat records, and as the parts of a tree.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use manoury::Position;
use manoury::notation::fen;
use manoury::notation::pdn::{
    self, AnnotatedMove, BrokenGame, GameRecord, MoveLine, ResultText, Tags,
};

use crate::board::Board;
use crate::moves::{Move, legal_move};
use crate::{value_error, variant};

/// A game read from PDN; ``str(game)`` is its PDN. For comments and side lines, see :class:`Game`.
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

    /// The moves of the main line, as strings.
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

    /// The main line: its comments, and its moves, each with strength marks, annotation glyphs,
    /// comments and side lines.
    fn _line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        line(py, self.0.start, &self.0.line)
    }

    fn __str__(&self) -> String {
        pdn::write_game(&self.0)
    }

    fn __repr__(&self) -> String {
        let name = |tag| self.0.tags.get(tag).unwrap_or("?");
        format!("<PdnGame: {} - {} {}>", name("White"), name("Black"), self.result())
    }
}

/// A line of moves from a position, for Python.
fn line<'py>(
    py: Python<'py>,
    mut position: Position,
    line: &MoveLine,
) -> PyResult<Bound<'py, PyTuple>> {
    let moves = PyList::empty(py);
    for annotated in &line.moves {
        let AnnotatedMove { mv, strength, nags, comments, variations } = annotated;
        let variations = variations.iter().map(|line| self::line(py, position, line));
        let variations = variations.collect::<PyResult<Vec<_>>>()?;
        moves.append((Move { position, mv: *mv }, strength, nags, comments, variations))?;
        position = position.after(*mv);
    }
    (&line.comments, moves).into_pyobject(py)
}

/// The line described by a Python object as returned by :meth:`PdnGame._line`.
fn line_of(mut position: Position, described: &Bound<'_, PyAny>) -> PyResult<MoveLine> {
    let (comments, moves): (_, Vec<Bound<'_, PyTuple>>) = described.extract()?;
    let mut line = MoveLine { comments, moves: Vec::new() };
    for described in moves {
        let mv = legal_move(&position, &described.get_item(0)?)?;
        let variations: Vec<Bound<'_, PyAny>> = described.get_item(4)?.extract()?;
        line.moves.push(AnnotatedMove {
            mv,
            strength: described.get_item(1)?.extract()?,
            nags: described.get_item(2)?.extract()?,
            comments: described.get_item(3)?.extract()?,
            variations: (variations.iter())
                .map(|variation| line_of(position, variation))
                .collect::<PyResult<_>>()?,
        });
        position = position.after(mv);
    }
    Ok(line)
}

/// The PDN of a game. Raises ValueError if a move is not legal.
#[pyfunction]
pub fn write_pdn(
    tags: Vec<(String, String)>,
    start: &Board,
    line: &Bound<'_, PyAny>,
    result: &str,
) -> PyResult<String> {
    let start = *start.game.position();
    let mut written = Tags::default();
    tags.iter().for_each(|(name, value)| written.set(name, value));
    let terminator = ResultText::parse_points(result)
        .ok_or_else(|| value_error(format!("not a result: {result:?}")))?;
    let record = GameRecord { tags: written, start, line: line_of(start, line)?, terminator };
    Ok(pdn::write_game(&record))
}

/// The games in a text. Games that don't specify their variant are read as ``variant`` if most of
/// them can be, else as the variant in which most of them can.
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
    let variant = variant_of_text(py, text, variant)?;
    let read = games_of_chunk(py, text, variant)?.into_iter();
    let kept = read.filter_map(|(game, error)| match (game, error) {
        (_, Some(_)) if skip_broken => None,
        (_, Some(error)) => Some(Err(value_error(error))),
        (game, None) => game.map(Ok),
    });
    kept.collect()
}

/// The variant in which most games of a text that don't specify one can be read, preferably
/// ``variant``.
#[pyfunction]
pub fn variant_of_text(py: Python<'_>, text: &str, variant: &str) -> PyResult<&'static str> {
    let variant = self::variant(variant)?;
    let guess = || {
        let games: Vec<_> = pdn::games(text).take(pdn::MAX_SAMPLE_GAMES).collect();
        pdn::variant_of_games(variant, &games).name()
    };
    Ok(py.detach(guess))
}

/// The games in a text, valid or not. For a game with an error: the part before it, if any, and the
/// error.
#[pyfunction]
pub fn games_of_chunk(
    py: Python<'_>,
    text: &str,
    variant: &str,
) -> PyResult<Vec<(Option<PdnGame>, Option<String>)>> {
    let variant = self::variant(variant)?;
    let read = |game| match pdn::read_any_game(variant, &game, &mut Vec::new()) {
        Ok(record) => (Some(PdnGame(record)), None),
        Err(BrokenGame { error, before }) => {
            (before.map(|before| PdnGame(*before)), Some(error.to_string()))
        }
    };
    Ok(py.detach(|| pdn::games(text).map(read).collect()))
}

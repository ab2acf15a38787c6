//! Openings from files: PDN games, and positions as FEN or as Hub writes them.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use crate::game::Game;
use crate::notation::{TextError, fen, hub, pdn};
use crate::position::Position;
use crate::rules::Rules;

use super::{Opening, OpeningError};

/// The openings of a file, the first of those that lead to the same position.
///
/// # Errors
///
/// A file that cannot be read or is faulty, an opening in which the game is over.
pub(super) fn read<R: Rules>(path: &Path) -> Result<Vec<Opening<R>>, OpeningError> {
    let bytes = fs::read(path).map_err(|error| OpeningError::File(path.to_owned(), error))?;
    let file = File { path, text: pdn::decode(&bytes) };
    let mut openings = if file.is_pdn() { file.games()? } else { file.positions()? };
    let mut seen = HashSet::new();
    openings.retain(|opening: &Opening<R>| seen.insert(*opening.game.position()));
    Ok(openings)
}

/// A file that has been read.
struct File<'a> {
    path: &'a Path,
    text: String,
}

impl File<'_> {
    /// Whether the file has games and not positions. Its ending tells, or else its first line: only
    /// a position starts with the side to move. A list of `FEN` tags is one of positions too.
    fn is_pdn(&self) -> bool {
        let extension = self.path.extension().map(|extension| extension.to_ascii_lowercase());
        match extension.as_ref().and_then(|extension| extension.to_str()) {
            Some("pdn") => return true,
            Some("fen") => return false,
            _ => {}
        }
        let is_tag = |line: &str| line.starts_with("[FEN");
        let mut lines = self.lines().map(|(_, line)| line.trim());
        match lines.next() {
            Some(first) if is_tag(first) => !lines.all(is_tag),
            Some(first) => !first.starts_with(['W', 'B', 'w', 'b']),
            None => false,
        }
    }

    /// The lines that say something, numbered from 1: neither blank nor a remark.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines()).filter(|(_, line)| {
            let line = line.trim_start();
            !line.is_empty() && !line.starts_with('#')
        })
    }

    fn games<R: Rules>(&self) -> Result<Vec<Opening<R>>, OpeningError> {
        let games = pdn::games(&self.text).map(|text| {
            let record = pdn::read_game(&text).map_err(|broken| self.fault(broken))?;
            self.opening(text.place().line, record.game())
        });
        games.collect()
    }

    fn positions<R: Rules>(&self) -> Result<Vec<Opening<R>>, OpeningError> {
        let positions = self.lines().map(|(number, line)| {
            let text = line.trim_start();
            let indent = line.chars().count() - text.chars().count();
            let position = position(text.trim_end()).map_err(|error| {
                let column = indent + error.column;
                let example = fen::format(&Position::<R>::start());
                self.fault(format_args!(
                    "line {number}, column {column}: {}; the start position of {} would be {example}",
                    error.message,
                    R::VARIANT
                ))
            })?;
            self.opening(number, Game::new(position))
        });
        positions.collect()
    }

    /// The opening at a line, unless the game is over.
    fn opening<R: Rules>(&self, line: usize, game: Game<R>) -> Result<Opening<R>, OpeningError> {
        if let Some(outcome) = game.outcome() {
            let reason = outcome.reason;
            return Err(self.fault(format_args!("line {line}: the game is over ({reason})")));
        }
        let file = self.path.file_name().unwrap_or_default();
        Ok(Opening { name: format!("{}:{line}", file.display()), game })
    }

    fn fault(&self, what: impl std::fmt::Display) -> OpeningError {
        OpeningError::Input(format!("{}, {what}", self.path.display()))
    }
}

/// A position as FEN, which has colons, or as Hub writes it.
fn position<R: Rules>(text: &str) -> Result<Position<R>, TextError> {
    if text.contains(':') { fen::parse(text) } else { hub::parse_position(text) }
}

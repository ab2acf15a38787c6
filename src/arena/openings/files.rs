//! Openings from files: PDN games, and positions in FEN or in Hub notation.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use crate::erased::{Game, Position};
use crate::notation::pdn::BrokenGame;
use crate::notation::{TextError, fen, hub, pdn};
use crate::rules::Variant;

use super::{Opening, OpeningError, OpeningList};

/// Reads the openings in a file: positions, or the first `plies` of each game (the whole game if
/// `None`). Of the openings that lead to the same position, only the first is kept. Games that have
/// fewer than `plies` plies, or are over after `plies` plies, are left out.
///
/// # Errors
///
/// The file cannot be read or is invalid; the game is over at the end of an opening; or `plies` is
/// set for a file of positions.
pub(super) fn read(
    variant: Variant,
    path: &Path,
    plies: Option<usize>,
) -> Result<OpeningList, OpeningError> {
    let bytes = fs::read(path).map_err(|error| OpeningError::File(path.to_owned(), error))?;
    let file = OpeningFile { variant, path, text: pdn::decode(&bytes) };
    let mut list = match (file.is_pdn(), plies) {
        (true, None) => OpeningList { openings: file.games()?, skipped: 0 },
        (true, Some(plies)) => file.first_plies(plies)?,
        (false, None) => OpeningList { openings: file.positions()?, skipped: 0 },
        (false, Some(_)) => {
            return Err(OpeningError::Input(format!(
                "{}: the file contains positions, but --opening-plies needs games",
                path.display()
            )));
        }
    };
    let mut seen = HashSet::new();
    list.openings.retain(|opening| seen.insert(*opening.game.position()));
    Ok(list)
}

/// The text of a file of openings.
struct OpeningFile<'a> {
    variant: Variant,
    path: &'a Path,
    text: String,
}

impl OpeningFile<'_> {
    /// Whether the file contains games rather than positions. This depends on the extension; for
    /// unknown extensions, it depends on the first line, because only a position starts with the
    /// side to move. A file in which every line is a `FEN` tag contains positions.
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

    /// The lines that are neither blank nor comments, with their line numbers in the file.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines()).filter(|(_, line)| {
            let line = line.trim_start();
            !line.is_empty() && !line.starts_with('#')
        })
    }

    fn games(&self) -> Result<Vec<Opening>, OpeningError> {
        let games = pdn::games(&self.text).map(|text| {
            let record = pdn::read_game_leniently(self.variant, &text, &mut Vec::new())
                .map_err(|broken| self.fault(broken))?;
            self.opening(text.place().line, record.game())
        });
        games.collect()
    }

    /// The first plies of each game. Errors in later moves are ignored.
    fn first_plies(&self, plies: usize) -> Result<OpeningList, OpeningError> {
        let (mut openings, mut skipped) = (Vec::new(), 0);
        for text in pdn::games(&self.text) {
            let record = match pdn::read_game_leniently(self.variant, &text, &mut Vec::new()) {
                Ok(record) => record,
                Err(BrokenGame { before: Some(record), .. })
                    if record.line.moves.len() >= plies =>
                {
                    *record
                }
                Err(broken) => return Err(self.fault(broken)),
            };
            let mut game = Game::from_position(record.start);
            record.line.moves.iter().take(plies).for_each(|annotated| game.play(annotated.mv));
            match game.plies() == plies && game.outcome().is_none() {
                true => openings.push(self.opening(text.place().line, game)?),
                false => skipped += 1,
            }
        }
        Ok(OpeningList { openings, skipped })
    }

    fn positions(&self) -> Result<Vec<Opening>, OpeningError> {
        let positions = self.lines().map(|(number, line)| {
            let text = line.trim_start();
            let indent = line.chars().count() - text.chars().count();
            let position = position(self.variant, text.trim_end()).map_err(|error| {
                let column = indent + error.column;
                let (variant, message) = (self.variant, &error.message);
                let example = fen::format(&Position::start(variant));
                self.fault(format_args!(
                    "line {number}, column {column}: {message}; for example, \
                     the start position of {variant} is {example}"
                ))
            })?;
            self.opening(number, Game::from_position(position))
        });
        positions.collect()
    }

    /// The opening `game`, which starts on this line of the file.
    ///
    /// # Errors
    ///
    /// The game is already over.
    fn opening(&self, line: usize, game: Game) -> Result<Opening, OpeningError> {
        if let Some(outcome) = game.outcome() {
            let reason = outcome.reason;
            return Err(self.fault(format_args!(
                "line {line}: the game is over ({reason}); to use only its first plies, use \
                 `match --opening-plies`"
            )));
        }
        let file = self.path.file_name().unwrap_or_default();
        Ok(Opening { name: format!("{}:{line}", file.display()), game })
    }

    fn fault(&self, what: impl std::fmt::Display) -> OpeningError {
        OpeningError::Input(format!("{}, {what}", self.path.display()))
    }
}

/// Parses a position: in FEN if the text contains a colon, else in Hub notation.
fn position(variant: Variant, text: &str) -> Result<Position, TextError> {
    match text.contains(':') {
        true => fen::parse(variant, text),
        false => hub::parse_position(variant, text),
    }
}

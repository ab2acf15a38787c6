//! Searches that other processes have made for a book.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::book::Found;
use crate::erased::Position;
use crate::notation::hub;
use crate::position::Key;
use crate::rules::Variant;
use crate::score::Score;

/// What searches of the same positions, in the same order, have found. A search benefits from those
/// before it, so only all together have the results that the book would get itself.
#[derive(Clone, Debug, Default)]
pub struct KnownSearches(HashMap<Vec<Key>, Vec<Found>>);

/// The result of the search of a position, for a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FoundRecord {
    /// The position, as Hub writes it.
    position: String,
    /// The score for the side to move, in hundredths of a man.
    score: i16,
    /// The depth in plies.
    depth: u32,
    /// The best move, as Hub writes it; `None` if the game is over.
    best: Option<String>,
}

impl KnownSearches {
    /// Adds the results of searches of some positions one after another.
    pub fn add(&mut self, found: Vec<Found>) {
        self.0.insert(keys(found.iter().map(|found| &found.position)), found);
    }

    /// The results for these positions, in this order.
    pub fn get(&self, positions: &[Position]) -> Option<&[Found]> {
        self.0.get(&keys(positions)).map(Vec::as_slice)
    }
}

fn keys<'a>(positions: impl IntoIterator<Item = &'a Position>) -> Vec<Key> {
    positions.into_iter().map(Position::key).collect()
}

impl From<&Found> for FoundRecord {
    fn from(found: &Found) -> FoundRecord {
        FoundRecord {
            position: hub::format_position(&found.position),
            score: found.score.0,
            depth: found.depth,
            best: found.best.map(hub::format_move),
        }
    }
}

impl FoundRecord {
    /// The result itself.
    ///
    /// # Errors
    ///
    /// What is wrong with the position or the move.
    pub fn found(&self, variant: Variant) -> Result<Found, String> {
        let position =
            hub::parse_position(variant, &self.position).map_err(|error| error.to_string())?;
        let best = |text: &String| hub::parse_move(&position, text);
        let best = self.best.as_ref().map(best).transpose().map_err(|error| error.to_string())?;
        Ok(Found { position, score: Score(self.score), depth: self.depth, best })
    }
}

//! The list of games that a data set is made of: enough to make it again.

use crate::learn::data::{Origin, Source};

use super::games::GameAbout;

/// The games of a set.
#[derive(Default)]
pub(super) struct Sources {
    list: Vec<Source>,
    /// The origin of the last game's file, and the number of games of that file so far.
    file: Option<(Origin, u64)>,
}

impl Sources {
    /// Adds a game.
    pub(super) fn add(&mut self, game: GameAbout<'_>) {
        match (&mut self.file, self.list.last_mut()) {
            (Some((origin, games)), Some(source)) if origin == game.origin => {
                *games += 1;
                source.games += 1;
            }
            (Some((origin, games)), Some(source)) if origin.next(*games) == *game.origin => {
                source.games += 1;
                self.file = Some((game.origin.clone(), 1));
            }
            _ => {
                self.list.push(Source { games: 1, origin: game.origin.clone() });
                self.file = Some((game.origin.clone(), 1));
            }
        }
    }

    /// The list, of one entry for each folder of games.
    pub(super) fn list(self) -> Vec<Source> {
        self.list
    }
}

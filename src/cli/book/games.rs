//! Games of PDN files for a book.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::Error;
use crate::cli::notice::notice;
use crate::erased::{Game, Position};
use crate::notation::pdn;
use crate::rules::Variant;
use crate::storage;

/// The first plies of the games of files. Skips games that do not begin at the start position, and
/// the rest of a game after a fault; reports the number of both on standard error.
///
/// # Errors
///
/// A file cannot be read.
pub fn read(variant: Variant, files: &[PathBuf], plies: usize) -> Result<Vec<Game>, Error> {
    let start = Position::start(variant);
    let mut games = Vec::new();
    for path in files {
        let bytes = fs::read(path).map_err(storage::with_path(path))?;
        let (mut elsewhere, mut faulty) = (0, 0);
        for text in pdn::games(&pdn::decode(&bytes)) {
            let record = match pdn::read_game(variant, &text) {
                Ok(record) => Some(record),
                Err(broken) => {
                    faulty += 1;
                    broken.before.map(|record| *record)
                }
            };
            match record {
                Some(record) if record.start == start => {
                    games.push(beginning(&record.game(), plies));
                }
                Some(_) => elsewhere += 1,
                None => {}
            }
        }
        report(path, elsewhere, faulty);
    }
    Ok(games)
}

fn report(path: &Path, elsewhere: usize, faulty: usize) {
    let path = path.display();
    if elsewhere > 0 {
        notice(format_args!("{path}: left out {elsewhere} games that do not begin at the start"));
    }
    if faulty > 0 {
        notice(format_args!("{path}: {faulty} faulty games, used up to the fault"));
    }
}

/// The first plies of a game.
fn beginning(game: &Game, plies: usize) -> Game {
    let mut beginning = Game::from_position(*game.start());
    for mv in game.moves().into_iter().take(plies) {
        beginning.play(mv);
    }
    beginning
}

/// The games, each up to the last of its first positions that at least `least` games reach.
pub fn frequent(games: &[Game], least: usize) -> Vec<Game> {
    let mut counts = HashMap::new();
    for position in games.iter().flat_map(Game::positions) {
        *counts.entry(position.key()).or_insert(0_usize) += 1;
    }
    let is_frequent = |position: &&Position| counts[&position.key()] >= least;
    let common = |game: &Game| game.positions().iter().take_while(is_frequent).count();
    let common = games.iter().map(|game| (game, common(game)));
    common
        .filter(|&(_, positions)| positions > 0)
        .map(|(game, positions)| beginning(game, positions - 1))
        .collect()
}

//! Where games start: every source, drawing, and files of all kinds.

mod draw;
mod files;
mod sources;

use std::fs;
use std::path::{Path, PathBuf};

use manoury::arena::openings::{Opening, OpeningError, Source};
use manoury::notation::hub::format_move;
use manoury::position::Position;
use manoury::rules::Rules;

/// A new file with that name, in a folder for `test` alone.
fn file(test: &str, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("openings").join(test);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path
}

/// The openings of a file.
fn read<R: Rules>(path: &Path) -> Result<Vec<Opening<R>>, OpeningError> {
    Source::File(path.to_owned()).openings()
}

/// What is wrong with the input.
fn fault<T: std::fmt::Debug>(result: Result<T, OpeningError>) -> String {
    match result.unwrap_err() {
        OpeningError::Input(message) => message,
        error => panic!("not a fault of the input: {error}"),
    }
}

fn positions<R: Rules>(openings: &[Opening<R>]) -> Vec<Position<R>> {
    openings.iter().map(|opening| *opening.game.position()).collect()
}

fn names<R: Rules>(openings: &[Opening<R>]) -> Vec<&str> {
    openings.iter().map(|opening| opening.name.as_str()).collect()
}

/// The moves of an opening as Hub writes them.
fn moves<R: Rules>(opening: &Opening<R>) -> String {
    let moves: Vec<_> = opening.game.moves().iter().map(|&mv| format_move(mv)).collect();
    moves.join(" ")
}

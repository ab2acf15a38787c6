//! Where games start: every source, drawing, and files of all kinds.

mod default;
mod draw;
mod edge;
mod files;
mod program;
mod sources;

use std::fs;
use std::path::{Path, PathBuf};

use manoury::arena::openings::{Opening, OpeningError, OpeningSource};
use manoury::erased::Position;
use manoury::notation::hub::format_move;
use manoury::rules::Variant;

/// A new file in a folder of its own for `test`.
fn file(test: &str, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("openings").join(test);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path
}

/// The openings of a file.
fn read(variant: Variant, path: &Path) -> Result<Vec<Opening>, OpeningError> {
    OpeningSource::File { path: path.to_owned(), plies: None }.openings(variant)
}

/// The message about invalid input.
fn fault<T: std::fmt::Debug>(result: Result<T, OpeningError>) -> String {
    match result.unwrap_err() {
        OpeningError::Input(message) => message,
        error => panic!("not a fault of the input: {error}"),
    }
}

fn positions(openings: &[Opening]) -> Vec<Position> {
    openings.iter().map(|opening| *opening.game.position()).collect()
}

fn names(openings: &[Opening]) -> Vec<&str> {
    openings.iter().map(|opening| opening.name.as_str()).collect()
}

/// The moves of an opening in Hub notation.
fn moves(opening: &Opening) -> String {
    let moves: Vec<_> = opening.game.moves().into_iter().map(format_move).collect();
    moves.join(" ")
}

//! The bitbases that are part of the program: international draughts with 2 to 4 pieces, the files
//! as `manoury bitbase generate --distances` makes them, one after the other: of each slice the values,
//! then the distances. A test makes them anew and compares.

use crate::rules::{Rules, Variant};

use super::file::{Content, File};
use super::slice::Slice;

/// The most pieces that they are about.
const PIECES: usize = 4;
/// The files.
static INTERNATIONAL: &[u8] = include_bytes!("international.bitbases");

/// The files of a game, each with what it tells.
pub(super) fn files<R: Rules>() -> Vec<(File<R>, Content)> {
    if R::VARIANT != Variant::International {
        return Vec::new();
    }
    let mut rest = INTERNATIONAL;
    let mut files = Vec::new();
    let slices = (2..=PIECES).flat_map(Slice::all);
    for (slice, content) in slices.flat_map(|slice| Content::ALL.map(|content| (slice, content))) {
        // A faulty one ends the list: the game can be played without.
        let Ok(file) = File::embedded(rest, slice, content) else {
            break;
        };
        rest = &rest[file.size() as usize..];
        files.push((file, content));
    }
    files
}

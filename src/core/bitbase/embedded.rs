//! The bitbases embedded in the program: international draughts with 2 to 4 pieces. They are the
//! files that `manoury bitbase generate --distances` writes, concatenated: for each slice the
//! values, then the distances. A test regenerates and compares them.

use crate::board::Geometry;
use crate::rules::Variant;

use super::file::{Content, File};
use super::slice::Slice;

/// The greatest number of pieces.
const PIECES: usize = 4;
/// The concatenated files.
static INTERNATIONAL: &[u8] = include_bytes!("international.bitbases");

/// The embedded files of a game, each with its content.
pub(super) fn files<G: Geometry>(variant: Variant) -> Vec<(File<G>, Content)> {
    if variant != Variant::International {
        return Vec::new();
    }
    let mut rest = INTERNATIONAL;
    let mut files = Vec::new();
    let slices = (2..=PIECES).flat_map(Slice::all);
    for (slice, content) in slices.flat_map(|slice| Content::ALL.map(|content| (slice, content))) {
        // A faulty file ends the list: the game can be played without it.
        let Ok(file) = File::embedded(rest, variant, slice, content) else {
            break;
        };
        rest = &rest[file.size() as usize..];
        files.push((file, content));
    }
    files
}

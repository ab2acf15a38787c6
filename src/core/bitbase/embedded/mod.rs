//! The bitbases embedded in the program: for every game, the values and distances of all endings
//! with 2 and 3 pieces. Those with 4 pieces are embedded for international draughts (values and
//! distances) and for games on the dark squares of 8x8 (values only).
//!
//! The data is the concatenation of the files that `manoury bitbase generate` writes: for each
//! slice the file of values, then the file of distances if there is one. A test generates the files
//! again and compares them.

use crate::board::Grid;
use crate::program_file;
use crate::rules::Variant;

use super::file::File;
use super::format::Content;
use super::slice::Slice;

/// The maximum number of pieces.
const PIECES: usize = 4;

/// The concatenated files for the rules of a game. Frysk! shares those of Frisian draughts.
fn bytes(variant: Variant) -> &'static [u8] {
    match variant {
        Variant::International => program_file!("international.bitbases"),
        Variant::Killer => program_file!("killer.bitbases"),
        Variant::Breakthrough => program_file!("bt.bitbases"),
        Variant::Losing => program_file!("losing.bitbases"),
        Variant::Frisian | Variant::Frysk => program_file!("frisian.bitbases"),
        Variant::Brazilian => program_file!("brazilian.bitbases"),
        Variant::Russian => program_file!("russian.bitbases"),
        Variant::English => program_file!("english.bitbases"),
        Variant::Italian => program_file!("italian.bitbases"),
        Variant::Spanish => program_file!("spanish.bitbases"),
        Variant::German => program_file!("german.bitbases"),
        Variant::Czech => program_file!("czech.bitbases"),
        Variant::Pool => program_file!("pool.bitbases"),
        Variant::Canadian => program_file!("canadian.bitbases"),
        Variant::Turkish => program_file!("turkish.bitbases"),
    }
}

/// The embedded files for the rules of a game on its board, each with its content.
pub(super) fn files(grid: Grid, variant: Variant) -> Vec<(File, Content)> {
    let mut rest = bytes(variant);
    let mut files = Vec::new();
    let slices = (2..=PIECES).flat_map(Slice::all);
    for (slice, content) in slices.flat_map(|slice| Content::ALL.map(|content| (slice, content))) {
        // Files that were left out or are faulty are skipped: the game can be played without them.
        if let Ok(file) = File::embedded(rest, grid, variant, slice, content) {
            rest = &rest[file.size() as usize..];
            files.push((file, content));
        }
    }
    files
}

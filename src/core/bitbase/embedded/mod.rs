//! The bitbases embedded in the program: for every variant, the values and distances of all endings
//! with 2 and 3 pieces. Those with 4 pieces are embedded for international draughts (values and
//! distances) and for variants on the dark squares of 8x8 (values only).
//!
//! The data of a variant is an `archive` of the files that `manoury bitbase generate` writes. A
//! test generates the files again and compares them.

use std::sync::{Arc, OnceLock};

use crate::board::Grid;
use crate::program_file;
use crate::rules::Variant;

use super::archive;
use super::file::File;

/// The archive for the rules of a variant. Frysk! shares those of Frisian draughts.
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

/// The embedded files for the rules of a variant on its board. They are shared by all users of the
/// variant, since each file is decompressed when it is first accessed.
pub(super) fn files(grid: Grid, variant: Variant) -> &'static [Arc<File>] {
    static FILES: [OnceLock<Vec<Arc<File>>>; Variant::ALL.len()] =
        [const { OnceLock::new() }; Variant::ALL.len()];
    let variant = if variant == Variant::Frysk { Variant::Frisian } else { variant };
    FILES[variant as usize].get_or_init(|| {
        archive::files(bytes(variant), grid, variant).into_iter().map(Arc::new).collect()
    })
}

//! The locations of bitbase files.

use std::env;
use std::path::{Path, PathBuf};

use crate::rules::Variant;

/// The name of the folder next to the program and in the user's data folder.
const NAME: &str = "bitbases";

/// The folder of a game in a folder of bitbases.
pub fn bitbase_folder(variant: Variant, folder: &Path) -> PathBuf {
    folder.join(variant.name())
}

/// The default folder of bitbases: the first that exists of `bitbases` next to the program and
/// `manoury/bitbases` in the user's data folder.
pub fn default_bitbase_folder() -> Option<PathBuf> {
    let program = env::current_exe().ok();
    let beside = program.and_then(|program| Some(program.parent()?.join(NAME)));
    let of_user = dirs::data_dir().map(|data| data.join("manoury").join(NAME));
    [beside, of_user].into_iter().flatten().find(|folder| folder.is_dir())
}

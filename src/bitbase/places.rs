//! Where files of bitbases are.

use std::env;
use std::path::{Path, PathBuf};

use crate::rules::Rules;

/// The name of the folder beside the program and in the data folder of the user.
const NAME: &str = "bitbases";

/// The folder of a game in a folder of bitbases.
pub fn folder_of<R: Rules>(folder: &Path) -> PathBuf {
    folder.join(R::VARIANT.name())
}

/// The folder of bitbases when nobody names one: the first that exists of `bitbases` beside the
/// program and `manoury/bitbases` in the data folder of the user.
pub fn standard_folder() -> Option<PathBuf> {
    let program = env::current_exe().ok();
    let beside = program.and_then(|program| Some(program.parent()?.join(NAME)));
    let of_user = dirs::data_dir().map(|data| data.join("manoury").join(NAME));
    [beside, of_user].into_iter().flatten().find(|folder| folder.is_dir())
}

//! The book, bitbases and evaluation of an engine, and how they are found and loaded.

use std::env;
use std::path::{Path, PathBuf};

use crate::bitbase::{self, Value, Verdict};
use crate::board::Side;
use crate::book::Book;
use crate::erased::{Bitbases, Game};
use crate::eval::Evaluation;
use crate::rules::Variant;
use crate::weights::{self, WeightsSource};

use super::options::EngineOptions;

/// The book, bitbases and evaluation of an engine, all for the same variant.
#[derive(Debug)]
pub struct Resources {
    /// The bitbases, for endings.
    pub bitbases: Bitbases,
    /// The static evaluation, for all other positions.
    pub evaluation: Evaluation,
    /// The book, for positions at the start of games; `None` for no book.
    pub book: Option<Book>,
}

impl Resources {
    /// Opens the bitbases that the options allow, and combines them with an evaluation and an
    /// optional book, all for the same variant.
    ///
    /// # Errors
    ///
    /// The folder of bitbases that the options name has no subfolder for the variant, or a file in
    /// it is unusable.
    pub fn new(
        variant: Variant,
        options: &EngineOptions,
        evaluation: Evaluation,
        book: Option<Book>,
    ) -> Result<Self, BitbaseFault> {
        check_subfolder(variant, options)?;
        let (bitbases, faults) = find_bitbases(variant, options);
        let fault = faults.into_iter().next();
        fault.map_or(Ok(Resources { bitbases, evaluation, book }), Err)
    }

    /// The given evaluation with the bitbases of a folder, or only the embedded ones, and no book.
    ///
    /// # Errors
    ///
    /// The folder has no subfolder for the variant, or a file in it is unusable.
    pub fn with_bitbases(
        variant: Variant,
        folder: Option<&Path>,
        evaluation: Evaluation,
    ) -> Result<Self, BitbaseFault> {
        let options =
            EngineOptions { bb_dir: folder.map(Path::to_owned), ..EngineOptions::default() };
        match folder {
            Some(_) => Resources::new(variant, &options, evaluation, None),
            None => Ok(Resources::embedded(variant, evaluation)),
        }
    }

    /// The given evaluation with the embedded bitbases and no book; these resources are the same on
    /// every machine.
    pub fn embedded(variant: Variant, evaluation: Evaluation) -> Self {
        Resources { bitbases: Bitbases::embedded(variant), evaluation, book: None }
    }
}

/// Why bitbases in a folder named by the options cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BitbaseFault {
    /// There is no such folder.
    #[error("{}: no such folder", .0.display())]
    NoFolder(PathBuf),
    /// A file is unusable.
    #[error("{0}")]
    File(bitbase::FileError),
}

impl BitbaseFault {
    /// The warning that the bitbases are left out.
    fn warning(&self) -> String {
        match self {
            BitbaseFault::NoFolder(_) => format!("bitbases not used: {self}"),
            BitbaseFault::File(_) => format!("bitbase not used: {self}"),
        }
    }
}

/// Logs a warning and adds it to the warnings for the user.
fn warn(warnings: &mut Vec<String>, text: String) {
    log::warn!("{text}");
    warnings.push(text);
}

/// Opens the book named by the options. If it cannot be used, adds a warning and returns `None`.
pub(super) fn open_book(
    variant: Variant,
    options: &EngineOptions,
    warnings: &mut Vec<String>,
) -> Option<Book> {
    let Some(path) = &options.book.as_ref()?.file else {
        return Book::embedded(variant);
    };
    let book = Book::open(variant, path);
    book.inspect_err(|error| warn(warnings, format!("book not used: {error}"))).ok()
}

/// Loads the evaluation named by the options. If the file cannot be used, adds a warning and
/// returns the embedded evaluation.
pub(super) fn load_evaluation(
    variant: Variant,
    source: &WeightsSource,
    warnings: &mut Vec<String>,
) -> Evaluation {
    source.load(variant).unwrap_or_else(|error| {
        warn(warnings, format!("weights not used: {error}"));
        weights::embedded(variant)
    })
}

/// Opens the bitbases that the options allow. Files that cannot be used are skipped, with a warning
/// if they are in a folder named by the options.
pub(super) fn open_bitbases(
    variant: Variant,
    options: &EngineOptions,
    warnings: &mut Vec<String>,
) -> Bitbases {
    let (bitbases, faults) = find_bitbases(variant, options);
    faults.iter().for_each(|fault| warn(warnings, fault.warning()));
    bitbases
}

/// Opens the bitbases that the options allow, and returns what is wrong with those in a folder named
/// by the options. Unusable files in the default folder are only logged.
fn find_bitbases(variant: Variant, options: &EngineOptions) -> (Bitbases, Vec<BitbaseFault>) {
    if options.bb_size == 0 {
        return (Bitbases::none(variant), Vec::new());
    }
    let mut bitbases = Bitbases::none(variant);
    let mut faults = Vec::new();
    if let Some(folder) = &options.bb_dir {
        if !folder.is_dir() {
            faults.push(BitbaseFault::NoFolder(folder.clone()));
        }
        // Opened before the built-in ones, so that no file is skipped unread.
        let errors = bitbases.open(&bitbase_folder(variant, folder), options.bb_size);
        faults.extend(errors.into_iter().map(BitbaseFault::File));
    }
    bitbases.add_embedded();
    if options.bb_dir.is_none()
        && let Some(folder) = default_bitbase_folder()
    {
        for error in bitbases.open(&bitbase_folder(variant, &folder), options.bb_size) {
            log::warn!("{}", BitbaseFault::File(error).warning());
        }
    }
    bitbases.limit(options.bb_size);
    (bitbases, faults)
}

/// Checks that a folder of bitbases named by the options has a subfolder for the variant.
fn check_subfolder(variant: Variant, options: &EngineOptions) -> Result<(), BitbaseFault> {
    let folder = options.bb_dir.as_ref().filter(|_| options.bb_size > 0);
    let missing = folder.map(|folder| bitbase_folder(variant, folder));
    missing
        .filter(|folder| !folder.is_dir())
        .map_or(Ok(()), |folder| Err(BitbaseFault::NoFolder(folder)))
}

/// The name of the default bitbase folder, next to the program or in the user's data folder.
const NAME: &str = "bitbases";

/// The subfolder for a variant within a folder of bitbases.
pub fn bitbase_folder(variant: Variant, folder: &Path) -> PathBuf {
    folder.join(variant.name())
}

/// The default folder of bitbases: `bitbases` next to the program if that folder exists, otherwise
/// `manoury/bitbases` in the user's data folder. `None` if neither exists.
pub fn default_bitbase_folder() -> Option<PathBuf> {
    let program = env::current_exe().ok();
    let beside = program.and_then(|program| Some(program.parent()?.join(NAME)));
    let of_user = user_data_folder().map(|data| data.join("manoury").join(NAME));
    [beside, of_user].into_iter().flatten().find(|folder| folder.is_dir())
}

/// The user's data folder, by the conventions of the system.
fn user_data_folder() -> Option<PathBuf> {
    user_folder("XDG_DATA_HOME", ".local/share")
}

/// The user's configuration folder, by the conventions of the system.
pub fn user_config_folder() -> Option<PathBuf> {
    user_folder("XDG_CONFIG_HOME", ".config")
}

/// A folder of the user, given the environment variable that names it and its default in the home
/// folder; Windows and macOS have one folder for all purposes.
fn user_folder(variable: &str, default: &str) -> Option<PathBuf> {
    let in_home = |path| env::home_dir().map(|home| home.join(path));
    let named =
        |variable| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        named("APPDATA")
    } else if cfg!(target_os = "macos") {
        in_home("Library/Application Support")
    } else {
        named(variable).or_else(|| in_home(default))
    }
}

/// The result of a game according to bitbases that contain its last position: the winner (`None`
/// for a draw) and, if known, the number of plies to the end. `None` if the bitbases do not contain
/// the position, or if the draw rules end the game before a win.
pub fn bitbase_result(game: &Game, bitbases: &Bitbases) -> Option<(Option<Side>, Option<u8>)> {
    let side = game.position().side();
    let Verdict { value, plies } = bitbases.probe(game.position())?;
    let winner = match value {
        Value::Draw => return Some((None, None)),
        Value::Win => side,
        Value::Loss => side.opponent(),
    };
    bitbases.line_in_game(game).map(|_| (Some(winner), plies))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    #[test]
    fn bitbases_report_winner_and_distance() {
        let bitbases = Bitbases::embedded(Variant::International);
        let verdict = |fen: &str| {
            let position = fen::parse(Variant::International, fen).unwrap();
            bitbase_result(&Game::from_position(position), &bitbases)
        };
        assert_eq!(verdict("W:WK28:BK5"), Some((Some(Side::White), Some(3))));
        assert_eq!(verdict("W:W45:BK1"), Some((Some(Side::Black), Some(2))));
        assert_eq!(verdict("B:WK46,K47,K48:BK3"), Some((None, None)));
        assert_eq!(verdict("W:WK1,K2,K3,K4:BK50"), None);
    }
}

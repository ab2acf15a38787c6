//! Atomic file writes, the common file format, the files that belong to the program, and errors
//! about unusable files.

mod atomic;
pub mod format;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

pub use atomic::{check_writable, write_atomically, write_with_checksum};
pub use format::{Format, FormatError};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::file_of_host;

/// Adds the path of a file to an error about it.
pub fn with_path(path: &Path) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// A file that cannot be used, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError<P: fmt::Debug + fmt::Display> {
    /// The path of the file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: P,
}

/// Whether the files that belong to the program are downloaded by a host, such as a browser,
/// instead of being embedded.
pub const IS_HOSTED: bool = cfg!(all(target_family = "wasm", target_os = "unknown"));

/// The contents of a file that belongs to the program, given its path relative to the calling
/// source file; empty if the file is hosted and the host does not have it.
#[macro_export]
macro_rules! program_file {
    ($path:literal) => {{
        // A static item, because a constant is copied into every codegen unit that uses it.
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        static BYTES: &[u8] = include_bytes!($path);
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        let bytes = BYTES;
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        let bytes = $crate::storage::file_of_host($path);
        bytes
    }};
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod host {
    use std::collections::BTreeMap;
    use std::sync::{Mutex, PoisonError};

    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Opens the file with the given name (UTF-8). Returns its size in bytes, or a negative
        /// number if there is no such file.
        fn open_file(name: *const u8, length: usize) -> isize;

        /// Copies the most recently opened file to memory.
        fn read_file(address: *mut u8);
    }

    /// The files fetched so far, by name. They are never freed, because engines keep
    /// `'static` references to them.
    static FILES: Mutex<BTreeMap<&str, &[u8]>> = Mutex::new(BTreeMap::new());

    /// The contents of a file; empty if the host does not have it. Only the last component of
    /// `path` is used.
    pub fn file_of_host(path: &'static str) -> &'static [u8] {
        let name = path.rsplit('/').next().unwrap_or(path);
        let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = files.get(name) {
            return known;
        }
        let Some(bytes) = fetch(name) else {
            return &[];
        };
        files.entry(name).or_insert(bytes.leak())
    }

    fn fetch(name: &str) -> Option<Vec<u8>> {
        // SAFETY: the host reads only the bytes of `name`.
        let size = usize::try_from(unsafe { open_file(name.as_ptr(), name.len()) }).ok()?;
        let mut bytes = vec![0; size];
        // SAFETY: the host writes exactly `size` bytes, the length of `bytes`.
        unsafe { read_file(bytes.as_mut_ptr()) };
        Some(bytes)
    }
}

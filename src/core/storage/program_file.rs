//! The files that belong to the program: weights, books and bitbases.
//!
//! They are inside the program. In WebAssembly outside a system, where a page would have to wait for
//! all of them, the host of the module gives each when it is first needed.

/// Whether a host gives these files, at the price of a download.
pub const IS_HOSTED: bool = cfg!(all(target_family = "wasm", target_os = "unknown"));

/// The contents of a file that belongs to the program, by its path from the source file that names
/// it; empty if a host does not have it.
#[macro_export]
macro_rules! program_file {
    ($path:literal) => {{
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        let bytes: &'static [u8] = include_bytes!($path);
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        let bytes = $crate::storage::file_of_host($path);
        bytes
    }};
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::file_of_host;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod host {
    use std::collections::BTreeMap;
    use std::sync::{Mutex, PoisonError};

    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Gets a file by its name, UTF-8. Returns its size in bytes, negative if there is none.
        fn open_file(name: *const u8, length: usize) -> isize;

        /// Writes the file that was opened last to memory.
        fn read_file(address: *mut u8);
    }

    /// The files given so far, by name. They stay: to the engines they are constants.
    static FILES: Mutex<BTreeMap<&str, &[u8]>> = Mutex::new(BTreeMap::new());

    /// The contents of a file, by a path that ends with its name; empty if the host does not have it.
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
        // SAFETY: the host reads memory that the name covers.
        let size = usize::try_from(unsafe { open_file(name.as_ptr(), name.len()) }).ok()?;
        let mut bytes = vec![0; size];
        // SAFETY: the host writes as many bytes as it has said there are.
        unsafe { read_file(bytes.as_mut_ptr()) };
        Some(bytes)
    }
}

//! What the host of the module gives.

use std::io::{self, Write};
use std::panic;

use getrandom::Error;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    fn random(address: *mut u8, length: usize);
    fn say(address: *const u8, length: usize);
    fn fail(address: *const u8, length: usize);
}

/// Passes lines to the host, one by one and without their ends.
#[derive(Default)]
pub struct Lines(Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        for line in self.0.split_inclusive(|&byte| byte == b'\n') {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            // SAFETY: the host reads memory that the slice covers.
            unsafe { say(line.as_ptr(), line.len()) };
        }
        self.0.clear();
        Ok(())
    }
}

/// Passes the message of a panic to the host.
pub fn report_panics() {
    panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        // SAFETY: the host reads memory that the text covers.
        unsafe { fail(text.as_ptr(), text.len()) };
    }));
}

/// The random bytes of the crate `getrandom`, which has none of its own for this target.
///
/// # Safety
///
/// The memory may be written to.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(
    address: *mut u8,
    length: usize,
) -> Result<(), Error> {
    // SAFETY: the host writes to memory that may be written to, as the caller promises.
    unsafe { random(address, length) };
    Ok(())
}

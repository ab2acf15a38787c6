//! Ctrl-C.

use std::io;

use crate::arena::interrupt::Interrupt;

use super::Error;

/// A flag that Ctrl-C sets from now on.
///
/// # Errors
///
/// The system does not allow it.
pub fn on_ctrl_c() -> Result<Interrupt, Error> {
    let interrupt = Interrupt::default();
    let flag = interrupt.clone();
    ctrlc::set_handler(move || flag.set()).map_err(io::Error::other)?;
    Ok(interrupt)
}

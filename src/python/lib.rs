//! The Python module: boards, searches, bitbases, games in PDN, and the program.
//!
//! A thin layer over the library. The doc comments of everything visible in Python are its
//! docstrings; the types are in `manoury/_manoury.pyi`.

mod arguments;
mod bitbases;
mod board;
mod engine;
mod moves;
mod pdn;
mod perft;

use std::fmt::Display;
use std::ptr;
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::ffi::{PyErr_SetString, PyExc_ImportError, PyObject};
use pyo3::prelude::*;

use manoury::cli;
use manoury::rules::Variant;

/// The native part of the `manoury` package.
#[pymodule]
mod native {
    #[pymodule_export]
    use crate::bitbases::{Bitbases, Verdict};
    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::engine::{Control, NativeEngine};
    #[pymodule_export]
    use crate::moves::{LegalMoves, Move, Outcome, Piece};
    #[pymodule_export]
    use crate::pdn::{PdnGame, games_of_chunk, read_pdn, variant_of_text, write_pdn};
    #[pymodule_export]
    use crate::run;
}

/// How often a thread that waits for long-running work checks for signals such as Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// A `ValueError`.
fn value_error(problem: impl Display) -> PyErr {
    PyValueError::new_err(problem.to_string())
}

/// The variant with this name.
fn variant(name: &str) -> PyResult<Variant> {
    name.parse().map_err(value_error)
}

/// Runs the program with a command line and returns its exit code.
#[pyfunction]
fn run(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| cli::main(arguments))
}

unsafe extern "C" {
    /// The entry point that PyO3 generates for the `native` module.
    safe fn PyInit_native() -> *mut PyObject;
}

/// The entry point of the `_manoury` module, which checks the processor first: PyO3's code may use
/// instructions that an older processor lacks, and Python would then crash without a message.
#[unsafe(no_mangle)]
extern "C" fn PyInit__manoury() -> *mut PyObject {
    if cli::is_processor_suited() {
        return PyInit_native();
    }
    // SAFETY: Python calls this function with the thread attached and the exception types
    // initialised; the message ends with a null byte.
    unsafe {
        PyErr_SetString(PyExc_ImportError, c"this wheel requires a newer processor".as_ptr())
    };
    ptr::null_mut()
}

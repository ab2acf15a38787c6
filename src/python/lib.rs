//! Manoury as a module for Python: boards, searches, bitbases and games in PDN, and the program.
//!
//! A thin layer: Python's values in, the library's calls, Python's values out. Comments on what Python
//! sees are its docstrings; their types are in `manoury/_manoury.pyi`.

mod bitbases;
mod board;
mod engine;
mod entry;
mod pdn;

use std::fmt::Display;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use manoury::cli;
use manoury::rules::Variant;

/// The native part of the package `manoury`; the entry of its module `_manoury` is in `entry`.
#[pymodule]
mod native {
    #[pymodule_export]
    use crate::bitbases::{Bitbases, Verdict};
    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::engine::{Engine, Info, SearchResult};
    #[pymodule_export]
    use crate::pdn::{PdnGame, read_pdn};
    #[pymodule_export]
    use crate::run;
}

/// A `ValueError`.
fn value_error(problem: impl Display) -> PyErr {
    PyValueError::new_err(problem.to_string())
}

/// The game of a name.
fn variant(name: &str) -> PyResult<Variant> {
    name.parse().map_err(value_error)
}

/// Runs the program with a command line. Returns its exit code.
#[pyfunction]
fn run(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| cli::main(arguments))
}

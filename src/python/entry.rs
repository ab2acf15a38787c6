//! What Python calls when it loads the library: a check of the processor, before any code of PyO3.

use std::ptr;

use pyo3::ffi::{PyErr_SetString, PyExc_ImportError, PyObject};

use manoury::cli;

unsafe extern "C" {
    /// The entry that PyO3 makes for the module of this name.
    safe fn PyInit_native() -> *mut PyObject;
}

/// The entry of the module `_manoury`. PyO3's own may use instructions that an older processor
/// lacks, and Python would die of them without a message.
#[unsafe(no_mangle)]
extern "C" fn PyInit__manoury() -> *mut PyObject {
    if cli::is_processor_suited() {
        return PyInit_native();
    }
    // SAFETY: Python, which calls this function, is attached to the thread and has its exceptions;
    // the message ends with a null byte.
    unsafe { PyErr_SetString(PyExc_ImportError, c"this wheel needs a newer processor".as_ptr()) };
    ptr::null_mut()
}

//! Whole games through the Python libraries that most Hub clients are built on.

use crate::external::{play_with_python, python_with_py_draughts, python_with_pydraughts};

#[test]
#[ignore = "needs Python with pydraughts"]
fn plays_with_pydraughts() {
    let text = play_with_python(&python_with_pydraughts(), "tests/python/play.py");
    assert_eq!(text.matches("10 games").count(), 2, "{text}");
}

#[test]
#[ignore = "needs Python with py-draughts"]
fn plays_with_py_draughts() {
    let text = play_with_python(&python_with_py_draughts(), "tests/python/play_py_draughts.py");
    assert!(text.contains("10 sessions"), "{text}");
}

//! Whole games over DXP through pydraughts.

use crate::external::{play_with_python, python_with_pydraughts};

#[test]
#[ignore = "needs Python with pydraughts"]
fn plays_with_pydraughts_over_dxp() {
    let text = play_with_python(&python_with_pydraughts(), "tests/python/play_dxp.py");
    assert!(text.contains("4 games, faults: 0"), "{text}");
}

//! Whole games through pydraughts. See `tests/engine/pydraughts.rs` for the requirements.

use crate::engine::pydraughts::{play, python};

#[test]
fn plays_whole_games() {
    let Some(python) = python() else { return };
    let text = play(&python, "tests/python/play_dxp.py");
    assert!(text.contains("4 games, faults: 0"), "{text}");
}

//! Whole games through pydraughts. See `tests/engine/pydraughts.rs` for the requirements.

use std::env;
use std::process::Command;

#[test]
fn plays_whole_games() {
    if env::var("MANOURY_PYDRAUGHTS").as_deref() != Ok("1") {
        eprintln!("skipped: MANOURY_PYDRAUGHTS is not 1");
        return;
    }
    let python = env::var("MANOURY_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let output = Command::new(python)
        .args(["tests/python/play_dxp.py", env!("CARGO_BIN_EXE_manoury")])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("4 games, faults: 0"), "{text}");
}

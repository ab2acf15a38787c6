use super::*;

#[test]
fn a_search_that_panics_still_gives_a_legal_move() {
    let input = "set-param name=tt-size value=16\n\
                 pos start moves=\"32-28 19-23\"\ngo think\ngo analyze\nquit\n";
    let mut output = Vec::new();
    let go: Go = |_, _, _, _| panic!("table = broken");
    run_with(go, Tuning::Fixed, None, input.as_bytes(), &mut output).unwrap();
    let failed = "error message=\"the search has failed: table : broken\"\ndone move=28x19x23\n";
    // The second search may not have started when `quit` arrives.
    let output = String::from_utf8(output).unwrap();
    assert!(output.starts_with(failed), "{output}");
    assert_eq!(output.replace(failed, ""), "");
}

//! Settings of matches that are refused, with a message that says what would be right.

use std::fs;

use super::matches::{manoury, refusal, run};

#[test]
fn rejects_bad_settings() {
    let (one, two) = (manoury("One"), manoury("Two"));
    let both = [one.clone(), two.clone()];
    for (engines, arguments, word) in [
        (&both[..1], "--nodes 1", "at least two engines"),
        (&both[..], "", "engine One: no limit; use --move-time"),
        (&both[..], "--nodes 1 --games 3", "even"),
        (&both[..], "--nodes 1 --rounds 0", "expected a whole number of at least 1"),
        (&both[..], "--nodes 1 --concurrency 0", "expected a whole number of at least 1"),
        (&both[..], "--nodes 1 --sprt 5,0", "below"),
        (&both[..], "--nodes 1 --variant chess", "chess"),
        (&both[..], "--nodes 1 --openings ballots --opening-plies 2", "ballots: only openings"),
        (&both[..], "--inc 1", "--inc and --moves need --time"),
        (&both[..], "--nodes 1 --time-margin=-1", "--time-margin"),
        (&[one.clone(), two.clone() + ",colour=red"], "--nodes 1", "no such setting"),
        (&[one.clone(), two.clone() + ",param.strength=9"], "--nodes 1", "strength"),
        (&[one.clone(), two.clone() + ",param.weights=no/file"], "--nodes 1", "weights not used"),
        (&[one.clone(), "no/such/program".to_owned()], "--nodes 1", "no/such/program"),
        (&[one.clone(), two.clone()], "--move-time 1 --concurrency 5000", "cannot be timed"),
        (&[one.clone(), "x,proto=dxp,port=1".to_owned()], "--time 60 --concurrency 2", "{port}"),
    ] {
        let message = refusal(engines, arguments);
        assert!(message.contains(word), "{arguments}: {message}");
    }
    let missing = run(&both, "--nodes 1 --openings no/such/file.pdn");
    assert_eq!(missing.status.code(), Some(3));
    assert!(String::from_utf8(missing.stderr).unwrap().contains("no/such/file.pdn"));
}

#[test]
fn rejects_values_without_meaning() {
    let engines = [manoury("One"), manoury("Two")];
    for (argument, wanted) in [
        ("--win-score nan", "above 0, such as 3"),
        ("--win-score 0", "above 0, such as 3"),
        ("--win-score -3", "above 0, such as 3"),
        ("--draw-score nan", "from 0, such as 0.1"),
        ("--draw-score -1", "from 0, such as 0.1"),
        ("--draw-score inf", "from 0, such as 0.1"),
        ("--alpha 2", "between 0 and 0.5, such as 0.05"),
        ("--beta nan", "between 0 and 0.5, such as 0.05"),
        ("--live 8080", "such as 127.0.0.1:8556"),
        ("--live localhost:8080", "such as 127.0.0.1:8556"),
        ("--live 0.0.0.0", "such as 127.0.0.1:8556"),
    ] {
        let message = refusal(&engines, &format!("--nodes 9 --rounds 1 {argument}"));
        assert!(message.contains(wanted), "{argument}: {message}");
    }
}

/// Of two outputs in one file one would be lost, and with the log the games.
#[test]
fn each_output_has_a_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out").display().to_string();
    let engines = [manoury("One"), manoury("Two")];
    for (outputs, wanted) in [
        ("--log FILE --pdn FILE", "out is named for two outputs"),
        ("--log FILE --report FILE", "out is named for two outputs"),
        ("--pdn FILE --debug FILE", "out is named for two outputs"),
        ("--join FILE --pdn FILE", "out is also the input, of which the games would be lost"),
    ] {
        let outputs = outputs.replace("FILE", &file);
        let message = refusal(&engines, &format!("--nodes 9 --rounds 1 {outputs}"));
        assert!(message.contains(wanted), "{outputs}: {message}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

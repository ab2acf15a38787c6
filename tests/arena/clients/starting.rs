//! Engines that start late or not at all.

use std::time::{Duration, Instant};

use manoury::arena::client::{self, EngineFault, MatchContext};
use manoury::arena::spec::{EngineSpec, Protocol};
use manoury::rules::Variant;

use super::{context, fault_of_start, spec};
use crate::arena::engine::{PATIENCE, Witness, assert_gone};

#[test]
fn reports_engines_that_do_not_start() {
    for (mode, word) in [
        ("exit-at-start", "exit code 3"),
        ("silent", "no \"wait\" in time; it said nothing"),
        ("never-ready", "no memory"),
        #[cfg(unix)]
        ("abort-at-start", "signal 6"),
    ] {
        let witness = Witness::new();
        let mut spec = spec(mode, &witness);
        if !mode.ends_with("at-start") {
            spec.start_limit = Duration::from_millis(500);
        }
        let fault = fault_of_start(&spec);
        assert!(matches!(fault, EngineFault::NoStart(_)), "{fault}");
        assert!(fault.to_string().contains(word), "{fault}");
        assert_gone(witness.process());
    }
    let witness = Witness::new();
    assert_eq!(fault_of_start(&spec("flood-at-start", &witness)), EngineFault::Flood);
    assert_gone(witness.process());
}

#[test]
fn slow_engines_start_within_their_limit() {
    let witness = Witness::new();
    let mut slow = spec("slow-start", &witness);
    slow.command.push("300".to_owned());
    let begin = Instant::now();
    client::start(&slow, &context()).unwrap();
    assert!(begin.elapsed() >= Duration::from_millis(300));
    slow.command[3] = "60000".to_owned();
    slow.start_limit = Duration::from_millis(200);
    assert!(matches!(fault_of_start(&slow), EngineFault::NoStart(_)));
}

#[test]
fn rejects_engines_that_cannot_play() {
    let witness = Witness::new();
    let with = |name: &str, value: &str| EngineSpec {
        params: vec![(name.to_owned(), value.to_owned())],
        ..spec("fine", &witness)
    };
    let program =
        |program: &str| EngineSpec { command: vec![program.to_owned()], ..EngineSpec::default() };
    let elsewhere = EngineSpec { dir: Some("/no/such/folder".into()), ..spec("fine", &witness) };
    for (spec, word) in [
        (program("./no/such/program"), "cannot be started"),
        (program("no-such-program-anywhere"), "cannot be started"),
        (elsewhere, "/no/such/folder"),
        (with("hash", "1"), "variant, threads"),
    ] {
        let fault = fault_of_start(&spec);
        assert!(matches!(fault, EngineFault::Unsuitable(_)), "{fault}");
        assert!(fault.to_string().contains(word), "{fault}");
    }
    for (mode, variant, is_suitable) in [
        ("fine", Variant::Breakthrough, true),
        ("fine", Variant::Frisian, false),
        ("no-params", Variant::International, true),
        ("no-params", Variant::Breakthrough, false),
        ("hub1", Variant::Frisian, false),
    ] {
        let mut spec = spec(mode, &witness);
        if mode == "hub1" {
            spec.protocol = Protocol::Hub1;
        }
        let result = client::start(&spec, &MatchContext { variant, ..context() }).map(|_| ());
        let is_refused = matches!(result, Err(EngineFault::Unsuitable(_)));
        assert_eq!(!is_refused, is_suitable, "{mode} {variant} {result:?}");
    }
}

#[test]
fn an_engine_that_reports_an_error_about_its_parameters_does_not_play() {
    let witness = Witness::new();
    let mut hub2 = spec("error-at-init", &witness);
    client::start(&hub2, &context()).unwrap();
    hub2.params = vec![("threads".to_owned(), "2".to_owned())];
    let mut hub1 = EngineSpec { protocol: Protocol::Hub1, ..spec("hub1", &witness) };
    hub1.params = vec![("accepted".to_owned(), "2".to_owned())];
    client::start(&hub1, &context()).unwrap();
    hub1.params = vec![("refused".to_owned(), "2".to_owned())];
    for spec in [hub2, hub1] {
        let fault = fault_of_start(&spec);
        assert!(matches!(fault, EngineFault::Unsuitable(_)), "{fault}");
        assert!(fault.to_string().contains("no memory"), "{fault}");
    }
}

#[test]
fn children_of_a_crashed_engine_neither_hide_nor_survive_it() {
    let witness = Witness::new();
    let fault = fault_of_start(&spec("child-holds-output", &witness));
    assert!(fault.to_string().contains("exit code 3"), "{fault}");
    assert_gone(witness.process());
    assert_gone(witness.process());
}

#[cfg(unix)]
#[test]
fn an_engine_that_closes_its_output_has_crashed() {
    let script = "read hub; echo wait; read init; echo ready; exec >&-; sleep 60";
    let command = ["sh", "-c", script].map(str::to_owned).to_vec();
    let spec = EngineSpec { command, start_limit: PATIENCE, ..EngineSpec::default() };
    let fault = fault_of_start(&spec);
    assert_eq!(fault, EngineFault::NoStart("it closed its output".to_owned()));
}

#[cfg(unix)]
#[test]
fn programs_are_found_here_and_in_their_folder() {
    let witness = Witness::new();
    let absolute = spec("fine", &witness);
    let engine = std::path::PathBuf::from(&absolute.command[0]);
    let relative = |program: String, dir: &std::path::Path| {
        let mut spec = EngineSpec { dir: Some(dir.to_owned()), ..absolute.clone() };
        spec.command[0] = program;
        client::start(&spec, &context()).map(|_| ())
    };
    let folder = engine.parent().unwrap();
    assert_eq!(relative("./faulty_engine".to_owned(), folder), Ok(()));
    let from_here = engine.strip_prefix(std::env::current_dir().unwrap());
    if let Ok(from_here) = from_here {
        assert_eq!(relative(from_here.to_str().unwrap().to_owned(), folder), Ok(()));
    }
}

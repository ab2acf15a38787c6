//! Any lines as the steps of a tuning, or as pairs of games that others have played: they are
//! refused, or the values stay in their ranges.

use manoury::arena::tune::{AppliedStep, Parameter, TuneLength, TunePart, Tuner, TunerSettings};

/// The tuning that the seeds are of.
fn settings(part: Option<TunePart>) -> TunerSettings {
    let parameter = |name: &str, is_integer, start| Parameter {
        name: name.to_owned(),
        is_integer,
        start,
        min: 0.0,
        max: 10.0,
        c_end: 1.0,
        r_end: 0.5,
    };
    TunerSettings {
        parameters: vec![parameter("one", true, 5.0), parameter("two", false, 0.5)],
        length: TuneLength { steps: 4, pairs: 2 },
        ahead: 2,
        seed: 1,
        part,
    }
}

/// Checks one input.
pub fn check(bytes: &[u8]) {
    check_steps(bytes);
    check_pairs(bytes);
}

fn check_pairs(bytes: &[u8]) {
    let mut tuner = Tuner::new(settings(Some(TunePart::NONE)));
    for line in bytes.split(|byte| *byte == b'\n') {
        if tuner.add_logged(line).is_err() {
            return;
        }
        while tuner.next_pair().is_some() || tuner.apply().is_some() {}
        assert!(tuner.values().iter().all(|value| (0.0..=10.0).contains(value)));
    }
}

fn check_steps(bytes: &[u8]) {
    let mut tuner = Tuner::new(settings(None));
    for line in bytes.split(|byte| *byte == b'\n') {
        let Ok(step) = AppliedStep::parse(line) else {
            return;
        };
        if tuner.replay(&step).is_err() {
            return;
        }
        assert!(tuner.values().iter().all(|value| (0.0..=10.0).contains(value)));
    }
}

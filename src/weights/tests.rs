use super::file::{read, write};
use super::*;
use crate::door::any_rules;
use crate::eval::network::{BUCKETS, FEATURES, LEADS, Network, Output, Row};
use crate::rules::Variant;
use crate::storage::FormatError;

/// A network for 8x8 boards whose numbers all differ.
fn network() -> Network {
    let shape = any_rules(Variant::English).shape();
    let mut number = 0_i16;
    let mut row = || {
        Row(std::array::from_fn(|_| {
            number = number.wrapping_mul(31).wrapping_add(7);
            number % 300
        }))
    };
    let rows: Vec<Row> = (0..shape.rows()).map(|_| row()).collect();
    let bias = row();
    let outputs = [0; BUCKETS].map(|_| {
        let mut weights = row();
        weights.0[..LEADS].fill(0);
        Output { weights, bias: -i32::from(row().0[0]) * 40 }
    });
    Network::new(shape, &rows, bias, outputs).unwrap()
}

fn about() -> WeightsAbout {
    WeightsAbout {
        variant: "english".into(),
        features: FEATURES.into(),
        program: "0".into(),
        commit: Some("abc".into()),
        data: TrainingData { positions: 7, checksum: 8 },
        training: serde_json::json!({"seed": 1}),
    }
}

#[test]
fn files_are_read_as_written() {
    let network = network();
    let bytes = write(&network, &about()).unwrap();
    let file = read(&bytes, Variant::English).unwrap();
    assert_eq!((&file.network, &file.about), (&network, &about()));

    let problem = |bytes: &[u8]| read(bytes, Variant::English).unwrap_err();
    let is_corrupt =
        |bytes: &[u8]| matches!(problem(bytes), WeightsProblem::Format(FormatError::Corrupt));
    let is_foreign = |bytes: &[u8]| {
        matches!(problem(bytes), WeightsProblem::Format(FormatError::Foreign("weights")))
    };
    assert!(is_foreign(b"") && is_foreign(b"GIF89a"));
    let other = read(&bytes, Variant::Russian).unwrap_err();
    assert!(matches!(other, WeightsProblem::OtherVariant(name) if name == "english"));
    let mut newer = bytes.clone();
    newer[8] = 9;
    assert!(matches!(
        problem(&newer),
        WeightsProblem::Format(FormatError::Version { is: 9, should: 2 })
    ));
    for place in (12..bytes.len()).step_by(bytes.len() / 97) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        assert!(is_corrupt(&damaged), "byte {place}");
        assert!(is_corrupt(&bytes[..place]), "{place} bytes");
    }
}

#[test]
fn a_network_for_another_board_is_refused() {
    // A file that claims to be of a game on a larger board has too few rows.
    let about = WeightsAbout { variant: "international".into(), ..about() };
    let bytes = write(&network(), &about).unwrap();
    let problem = read(&bytes, Variant::International).unwrap_err();
    assert!(matches!(problem, WeightsProblem::Format(FormatError::Corrupt)));
}

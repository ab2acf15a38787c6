use std::ffi::OsString;

use super::file::{parse, read, write, write_differences};
use super::*;
use crate::eval::network::features::STATES;
use crate::eval::network::{
    BUCKETS, FEATURES, HIDDEN_UNITS, HiddenUnit, LEADS, Output, Row, WIDTH,
};
use crate::rules::Variant;
use crate::storage::FormatError;

/// A network for 8x8 boards with varied numbers, in which every third index has a specific row.
fn parts() -> FactorizedNetwork {
    let shape = Variant::English.feature_shape();
    let mut number = 0_i16;
    let mut row = || {
        Row(std::array::from_fn(|_| {
            number = number.wrapping_mul(31).wrapping_add(7);
            number % 40
        }))
    };
    let halves = (0..shape.halves()).map(|_| row()).collect();
    let own_indexes: Vec<usize> = (0..shape.rows()).step_by(3).collect();
    let own = own_indexes.iter().map(|_| row()).collect();
    let bias = row();
    let mut output = |_| {
        let mut weights = row();
        weights.0[..LEADS].fill(0);
        Output { weights, bias: -i32::from(row().0[0]) * 40 }
    };
    let outputs = [0; BUCKETS].map(&mut output);
    let margins = Some([0; BUCKETS].map(&mut output));
    let mut unit = |_| {
        let Output { weights, bias } = output(0);
        HiddenUnit { weights, bias, output: weights.0[LEADS] }
    };
    let hidden = Some([0; BUCKETS].map(|_| [0; HIDDEN_UNITS].map(&mut unit)));
    FactorizedNetwork {
        shape,
        width: WIDTH,
        bias,
        outputs,
        margins,
        hidden,
        halves,
        own_indexes,
        own,
    }
}

fn about() -> WeightsInfo {
    WeightsInfo {
        variant: "english".into(),
        features: FEATURES.into(),
        program: "0".into(),
        commit: Some("abc".into()),
        data: TrainingData { positions: 7, checksum: 8 },
        training: serde_json::json!({"seed": 1}),
        base: None,
    }
}

#[test]
fn files_round_trip() {
    let parts = parts();
    let bytes = write(&parts, &about()).unwrap();
    let file = parse(&bytes, Variant::English).unwrap();
    assert_eq!((&file.parts, &file.about), (&parts, &about()));

    let problem = |bytes: &[u8]| read(bytes, Variant::English).unwrap_err();
    let is_corrupt =
        |bytes: &[u8]| matches!(problem(bytes), WeightsProblem::Format(FormatError::Corrupt));
    let is_foreign = |bytes: &[u8]| {
        matches!(problem(bytes), WeightsProblem::Format(FormatError::WrongFormat("weights")))
    };
    assert!(is_foreign(b"") && is_foreign(b"GIF89a"));
    let other = read(&bytes, Variant::Russian).unwrap_err();
    assert!(matches!(other, WeightsProblem::OtherVariant(name) if name == "english"));
    let mut newer = bytes.clone();
    newer[8] = 9;
    assert!(matches!(
        problem(&newer),
        WeightsProblem::Format(FormatError::Version { is: 9, should: 4 })
    ));
    for place in (12..bytes.len()).step_by(bytes.len() / 97) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        assert!(is_corrupt(&damaged), "byte {place}");
        assert!(is_corrupt(&bytes[..place]), "{place} bytes");
    }
}

#[test]
fn narrow_networks_round_trip() {
    let mut parts = FactorizedNetwork { width: 20, ..parts() };
    let cut = |row: &mut Row| row.0[20..].fill(0);
    cut(&mut parts.bias);
    parts.outputs.iter_mut().for_each(|output| cut(&mut output.weights));
    let hidden = parts.hidden.take();
    parts.margins = None;
    parts.halves.iter_mut().chain(&mut parts.own).for_each(cut);
    let bytes = write(&parts, &about()).unwrap();
    assert_eq!(parse(&bytes, Variant::English).unwrap().parts, parts);
    let odd = [7; BUCKETS].map(|bias| Output { weights: Row::ZERO, bias });
    let with_margins = FactorizedNetwork { margins: Some(odd), ..parts.clone() };
    let bytes = write(&with_margins, &about()).unwrap();
    assert_eq!(parse(&bytes, Variant::English).unwrap().parts, with_margins);
    let hidden = hidden.map(|mut layers| {
        layers.as_flattened_mut().iter_mut().for_each(|unit| cut(&mut unit.weights));
        layers
    });
    let with_hidden = FactorizedNetwork { hidden, ..parts.clone() };
    let bytes = write(&with_hidden, &about()).unwrap();
    assert_eq!(parse(&bytes, Variant::English).unwrap().parts, with_hidden);
    let narrower = FactorizedNetwork { width: LEADS - 1, ..parts };
    assert!(parse(&write(&narrower, &about()).unwrap(), Variant::English).is_err());
}

#[test]
fn rows_are_the_sums_of_their_parts() {
    let parts = parts();
    let network = parts.network().unwrap();
    let owner = |index: usize| parts.own_indexes.iter().position(|&owner| owner == index);
    let own = |index: usize| owner(index).map(|place| parts.own[place].0);
    // In the third window, states with and without a specific row.
    for (state, has_own) in [(2, false), (3, true), (4000, false), (4002, true)] {
        let index = 2 * STATES + state;
        assert_eq!(own(index).is_some(), has_own, "state {state}");
        let half = |place: usize| parts.halves[2 * 2 * 81 + place].0;
        let (lower, upper) = (half(state % 81), half(81 + state / 81));
        let own = own(index).unwrap_or(Row::ZERO.0);
        for place in 0..WIDTH {
            let sum = lower[place] + upper[place] + own[place];
            assert_eq!(network.rows()[index].numbers().0[place], sum, "state {state}");
        }
    }
    let mut large = parts.clone();
    large.outputs[0].weights = Row([i16::MAX; WIDTH]);
    assert!(large.network().is_none());
    let bytes = write(&large, &about()).unwrap();
    assert!(matches!(read(&bytes, Variant::English), Err(WeightsProblem::TooLarge)));
    assert!(FactorizedNetwork { halves: Vec::new(), ..parts }.network().is_none());
}

#[test]
fn networks_of_a_base_variant_are_accepted() {
    let shape = Variant::Killer.feature_shape();
    let halves = vec![Row::ZERO; shape.halves()];
    let parts =
        FactorizedNetwork { shape, halves, own_indexes: Vec::new(), own: Vec::new(), ..parts() };
    let about = WeightsInfo { variant: "international".into(), ..about() };
    let bytes = write(&parts, &about).unwrap();
    assert!(read(&bytes, Variant::Killer).is_ok() && read(&bytes, Variant::Breakthrough).is_ok());
    let problem = read(&bytes, Variant::Losing).unwrap_err();
    assert!(matches!(problem, WeightsProblem::OtherVariant(_)), "{problem}");
}

/// If the network of international draughts is replaced, those of killer and breakthrough have to
/// be stored again, as differences from the new one or whole, or their differences added to the new
/// one by `scripts/pack_weights.py`.
#[test]
fn every_embedded_network_is_usable() {
    for &variant in Variant::ALL {
        let file = parse(embedded_file(variant), variant);
        assert!(file.is_ok(), "{variant}: {}", file.unwrap_err());
    }
}

#[test]
fn rows_can_be_stored_as_differences_from_the_base_variant() {
    let international = || {
        let bytes = embedded_file(Variant::International);
        parse(bytes, Variant::International).unwrap().parts
    };
    let mut parts = international();
    parts.halves[7].0[3] -= 5;
    parts.own[100].0[0] += 9;
    // A state that only the base has, and one that only the network has.
    parts.own_indexes.remove(50);
    parts.own.remove(50);
    let states = 0..parts.shape.rows();
    let new = states.rev().find(|state| !parts.own_indexes.contains(state)).unwrap();
    let place = parts.own_indexes.partition_point(|&state| state < new);
    parts.own_indexes.insert(place, new);
    parts.own.insert(place, Row([3; WIDTH]));

    let about = WeightsInfo { variant: "killer".into(), ..about() };
    let file = WeightsFile { parts: parts.clone(), about: about.clone(), checksum: 0 };
    let bytes = write_differences(file, Variant::Killer).unwrap();
    assert!(bytes.len() < write(&parts, &about).unwrap().len() / 20);
    let read_back = parse(&bytes, Variant::Killer).unwrap();
    assert!(read_back.parts == parts && read_back.about.base.is_some());

    for (variant, base) in [("killer", Some(1)), ("international", Some(1))] {
        let about = WeightsInfo { variant: variant.into(), base, ..about.clone() };
        let bytes = write(&international(), &about).unwrap();
        let problem = read(&bytes, variant.parse().unwrap()).unwrap_err();
        assert!(matches!(problem, WeightsProblem::OtherBase), "{problem}");
    }
}

/// Stores the weights file named by `MANOURY_WEIGHTS` as differences from the network of the base
/// variant if that is smaller, under the name in `MANOURY_OUT`.
#[test]
#[ignore = "by hand: prepares a weights file for embedding"]
fn prepares_for_embedding_by_hand() {
    let [from, to] = ["MANOURY_WEIGHTS", "MANOURY_OUT"].map(|name| std::env::var_os(name).unwrap());
    let bytes = std::fs::read(&from).unwrap();
    let is_for = |variant: &&Variant| {
        parse(&bytes, **variant).is_ok_and(|file| file.about.variant == variant.name())
    };
    let variant = *Variant::ALL.iter().find(is_for).unwrap();
    let file = parse(&bytes, variant).unwrap();
    let whole = write(&file.parts, &file.about).unwrap();
    let differences = write_differences(file, variant).unwrap_or(whole.clone());
    let smallest = [whole, differences].into_iter().min_by_key(Vec::len).unwrap();
    std::fs::write(&to, &smallest).unwrap();
    assert!(read(&smallest, variant).is_ok());
}

#[test]
fn rejects_a_network_for_another_board() {
    // A file that claims to be for a variant on a larger board has too few rows.
    let about = WeightsInfo { variant: "international".into(), ..about() };
    let bytes = write(&parts(), &about).unwrap();
    let problem = read(&bytes, Variant::International).unwrap_err();
    assert!(matches!(problem, WeightsProblem::Format(FormatError::Corrupt)));
}

#[test]
fn parses_weights_sources() {
    let source = |text: &str| WeightsSource::from(OsString::from(text));
    assert_eq!(source(""), WeightsSource::Embedded);
    assert_eq!(source("hand"), WeightsSource::HandCrafted);
    assert_eq!(source("./hand"), WeightsSource::File("./hand".into()));
    let load = |text| source(text).load(Variant::International);
    assert_eq!(load("hand").unwrap().checksum(), None);
    assert!(load("").unwrap().checksum().is_some());
    assert!(load("/nowhere").is_err());
}

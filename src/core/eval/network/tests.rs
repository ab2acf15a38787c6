use proptest::prelude::*;

use super::features::{FeatureShape, Features, window_rows};
use super::*;
use crate::board::{Bitboard, Board8, Board8Full, Board10, Board12, Geometry};

/// Pseudo-random numbers, the same on every run.
fn numbers(mut seed: u64) -> impl FnMut(i32, i32) -> i32 {
    move |least, most| {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        least + (seed >> 33) as i32 % (most - least + 1)
    }
}

/// The numbers of a network.
struct Numbers {
    rows: Vec<Row>,
    bias: Row,
    outputs: [Output; BUCKETS],
    hidden: Option<[HiddenLayer; BUCKETS]>,
    margins: [Output; BUCKETS],
}

/// Random network numbers. With a large `most`, rows reach the limits of their range.
fn random<G: Features>(seed: u64, most: i16, has_hidden: bool) -> Numbers {
    let mut number = numbers(seed);
    let mut row =
        |most: i16| Row(std::array::from_fn(|_| number(-i32::from(most), most.into()) as i16));
    let rows = (0..G::ROWS).map(|_| row(most)).collect();
    let bias = row(most.min(1 << 14));
    let mut output = |_| {
        let mut weights = row(2000);
        weights.0[..LEADS].fill(0);
        Output { weights, bias: i32::from(row(3000).0[0]) }
    };
    let (outputs, margins) = ([0; BUCKETS].map(&mut output), [0; BUCKETS].map(&mut output));
    let mut unit = |_| {
        let mut weights = row(4000);
        weights.0[..LEADS].fill(0);
        HiddenUnit { weights, bias: i32::from(row(2000).0[0]), output: row(2000).0[0] }
    };
    let hidden = has_hidden.then(|| [0; BUCKETS].map(|_| [0; HIDDEN_UNITS].map(&mut unit)));
    Numbers { rows, bias, outputs, hidden, margins }
}

impl Numbers {
    fn network<G: Features>(&self) -> Network {
        let rows: Vec<_> = self.rows.iter().map(packed_row).collect();
        let margins = Some(self.margins);
        let shape = FeatureShape::of::<G>();
        Network::new(shape, rows.into(), self.bias, self.outputs, self.hidden, margins).unwrap()
    }
}

fn packed_row(row: &Row) -> PackedRow {
    PackedRow::new(|place| row.0[place].into())
}

#[test]
fn packed_rows_keep_numbers_within_their_range() {
    for lead in [-8064, -33, -32, -1, 0, 31, 32, 8064] {
        for other in [-128, -1, 0, 127] {
            let row = Row(std::array::from_fn(|place| if place < LEADS { lead } else { other }));
            assert_eq!(packed_row(&row).numbers(), row);
        }
    }
}

fn pieces<G: Geometry>(squares: &[(u8, u8)]) -> Pieces<G> {
    let mut pieces = Pieces::NONE;
    for &(number, piece) in squares {
        let square = Bitboard::of(G::square(usize::from(number) % G::SQUARES + 1).unwrap());
        if (square & pieces.occupied()).is_empty() {
            let side = usize::from(piece % 2);
            // Most pieces are men.
            let of = if piece < 200 { &mut pieces.men } else { &mut pieces.kings };
            of[side] |= square;
        }
    }
    pieces
}

/// The lead and the margin by the documented formulas, computed one number at a time.
fn plain<G: Features>(network: &Numbers, pieces: &Pieces<G>) -> (i32, i32) {
    let windows = window_rows(pieces);
    let mut rows: Vec<usize> = windows[..G::WINDOWS].iter().map(|&row| row as usize).collect();
    for (side, kings) in pieces.kings.iter().enumerate() {
        rows.extend(kings.squares().map(|square| G::KINGS + side * G::BITS + square.index()));
    }
    let sum = |place: usize| {
        let most = if place < LEADS { 8064 } else { 127 };
        let least = if place < LEADS { -8064 } else { -128 };
        let numbers = rows.iter().map(|&row| network.rows[row].0[place].clamp(least, most));
        numbers.map(i64::from).sum::<i64>() + i64::from(network.bias.0[place])
    };
    let count = pieces.occupied().len();
    let weighted = |row: &Row| {
        let number = |place: usize| sum(place).clamp(0, 64).pow(2) * i64::from(row.0[place]);
        (LEADS..WIDTH).map(number).sum::<i64>()
    };
    let unit = |unit: &HiddenUnit| {
        let sum = weighted(&unit.weights) + i64::from(unit.bias) * 4096;
        (sum / 128).clamp(0, 1 << 15).pow(2) / (1 << 18) * i64::from(unit.output)
    };
    let layer = network.hidden.map(|layers| layers[bucket(count)]);
    let hidden: i64 = layer.iter().flatten().map(unit).sum();
    // In 1/25600 man.
    let value = |output: &Output, hidden: i64| {
        (weighted(&output.weights) + hidden) / 256 + i64::from(output.bias) * 16
    };
    let hundredths = |fine: i64| (fine + 128).div_euclid(256) as i32;
    let early = count.min(40) as i64;
    let lead = (sum(0) * early + sum(1) * (40 - early)) * 5;
    let output = value(&network.outputs[bucket(count)], hidden);
    let margin = value(&network.margins[bucket(count)], 0);
    (hundredths(output + lead), hundredths(margin))
}

fn check<G: Features>(seed: u64, most: i16, has_hidden: bool, squares: &[(u8, u8)]) {
    let (numbers, pieces) = (random::<G>(seed, most, has_hidden), pieces::<G>(squares));
    let (network, (lead, margin)) = (numbers.network::<G>(), plain(&numbers, &pieces));
    assert_eq!(network.lead(&pieces), lead);
    assert_eq!(kernel::lead_anywhere(&network, &pieces), lead);
    assert_eq!(network.margin(&pieces), Some(margin));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn kernels_match_the_documented_formulas(
        seed: u64,
        most in prop::sample::select(vec![60_i16, 500, 3000, i16::MAX]),
        has_hidden: bool,
        squares in prop::collection::vec(any::<(u8, u8)>(), 0..60),
    ) {
        check::<Board8>(seed, most, has_hidden, &squares);
        check::<Board10>(seed, most, has_hidden, &squares);
        check::<Board12>(seed, most, has_hidden, &squares);
        check::<Board8Full>(seed, most, has_hidden, &squares);
    }
}

#[test]
fn rejects_outputs_that_could_overflow() {
    let rows = vec![packed_row(&Row::ZERO); Board8::ROWS];
    let output = |weight: i16, bias| {
        let mut weights = Row([weight; WIDTH]);
        weights.0[..LEADS].fill(0);
        [Output { weights, bias }; BUCKETS]
    };
    let hidden = |weight: i16, bias, output| {
        let mut weights = Row([weight; WIDTH]);
        weights.0[..LEADS].fill(0);
        Some([[HiddenUnit { weights, bias, output }; HIDDEN_UNITS]; BUCKETS])
    };
    let made_with = |rows: &[PackedRow], outputs, hidden| {
        Network::new(FeatureShape::of::<Board8>(), rows.into(), Row::ZERO, outputs, hidden, None)
    };
    let made = |rows: &[PackedRow], outputs| made_with(rows, outputs, None);
    assert!(made_with(&rows, output(4000, 0), hidden(4000, 22_000, 2000)).is_some());
    assert!(made_with(&rows, output(4000, 0), hidden(4000, 22_000, 3000)).is_none());
    assert!(made_with(&rows, output(4000, 0), hidden(-4000, -23_000, 2000)).is_none());
    assert!(made_with(&rows, output(4000, 0), hidden(-4400, 0, 2000)).is_none());
    let unlearned = made(&rows, output(4000, 0)).unwrap();
    assert_eq!(unlearned.margin::<Board8>(&Pieces::NONE), None);
    assert!(made(&rows, output(4400, 0)).is_none());
    assert!(made(&rows, output(0, 1 << 14)).is_none());
    assert!(made(&rows[1..], output(0, 0)).is_none());
}

#[test]
fn the_description_names_the_sizes() {
    let sizes = format!("; {WIDTH} numbers, {HIDDEN_UNITS} hidden units");
    assert!(FEATURES.ends_with(&sizes), "{FEATURES}");
}

#[test]
fn larger_boards_have_more_windows() {
    let windows = [Board8::WINDOWS, Board10::WINDOWS, Board8Full::WINDOWS, Board12::WINDOWS];
    assert_eq!(windows, [9, 16, 21, 25]);
}

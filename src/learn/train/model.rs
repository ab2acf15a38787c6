//! The network while it learns: numbers with a point.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::eval::network::features::{Features, STATES};
use crate::eval::network::{ALL_PIECES, BUCKETS, LEADS, WIDTH, bucket};

use super::examples::Examples;

/// States of half a window.
pub(super) const HALF: usize = 81;

/// A row.
pub(super) type Row = [f32; WIDTH];

/// What is learned.
#[derive(Clone)]
pub(super) struct Model {
    /// The rows of windows, then those of kings.
    pub(super) rows: Vec<Row>,
    /// For each window the rows of its halves, two rows of the board each, the lower one first: they are
    /// added to those of the windows that have them. A state that is rarely seen is worth what its halves
    /// are.
    pub(super) halves: Vec<Row>,
    /// What all positions have: the sum begins with it.
    pub(super) bias: Row,
    /// What the numbers of the sum count for.
    pub(super) outputs: [Output; BUCKETS],
}

/// An output row.
#[derive(Clone, Copy, Default)]
pub(super) struct Output {
    pub(super) weights: Row,
    pub(super) bias: f32,
}

/// What comes out for a position.
#[derive(Clone, Copy)]
pub(super) struct Answer {
    /// The sum of its rows.
    pub(super) sum: Row,
    /// The lead of the side to move, in men, divided as the evaluation does.
    pub(super) lead: f32,
    /// By what it has been divided.
    pub(super) divisor: f32,
}

impl Model {
    /// A network of zeros.
    pub(super) fn zeros<G: Features>() -> Self {
        Model {
            rows: vec![[0.0; WIDTH]; G::ROWS],
            halves: vec![[0.0; WIDTH]; G::WINDOWS * 2 * HALF],
            bias: [0.0; WIDTH],
            outputs: Default::default(),
        }
    }

    /// All numbers, in one order.
    pub(super) fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let outputs = self.outputs.iter_mut();
        let outputs =
            outputs.flat_map(|output| output.weights.iter_mut().chain([&mut output.bias]));
        let rows = self.rows.iter_mut().chain(&mut self.halves);
        rows.flatten().chain(&mut self.bias).chain(outputs)
    }

    /// A network that knows the worth of men and kings, and small random numbers.
    pub(super) fn new<G: Features>(random: &mut Xoshiro256PlusPlus) -> Self {
        let mut rows: Vec<Row> = (0..G::ROWS)
            .map(|_| std::array::from_fn(|_| random.random_range(-0.02..0.02)))
            .collect();
        for (window, rows) in rows[..G::KINGS].chunks_mut(STATES).enumerate() {
            for (state, row) in rows.iter_mut().enumerate() {
                row[..LEADS].fill(material::<G>(window, state));
            }
        }
        for (king, row) in rows[G::KINGS..].iter_mut().enumerate() {
            row[..LEADS].fill(if king < G::BITS { KING } else { -KING });
        }
        let mut bias = [0.3; WIDTH];
        bias[..LEADS].fill(0.0);
        let output = |random: &mut Xoshiro256PlusPlus| {
            let mut weights = std::array::from_fn(|_| random.random_range(-0.3..0.3));
            weights[..LEADS].fill(0.0);
            Output { weights, bias: 0.0 }
        };
        let outputs = std::array::from_fn(|_| output(random));
        Model { rows, bias, outputs, ..Model::zeros::<G>() }
    }

    /// A row with that of its halves.
    pub(super) fn row<G: Features>(&self, row: usize) -> Row {
        let mut sum = self.rows[row];
        if row < G::KINGS {
            let (window, state) = (row / STATES, row % STATES);
            for half in halves(state) {
                add(&mut sum, &self.halves[window * 2 * HALF + half]);
            }
        }
        sum
    }

    /// What the network says about an example.
    pub(super) fn answer<G: Features>(&self, examples: &Examples, example: usize) -> Answer {
        let mut sum = self.bias;
        for (window, states) in examples.states.iter().enumerate() {
            let state = usize::from(states[example]);
            add(&mut sum, &self.row::<G>(window * STATES + state));
        }
        for &king in examples.kings_of(example) {
            add(&mut sum, &self.rows[G::KINGS + usize::from(king)]);
        }
        let pieces = examples.pieces[example];
        let output = &self.outputs[bucket(usize::from(pieces))];
        let late = lateness(pieces);
        let mut lead = output.bias + (1.0 - late) * sum[0] + late * sum[1];
        // The weights of the leads are 0.
        for (number, weight) in sum.iter().zip(&output.weights) {
            let active = number.clamp(0.0, 1.0);
            lead += weight * active * active;
        }
        let divisor = f32::from(examples.divisors[example][usize::from(lead <= 0.0)]);
        Answer { sum, lead: lead / divisor, divisor }
    }
}

/// The places of the halves of a state among those of its window.
pub(super) fn halves(state: usize) -> [usize; 2] {
    [state % HALF, HALF + state / HALF]
}

/// A king in men, before anything is learned.
const KING: f32 = 3.0;

/// The share of a window in the lead of men.
fn material<G: Features>(window: usize, state: usize) -> f32 {
    let (top, left) = (2 * (window / G::ACROSS), window % G::ACROSS);
    let share = |place: usize| {
        let (row, column) = (top + 3 - place / 2, left + place % 2);
        1.0 / covering::<G>(row, column) as f32
    };
    let digit = |place: usize| state / 3_usize.pow(place as u32) % 3;
    let worth = |place: usize| match digit(place) {
        0 => 0.0,
        1 => share(place),
        _ => -share(place),
    };
    (0..8).map(worth).sum()
}

/// How many windows have a square.
fn covering<G: Features>(row: usize, column: usize) -> usize {
    let has = |window: &usize| {
        let (top, left) = (2 * (window / G::ACROSS), window % G::ACROSS);
        (top..top + 4).contains(&row) && (left..left + 2).contains(&column)
    };
    (0..G::WINDOWS).filter(has).count()
}

/// How far the game is: 0 with all pieces, 1 with none.
pub(super) fn lateness(pieces: u8) -> f32 {
    1.0 - (f32::from(pieces) / ALL_PIECES as f32).min(1.0)
}

fn add(sum: &mut Row, row: &Row) {
    for (sum, number) in sum.iter_mut().zip(row) {
        *sum += number;
    }
}

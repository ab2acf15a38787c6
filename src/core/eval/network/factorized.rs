//! Networks in the form in which they are trained and stored.
//!
//! A stored network is a sequence of 16-bit words, kept as two planes: the low bytes of all words,
//! then their high bytes. The words are, in this order:
//!
//! - the width, that is, how many numbers are stored per row (the rest of each row is 0), plus 256
//!   if the network has margins, plus 512 if it has hidden layers
//! - the bias
//! - the output rows, each followed by its bias as two words, low and high
//! - the output rows of the margins, if there are any
//! - the hidden layers, if there are any: for each unit its weights, its bias as two words, and its
//!   output weight
//! - the rows of the halves
//! - a bit set of the features that have a specific row (see [`FactorizedNetwork`]), 16 bits per
//!   word
//! - the specific rows
//!
//! The rows of the halves and the specific rows are stored transposed: the first number of every
//! row, then the second number of every row, and so on, since numbers at the same index of
//! different rows are similar. Signed numbers use zigzag encoding, so that most high bytes are 0:
//! `n` is stored as `2n`, or as `-2n - 1` if it is negative.

use super::features::{FeatureShape, HALF_STATES, STATES, halves};
use super::{
    BUCKETS, HIDDEN_UNITS, HiddenLayer, HiddenUnit, LEADS, Network, Output, PackedRow, Row, WIDTH,
};

/// The bits of the first word that hold the width; the others are flags.
const WIDTH_MASK: usize = (1 << 8) - 1;
/// The flag of networks with margins.
const HAS_MARGINS: usize = 1 << 8;
/// The flag of networks with hidden layers.
const HAS_HIDDEN: usize = 1 << 9;
/// The number of rows read at a time: few enough to stay in the cache.
const BLOCK: usize = 64;
/// The number of bits in a word of a bit set.
const SET_WORD_BITS: usize = u16::BITS as usize;

/// A network in its stored form. The row for a state of a window is the sum of the rows of its two
/// halves and a row specific to the state. Nine in ten states never occur in training and have no
/// specific row, so this form is several times smaller than the network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactorizedNetwork {
    /// The features for the board of the variant.
    pub shape: FeatureShape,
    /// How many numbers are stored per row, leads first. The rest of each row is 0.
    pub width: usize,
    /// The row that every sum starts from.
    pub bias: Row,
    /// The output rows, one for each range of piece counts.
    pub outputs: [Output; BUCKETS],
    /// The output rows for the margin, the lead at which half of all games are won, if margins were
    /// trained.
    pub margins: Option<[Output; BUCKETS]>,
    /// The hidden layer beside each output row, if hidden layers were trained.
    pub hidden: Option<[HiddenLayer; BUCKETS]>,
    /// For each window, the rows for the states of its lower half, then those for its upper half.
    pub halves: Vec<Row>,
    /// The ascending indexes of the window states and kings that have a specific row. For all
    /// others, the specific row is 0.
    pub own_indexes: Vec<usize>,
    /// The specific rows, in the order of `own_indexes`.
    pub own: Vec<Row>,
}

impl FactorizedNetwork {
    /// Computes the full network, clamping each number to the range of the type that stores it.
    /// Returns `None` if a part has the wrong size or memory runs out.
    pub fn network(&self) -> Option<Network> {
        if self.halves.len() != self.shape.halves() {
            return None;
        }
        let mut rows = Network::allocate_rows(self.shape)?;
        let mut own = self.own_indexes.iter().zip(&self.own).peekable();
        for (index, row) in rows.iter_mut().enumerate() {
            let own = own.next_if(|(owner, _)| **owner == index).map_or(&Row::ZERO, |(_, own)| own);
            let [lower, upper] = self.halves_of(index).unwrap_or([&Row::ZERO; 2]);
            let part = |row: &Row, place: usize| i32::from(row.0[place]);
            *row =
                PackedRow::new(|place| part(lower, place) + part(upper, place) + part(own, place));
        }
        let is_whole = own.next().is_none();
        if !is_whole {
            return None;
        }
        Network::new(self.shape, rows, self.bias, self.outputs, self.hidden, self.margins)
    }

    /// The rows of the two halves of a state; `None` if the index is that of a king.
    #[inline]
    fn halves_of(&self, index: usize) -> Option<[&Row; 2]> {
        let window = self.halves.get(index / STATES * 2 * HALF_STATES..)?;
        let [lower, upper] = halves(index % STATES);
        Some([window.get(lower)?, window.get(upper)?])
    }

    /// The network whose rows are the sums of these rows and those of `base`. The rows of the halves
    /// are added, and the specific rows of this network to those of the same states in `base`; the
    /// specific rows that only `base` has are left out. Both must be for the same board.
    pub fn plus_rows(self, base: &Self) -> Self {
        self.with_rows_of(base, i16::wrapping_add)
    }

    /// The inverse of [`FactorizedNetwork::plus_rows`]. Where `base` is the network from which
    /// training started, the remaining numbers are small and compress well.
    pub fn minus_rows(self, base: &Self) -> Self {
        self.with_rows_of(base, i16::wrapping_sub)
    }

    fn with_rows_of(mut self, base: &Self, combine: fn(i16, i16) -> i16) -> Self {
        let combine = |row: &mut Row, other: &Row| {
            row.0
                .iter_mut()
                .zip(other.0)
                .for_each(|(number, other)| *number = combine(*number, other));
        };
        self.halves.iter_mut().zip(&base.halves).for_each(|(row, other)| combine(row, other));
        let mut others = base.own_indexes.iter().zip(&base.own).peekable();
        for (index, row) in self.own_indexes.iter().zip(&mut self.own) {
            while others.next_if(|(other, _)| *other < index).is_some() {}
            if let Some((_, other)) = others.next_if(|(other, _)| *other == index) {
                combine(row, other);
            }
        }
        self
    }

    /// The maximum number of words of a network for a board.
    pub fn max_words(shape: FeatureShape) -> usize {
        let outputs = 2 * BUCKETS * (WIDTH + 2);
        let hidden = BUCKETS * HIDDEN_UNITS * (WIDTH + 3);
        let rows = 1 + shape.halves() + shape.rows();
        1 + outputs + hidden + rows * WIDTH + shape.rows().div_ceil(SET_WORD_BITS)
    }

    /// The planes of the words that store the network: the low bytes and the high bytes.
    pub fn planes(&self) -> [Vec<u8>; 2] {
        let words = self.words();
        [0, 1].map(|byte| words.iter().map(|word| word.to_le_bytes()[byte]).collect())
    }

    /// The network stored in two planes, one after the other. Returns `None` if the planes do not
    /// form a network for the board.
    pub fn from_planes(planes: &[u8], shape: FeatureShape) -> Option<Self> {
        let (low, high) = planes.split_at(planes.len() / 2);
        if low.len() != high.len() {
            return None;
        }
        let words = low.iter().zip(high).map(|(&low, &high)| u16::from_le_bytes([low, high]));
        Words::parts(&words.collect::<Vec<_>>(), shape)
    }

    /// The 16-bit words that store a network.
    fn words(&self) -> Vec<u16> {
        let places = 0..self.width;
        let row =
            |row: &Row| row.0[places.clone()].iter().copied().map(unsigned).collect::<Vec<_>>();
        let margins = if self.margins.is_some() { HAS_MARGINS } else { 0 };
        let hidden = if self.hidden.is_some() { HAS_HIDDEN } else { 0 };
        let mut words = vec![(self.width | margins | hidden) as u16];
        words.extend(row(&self.bias));
        for output in self.outputs.iter().chain(self.margins.iter().flatten()) {
            words.extend(row(&output.weights));
            words.extend(words_of(output.bias));
        }
        for unit in self.hidden.iter().flatten().flatten() {
            words.extend(row(&unit.weights));
            words.extend(words_of(unit.bias));
            words.push(unsigned(unit.output));
        }
        let by_place = |rows: &[Row]| -> Vec<u16> {
            let at = |place: usize| rows.iter().map(move |row| unsigned(row.0[place]));
            places.clone().flat_map(at).collect()
        };
        words.extend(by_place(&self.halves));
        let mut is_stored = vec![0; self.shape.rows().div_ceil(SET_WORD_BITS)];
        for owner in &self.own_indexes {
            is_stored[owner / SET_WORD_BITS] |= 1 << (owner % SET_WORD_BITS);
        }
        words.extend(is_stored);
        words.extend(by_place(&self.own));
        words
    }
}

/// The low and the high 16 bits of a number.
fn words_of(number: i32) -> [u16; 2] {
    [number as u16, (number >> 16) as u16]
}

/// The zigzag encoding of a signed number.
fn unsigned(number: i16) -> u16 {
    (number << 1 ^ number >> 15) as u16
}

/// Decodes a zigzag-encoded number.
fn signed(word: u16) -> i16 {
    (word >> 1) as i16 ^ -((word & 1) as i16)
}

/// An array of what `next` returns, unless that is `None` at some point.
fn array<T, const N: usize>(mut next: impl FnMut() -> Option<T>) -> Option<[T; N]> {
    let all: Option<Vec<_>> = (0..N).map(|_| next()).collect();
    all?.try_into().ok()
}

/// The words not yet read. Each method returns `None` if too few are left.
struct Words<'a> {
    rest: &'a [u16],
    width: usize,
}

impl<'a> Words<'a> {
    /// Reads all parts of a network. Also returns `None` if words are left over or the width is
    /// invalid.
    fn parts(words: &'a [u16], shape: FeatureShape) -> Option<FactorizedNetwork> {
        let (&width, rest) = words.split_first()?;
        let width = usize::from(width);
        let (width, flags) = (width & WIDTH_MASK, width & !WIDTH_MASK);
        if !(LEADS..=WIDTH).contains(&width) || flags & !(HAS_MARGINS | HAS_HIDDEN) != 0 {
            return None;
        }
        let mut words = Words { rest, width };
        let bias = words.row()?;
        let outputs = words.outputs()?;
        let margins = if flags & HAS_MARGINS != 0 { Some(words.outputs()?) } else { None };
        let hidden = if flags & HAS_HIDDEN != 0 { Some(words.hidden()?) } else { None };
        let halves = words.rows(shape.halves())?;
        let own_indexes = words.set(shape.rows())?;
        let own = words.rows(own_indexes.len())?;
        let parts = FactorizedNetwork {
            shape,
            width,
            bias,
            outputs,
            margins,
            hidden,
            halves,
            own_indexes,
            own,
        };
        words.rest.is_empty().then_some(parts)
    }

    fn take(&mut self, count: usize) -> Option<&'a [u16]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn row(&mut self) -> Option<Row> {
        self.rows(1)?.pop()
    }

    fn number(&mut self) -> Option<i32> {
        let &[low, high] = self.take(2)? else { return None };
        Some(i32::from(high as i16) << 16 | i32::from(low))
    }

    fn outputs(&mut self) -> Option<[Output; BUCKETS]> {
        array(|| Some(Output { weights: self.row()?, bias: self.number()? }))
    }

    fn hidden(&mut self) -> Option<[HiddenLayer; BUCKETS]> {
        let mut unit = || {
            let (weights, bias) = (self.row()?, self.number()?);
            Some(HiddenUnit { weights, bias, output: signed(*self.take(1)?.first()?) })
        };
        array(|| array(&mut unit))
    }

    /// Reads rows that are stored transposed: the first number of every row, then the second number
    /// of every row, and so on.
    fn rows(&mut self, count: usize) -> Option<Vec<Row>> {
        let numbers = self.take(count * self.width)?;
        let mut rows = vec![Row::ZERO; count];
        for (block, rows) in rows.chunks_mut(BLOCK).enumerate() {
            for place in 0..self.width {
                let numbers = &numbers[place * count + block * BLOCK..];
                rows.iter_mut().zip(numbers).for_each(|(row, &word)| row.0[place] = signed(word));
            }
        }
        Some(rows)
    }

    /// A bit set of indexes below `count`.
    fn set(&mut self, count: usize) -> Option<Vec<usize>> {
        let words = self.take(count.div_ceil(SET_WORD_BITS))?;
        let has =
            |number: usize| words[number / SET_WORD_BITS] >> (number % SET_WORD_BITS) & 1 != 0;
        let spare = (count..words.len() * SET_WORD_BITS).any(has);
        (!spare).then(|| (0..count).filter(|&number| has(number)).collect())
    }
}

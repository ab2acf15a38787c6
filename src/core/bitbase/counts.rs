//! Counts of the positions of a slice by value.

use super::value::Value;

/// Position counts by value, separate for positions in which the side to move must capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Positions without a capture, indexed by [`Value`].
    pub quiet: [u64; 3],
    /// Positions with a capture, indexed by [`Value`].
    pub capture: [u64; 3],
}

impl Counts {
    /// Counts one position.
    #[inline(always)]
    pub fn add(&mut self, value: Value, is_capture: bool) {
        let counts = if is_capture { &mut self.capture } else { &mut self.quiet };
        counts[value as usize] += 1;
    }

    /// The sum of two counts.
    pub fn plus(self, other: Self) -> Self {
        let sum = |one: [u64; 3], two: [u64; 3]| [0, 1, 2].map(|value| one[value] + two[value]);
        Counts { quiet: sum(self.quiet, other.quiet), capture: sum(self.capture, other.capture) }
    }

    /// The number of positions of a value.
    pub fn of(&self, value: Value) -> u64 {
        self.quiet[value as usize] + self.capture[value as usize]
    }
}

//! How many positions of a slice have which value.

use super::value::Value;

/// Positions by value, those in which the side to move must capture apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Without a capture to make, by [`Value`].
    pub quiet: [u64; 3],
    /// With one.
    pub capture: [u64; 3],
}

impl Counts {
    /// Counts one position.
    #[inline(always)]
    pub fn add(&mut self, value: Value, is_capture: bool) {
        let counts = if is_capture { &mut self.capture } else { &mut self.quiet };
        counts[value as usize] += 1;
    }

    /// The positions counted here and there.
    pub fn plus(self, other: Self) -> Self {
        let sum = |one: [u64; 3], two: [u64; 3]| [0, 1, 2].map(|value| one[value] + two[value]);
        Counts { quiet: sum(self.quiet, other.quiet), capture: sum(self.capture, other.capture) }
    }

    /// The positions of a value.
    pub fn of(&self, value: Value) -> u64 {
        self.quiet[value as usize] + self.capture[value as usize]
    }
}

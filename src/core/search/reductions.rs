//! Late move reductions: moves late in the order are probably bad, so their first search is less
//! deep.

use super::params::Params;

/// Precomputed logarithms, rounded to be the same on every machine, and the tunables.
pub(super) struct Reductions {
    /// 1000 ln(n), from n = 1.
    logarithms: [i32; 64],
    base: i32,
    slope: i32,
}

impl Reductions {
    /// The reductions for a set of tunables.
    pub(super) fn new(params: &Params) -> Self {
        Reductions {
            // From a crate, as the system's logarithm may differ in the last place.
            logarithms: std::array::from_fn(|n| (1000.0 * libm::log(n.max(1) as f64)) as i32),
            base: params.reduction_base,
            slope: params.reduction_slope,
        }
    }

    /// The reduction of the move at an index (the number of moves before it), in hundredths of a
    /// ply.
    #[inline(always)]
    pub(super) fn percent(&self, depth: i32, index: usize) -> i32 {
        let last = self.logarithms.len() - 1;
        let depth = self.logarithms[(depth.max(0) as usize).min(last)];
        let number = self.logarithms[(index + 1).min(last)];
        self.base + self.slope * (depth * number / 1000) / 1000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_and_later_is_more() {
        let reductions = Reductions::new(&Params::default());
        for depth in 1..100 {
            for index in 0..100 {
                let here = reductions.percent(depth, index);
                assert!(reductions.percent(depth + 1, index) >= here);
                assert!(reductions.percent(depth, index + 1) >= here);
            }
        }
    }
}

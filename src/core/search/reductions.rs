//! Late move reductions: moves late in the order are probably bad, so their first search is less
//! deep.

use super::params::Params;

/// The reductions by depth and by the number of the move, precomputed.
pub(super) struct Reductions {
    /// In hundredths of a ply, by depth, then by the number of moves before.
    percents: Box<[[i16; SIZE]; SIZE]>,
}

/// Greater depths and later moves are reduced like the last in the table.
const SIZE: usize = 64;

impl Reductions {
    /// The reductions for a set of tunables.
    pub(super) fn new(params: &Params) -> Self {
        // 1000 ln(n), from n = 1, rounded to be the same on every machine, and from a crate, as the
        // system's logarithm may differ in the last place.
        let logarithm = |n: usize| (1000.0 * libm::log(n.max(1) as f64)) as i32;
        let logarithms: [i32; SIZE] = std::array::from_fn(logarithm);
        let mut percents = Box::new([[0; SIZE]; SIZE]);
        for (depth, row) in percents.iter_mut().enumerate() {
            for (index, percent) in row.iter_mut().enumerate() {
                let product = logarithms[depth] * logarithms[(index + 1).min(SIZE - 1)] / 1000;
                let plies = params.reduction_base + params.reduction_slope * product / 1000;
                *percent = plies as i16;
            }
        }
        Reductions { percents }
    }

    /// The reduction of the move at an index (the number of moves before it), in hundredths of a
    /// ply.
    #[inline(always)]
    pub(super) fn percent(&self, depth: i32, index: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(SIZE - 1);
        i32::from(self.percents[depth][index.min(SIZE - 1)])
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

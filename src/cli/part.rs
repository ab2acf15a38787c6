//! Parts of a work, for several processes: `3/10` is the third of ten.

use std::ops::Range;
use std::str::FromStr;

/// A part of a work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its number, from 1.
    number: usize,
    /// The number of parts.
    parts: usize,
}

impl Part {
    /// Its place among the parts, from 0, and the number of parts.
    pub fn place(self) -> (usize, usize) {
        (self.number - 1, self.parts)
    }

    /// The indices of this part among `count` things. All parts together have each index once, and
    /// differ by at most one in length.
    pub fn range(self, count: usize) -> Range<usize> {
        // Wider than `usize`, so that nothing overflows.
        let bound = |number: usize| (count as u128 * number as u128 / self.parts as u128) as usize;
        bound(self.number - 1)..bound(self.number)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers = || {
            let (number, parts) = text.split_once('/')?;
            Some((number.parse::<usize>().ok()?, parts.parse::<usize>().ok()?))
        };
        let (number, parts) =
            numbers().ok_or("a part and the number of parts are wanted, as 3/10")?;
        if number == 0 || number > parts {
            return Err("parts are numbered from 1 to the number of parts".to_owned());
        }
        Ok(Part { number, parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole() {
        for (count, parts) in [(10, 3), (3, 3), (2, 5), (0, 2), (usize::MAX, 7)] {
            let mut end = 0;
            for number in 1..=parts {
                let range = Part { number, parts }.range(count);
                assert_eq!(range.start, end);
                assert!(range.len().abs_diff(count / parts) <= 1, "{count}, {number}/{parts}");
                end = range.end;
            }
            assert_eq!(end, count);
        }
    }

    #[test]
    fn others_are_refused() {
        assert_eq!("3/10".parse(), Ok(Part { number: 3, parts: 10 }));
        for text in ["0/3", "4/3", "1/0", "1", "/", "a/3", "-1/3", "1/99999999999999999999"] {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
    }
}

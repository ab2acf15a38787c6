//! Bitbases and the limit on consecutive moves of a king (Frisian draughts).
//!
//! Bitbases are made without the limit. It can only ever bind a side that has a man and another
//! piece. It forbids moves and allows none, so that side does no better with it: what it loses
//! without the limit it loses with it too, and no later.

use super::slice::Slice;
use super::value::Value;

/// How bitbases tell values that the limit may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KingRuns {
    /// They are unknown.
    Heeded,
    /// As they are without the limit.
    Ignored,
}

/// Whether the value of a position of a slice is the same with the limit.
pub(super) fn is_sure(slice: Slice, value: Value) -> bool {
    let Slice { men, kings } = slice;
    let may_bind = [0, 1].map(|side| men[side] > 0 && men[side] + kings[side] > 1);
    match may_bind {
        [false, false] => true,
        [true, false] => value == Value::Loss,
        [false, true] => value == Value::Win,
        [true, true] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_limited_side_may_do_worse() {
        let sure = |slice: &str| {
            let slice = slice.parse().unwrap();
            [Value::Loss, Value::Draw, Value::Win].map(|value| is_sure(slice, value))
        };
        for free in ["1100", "0011", "1001", "0022", "0130"] {
            assert_eq!(sure(free), [true; 3], "{free}");
        }
        assert_eq!(sure("1011"), [true, false, false]);
        assert_eq!(sure("2002"), [true, false, false]);
        assert_eq!(sure("0211"), [false, false, true]);
        assert_eq!(sure("1111"), [false; 3]);
    }
}

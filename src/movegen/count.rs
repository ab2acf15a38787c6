//! Counting moves without listing them.

use crate::board::MoveList;
use crate::position::Position;
use crate::rules::Rules;

use super::{captures, is_decided, quiets};

/// How many legal moves the side to move has.
#[inline]
pub fn count<R: Rules>(position: &Position<R>) -> u64 {
    if is_decided(position) {
        return 0;
    }
    if !super::has_capture(position) {
        return quiets::count_quiets(position);
    }
    let mut list = MoveList::new();
    captures::captures(position, &mut list);
    list.len() as u64
}

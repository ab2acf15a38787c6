//! Counting moves without listing them.

use crate::board::Side;
use crate::position::BitPosition;
use crate::rules::Rules;

use super::attack::Attack;
use super::turn::{Black, Turn, White};
use super::{captures, is_decided, quiets, short};

/// The number of legal moves of the side to move.
#[inline]
pub fn count<R: Rules>(position: &BitPosition<R>) -> u64 {
    match position.side() {
        Side::White => count_turn::<R, White>(position),
        Side::Black => count_turn::<R, Black>(position),
    }
}

/// The number of legal moves of `T`.
#[inline(always)]
pub(super) fn count_turn<R: Rules, T: Turn>(position: &BitPosition<R>) -> u64 {
    if is_decided(position) {
        return 0;
    }
    let attack = Attack::<R, T>::new(position);
    if attack.kings.is_some() && attack.kings_can_capture() {
        return captures::count_any(attack);
    }
    let origins = attack.men_origins();
    if (attack.men & origins.all()).is_empty() {
        return quiets::count_quiets::<R, T>(position);
    }
    if short::applies::<R>() {
        let mut singles = short::Count::default();
        if !short::follow_one(attack, origins, &mut singles) {
            return singles.legal();
        }
        // A separate tally, so that the first one need not be stored in memory.
        let mut longer = short::Count::default();
        if short::follow_two(attack, &mut longer) {
            return longer.legal();
        }
    }
    captures::count_any(attack)
}

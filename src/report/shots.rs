//! Shots: combinations in which men are offered, and more is captured back, whatever the opponent
//! replies.
//!
//! A shot begins with a quiet move that the opponent must answer by capturing. From then on every
//! move of the opponent is a capture or the only one there is, and in the end, when nothing can be
//! captured any more, the side that offered has won material.

use crate::board::{Move, Side};
use crate::erased::Position;
use crate::rules::Variant;

/// What a king counts, in men, and what it counts that the opponent has no move left.
const KING: i32 = 3;
pub(super) const ALL: i32 = 100;
/// The greatest number of plies of a shot.
const LONGEST: usize = 15;
/// The most positions that are looked at for one shot.
const MAX_POSITIONS: usize = 20_000;

/// A shot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shot {
    /// The moves, against the reply that gives the least.
    pub line: Vec<Move>,
    /// What it wins, in men.
    pub gain: i32,
}

/// The shot of the side to move, if there is one and no other move is one too.
pub fn find(position: &Position) -> Option<Shot> {
    // In losing draughts, every gift is welcome.
    if position.has_capture() || position.variant() == Variant::Losing {
        return None;
    }
    let mut finder = Finder {
        side: position.side(),
        before: balance(position, position.side()),
        left: MAX_POSITIONS,
    };
    let offers = position.sorted_moves().into_iter().filter_map(|mv| {
        let next = position.after(mv);
        let shot = if next.has_capture() { finder.replies(&next, 1) } else { None };
        shot.map(|shot| shot.after(mv))
    });
    let mut shots: Vec<_> = offers.collect();
    let shot = shots.pop()?;
    (shots.is_empty() && finder.left > 0).then_some(shot)
}

/// The material of a side less that of its opponent, in men.
fn balance(position: &Position, side: Side) -> i32 {
    let worth = |side| position.men(side).len() as i32 + KING * position.kings(side).len() as i32;
    worth(side) - worth(side.opponent())
}

impl Shot {
    fn after(mut self, mv: Move) -> Shot {
        self.line.insert(0, mv);
        self
    }
}

struct Finder {
    /// The side that offers.
    side: Side,
    /// Its balance before the shot.
    before: i32,
    /// The positions that may still be looked at.
    left: usize,
}

impl Finder {
    /// The shot that has come this far, if every reply of the opponent, which is to move, is a
    /// capture or the only one, and none stops it.
    fn replies(&mut self, position: &Position, ply: usize) -> Option<Shot> {
        let moves = self.enter(position, ply)?;
        if moves.is_empty() {
            return Some(Shot { line: Vec::new(), gain: ALL });
        }
        if !position.has_capture() && moves.len() > 1 {
            return self.end(position);
        }
        let mut least: Option<Shot> = None;
        for mv in moves {
            let shot = self.attack(&position.after(mv), ply + 1)?.after(mv);
            if least.as_ref().is_none_or(|least| shot.gain < least.gain) {
                least = Some(shot);
            }
        }
        least
    }

    /// The best way to go on with a shot, for the side that offers.
    fn attack(&mut self, position: &Position, ply: usize) -> Option<Shot> {
        let moves = self.enter(position, ply)?;
        let has_capture = position.has_capture();
        let mut best = match has_capture || moves.is_empty() {
            true => None,
            false => self.end(position),
        };
        for mv in moves {
            let next = position.after(mv);
            // A quiet move goes on only as another offer.
            let goes_on = has_capture || next.has_capture();
            let shot = if goes_on { self.replies(&next, ply + 1) } else { None };
            if let Some(shot) = shot.map(|shot| shot.after(mv))
                && best.as_ref().is_none_or(|best| shot.gain > best.gain)
            {
                best = Some(shot);
            }
        }
        best
    }

    /// The moves of a position that is looked at; `None` if it is too far away.
    fn enter(&mut self, position: &Position, ply: usize) -> Option<Vec<Move>> {
        self.left = self.left.saturating_sub(1);
        (self.left > 0 && ply <= LONGEST).then(|| position.legal_moves())
    }

    /// The end of a shot that has won something, where neither side can capture.
    fn end(&self, position: &Position) -> Option<Shot> {
        let gain = balance(position, self.side) - self.before;
        let is_quiet = !position.is_threatened();
        (gain > 0 && is_quiet).then_some(Shot { line: Vec::new(), gain })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, pdn};
    use crate::rules::Variant;

    fn shot(text: &str) -> Option<(String, i32)> {
        let position = fen::parse(Variant::International, text).unwrap();
        find(&position).map(|shot| (pdn::format_line(&position, &shot.line), shot.gain))
    }

    #[test]
    fn a_man_for_two() {
        // Black captures with either man, and White captures both.
        let (line, gain) = shot("W:W27,32,37,38,48:B5,6,17,18").unwrap();
        assert!(line.starts_with("27-22 ") && line.ends_with(" 32x12"), "{line}");
        assert_eq!(gain, 1);
        // With a man on 7 Black captures back.
        assert_eq!(shot("W:W27,32,37,38,48:B1,5,7,17,18"), None);
    }

    #[test]
    fn a_last_man_that_is_captured_wins() {
        assert_eq!(shot("W:W27,32,37,38:B17,18").map(|(_, gain)| gain), Some(ALL));
        let position = fen::parse(Variant::Losing, "W:W27,32,37,38:B17,18").unwrap();
        assert_eq!(find(&position), None);
    }

    #[test]
    fn nothing_is_offered_at_the_start() {
        assert_eq!(shot("W:W31-50:B1-20"), None);
        assert_eq!(shot("W:W28:B23"), None, "a capture is no shot");
    }
}

//! Shots: combinations that sacrifice men and capture more in return, whatever the opponent
//! replies.
//!
//! A shot starts with a quiet move that the opponent must answer by capturing. After that, every
//! move by the opponent is a capture or the only legal move. At the end, neither side can capture,
//! and the side that sacrificed has won material.

use crate::board::{Move, Side};
use crate::erased::Position;
use crate::rules::Variant;

/// The value of a king in men.
const KING: i32 = 3;
/// The gain of a shot that leaves the opponent without a move.
pub const WINS_GAME: i32 = 100;
/// Maximum length of a shot, in plies.
const MAX_PLIES: usize = 15;
/// Maximum number of positions searched for one shot.
const MAX_POSITIONS: usize = 20_000;

/// A shot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shot {
    /// The moves, with the replies that lose the least material.
    pub line: Vec<Move>,
    /// The material won, in men.
    pub gain: i32,
}

/// Finds the shot for the side to move; `None` if there is none or more than one.
pub fn find(position: &Position) -> Option<Shot> {
    // In losing draughts, giving pieces away is not a sacrifice.
    if position.has_capture() || position.variant() == Variant::Losing {
        return None;
    }
    let mut search = ShotSearch {
        side: position.side(),
        before: balance(position, position.side()),
        left: MAX_POSITIONS,
    };
    let offers = position.sorted_moves().into_iter().filter_map(|mv| {
        let next = position.after(mv);
        let shot = if next.has_capture() { search.replies(&next, 1) } else { None };
        shot.map(|shot| shot.after(mv))
    });
    let mut shots: Vec<_> = offers.collect();
    let shot = shots.pop()?;
    (shots.is_empty() && search.left > 0).then_some(shot)
}

/// The material of a side minus that of its opponent, in men.
fn balance(position: &Position, side: Side) -> i32 {
    let worth = |side| position.men(side).len() as i32 + KING * position.kings(side).len() as i32;
    worth(side) - worth(side.opponent())
}

impl Shot {
    /// Whether the shot is a combination: the next move does not win back all the men given up, as
    /// it would in an exchange.
    pub fn is_combination(&self, position: &Position) -> bool {
        /// The sacrifice, the opponent's capture, and the next move.
        const PLIES: usize = 3;
        let first = self.line.iter().take(PLIES);
        let after = first.fold(*position, |position, &mv| position.after(mv));
        balance(&after, position.side()) < balance(position, position.side())
    }

    /// Adds a move before the shot.
    fn after(mut self, mv: Move) -> Shot {
        self.line.insert(0, mv);
        self
    }
}

/// A search for shots.
struct ShotSearch {
    /// The side that sacrifices.
    side: Side,
    /// This side's material balance before the shot.
    before: i32,
    /// The number of positions that may still be searched.
    left: usize,
}

impl ShotSearch {
    /// The rest of the shot, with the opponent to move; `None` if a reply refutes the shot.
    fn replies(&mut self, position: &Position, ply: usize) -> Option<Shot> {
        let moves = self.visit(position, ply)?;
        if moves.is_empty() {
            return Some(Shot { line: Vec::new(), gain: WINS_GAME });
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

    /// The best continuation of the shot, with the sacrificing side to move.
    fn attack(&mut self, position: &Position, ply: usize) -> Option<Shot> {
        let moves = self.visit(position, ply)?;
        let has_capture = position.has_capture();
        let mut best = match has_capture || moves.is_empty() {
            true => None,
            false => self.end(position),
        };
        for mv in moves {
            let next = position.after(mv);
            // A quiet move continues the shot only if it is another sacrifice.
            let continues = has_capture || next.has_capture();
            let shot = if continues { self.replies(&next, ply + 1) } else { None };
            if let Some(shot) = shot.map(|shot| shot.after(mv))
                && best.as_ref().is_none_or(|best| shot.gain > best.gain)
            {
                best = Some(shot);
            }
        }
        best
    }

    /// The moves of a position; `None` beyond the limits of the search.
    fn visit(&mut self, position: &Position, ply: usize) -> Option<Vec<Move>> {
        self.left = self.left.saturating_sub(1);
        (self.left > 0 && ply <= MAX_PLIES).then(|| position.legal_moves())
    }

    /// Ends the shot; `None` unless material has been won and the opponent is not threatening a
    /// capture.
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
    fn finds_a_two_for_one_shot() {
        // Black must capture with either man, and White then captures both.
        let (line, gain) = shot("W:W27,32,37,38,48:B5,6,17,18").unwrap();
        assert!(line.starts_with("27-22 ") && line.ends_with(" 32x12"), "{line}");
        assert_eq!(gain, 1);
        // With a man on 7, Black recaptures.
        assert_eq!(shot("W:W27,32,37,38,48:B1,5,7,17,18"), None);
    }

    #[test]
    fn an_exchange_is_no_combination() {
        let is_combination = |text: &str| {
            let position = fen::parse(Variant::International, text).unwrap();
            find(&position).map(|shot| shot.is_combination(&position))
        };
        assert_eq!(is_combination("W:W27,32,37,38,48:B5,6,17,18"), Some(false));
    }

    #[test]
    fn capturing_the_last_man_wins() {
        assert_eq!(shot("W:W27,32,37,38:B17,18").map(|(_, gain)| gain), Some(WINS_GAME));
        let position = fen::parse(Variant::Losing, "W:W27,32,37,38:B17,18").unwrap();
        assert_eq!(find(&position), None);
    }

    #[test]
    fn no_shot_at_the_start() {
        assert_eq!(shot("W:W31-50:B1-20"), None);
        assert_eq!(shot("W:W28:B23"), None, "a capture is no shot");
    }
}

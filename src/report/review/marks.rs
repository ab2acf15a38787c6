//! What people say to a move: marks, and accuracy.

/// What people would say to a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The only good move, neither a capture nor the only legal one: `!`.
    Only,
    /// It loses at least 0.05 points: `?!`.
    Inaccuracy,
    /// It loses at least 0.10 points: `?`.
    Mistake,
    /// It loses at least 0.20 points: `??`.
    Blunder,
}

/// The points that the second-best move must lose to make the best one the only good one.
pub(super) const ONLY: f64 = 0.15;

impl Mark {
    /// The mark of a move that loses points; `None` if it is good enough.
    pub(super) fn of_loss(loss: f64) -> Option<Mark> {
        match loss {
            0.20.. => Some(Mark::Blunder),
            0.10.. => Some(Mark::Mistake),
            0.05.. => Some(Mark::Inaccuracy),
            _ => None,
        }
    }

    /// The mark as PDN has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Mark::Only => "!",
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

/// The accuracy of a move that loses points, in percent. The formula is that of lichess.org, which
/// players know (<https://lichess.org/page/accuracy>), with expected points for its win percentage.
pub(super) fn accuracy(loss: f64) -> f64 {
    match loss > 0.0 {
        // At 0 it is a little less than 100.
        true => (103.1668 * (-4.354 * loss).exp() - 3.1669).clamp(0.0, 100.0),
        false => 100.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greater_losses_have_worse_marks() {
        let marks = [0.0, 0.049, 0.05, 0.1, 0.2, 1.0].map(Mark::of_loss);
        let texts = marks.map(|mark| mark.map_or("", Mark::as_str));
        assert_eq!(texts, ["", "", "?!", "?", "??", "??"]);
    }

    #[test]
    fn accuracy_falls_with_losses() {
        assert!(accuracy(0.0) > 99.9);
        assert!((60.0..70.0).contains(&accuracy(0.1)));
        assert_eq!(accuracy(1.0), 0.0);
    }
}

//! The slices that a slice leads to.

use super::slice::Slice;

impl Slice {
    /// The slices of the positions after a move that leaves this one and its mirror, with the
    /// opponent to move: after a promotion, and after captures of some pieces but not all, by a man
    /// that is crowned or by a piece that stays what it is. Whether the rules allow all of these is
    /// not asked.
    pub fn successors(self) -> Vec<Slice> {
        self.captured().into_iter().chain(self.promoted()).map(Slice::mirror).collect()
    }

    /// The slices that captures in this slice lead to, with the opponent to move.
    pub fn after_captures(self) -> Vec<Slice> {
        self.captured().into_iter().map(Slice::mirror).collect()
    }

    /// The slice with fewer pieces of the opponent, but at least one, each also with a man crowned.
    fn captured(self) -> Vec<Slice> {
        let ([men, their_men], [kings, their_kings]) = (self.men, self.kings);
        let left = (0..=their_men).flat_map(|men| (0..=their_kings).map(move |kings| (men, kings)));
        let left = left.filter(|&left| left != (0, 0) && left != (their_men, their_kings));
        let slice =
            |(their_men, their_kings)| Slice { men: [men, their_men], kings: [kings, their_kings] };
        left.map(slice).flat_map(|slice| [Some(slice), slice.promoted()]).flatten().collect()
    }

    /// The slice with a man of the side to move crowned, if it has one.
    fn promoted(self) -> Option<Slice> {
        let men = self.men[0].checked_sub(1)?;
        Some(Slice { men: [men, self.men[1]], kings: [self.kings[0] + 1, self.kings[1]] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(slices: Vec<Slice>) -> Vec<String> {
        slices.iter().map(Slice::to_string).collect()
    }

    #[test]
    fn captures_and_promotions_lead_to_other_slices() {
        // A man against a man and a king: one of them is captured, the man crowned or not.
        let slice: Slice = "1101".parse().unwrap();
        assert_eq!(names(slice.after_captures()), ["0110", "0011", "1100", "1001"]);
        assert_eq!(names(slice.successors()), ["0110", "0011", "1100", "1001", "1011"]);
        assert!("0011".parse::<Slice>().unwrap().successors().is_empty());
    }
}

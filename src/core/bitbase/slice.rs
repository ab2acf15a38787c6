//! Slices: endings by their material.

use std::fmt;
use std::str::FromStr;

use super::subset::MAX_PIECES;
use crate::board::Geometry;
use crate::position::Pieces;

/// The number of possible counts for a set of pieces: 0 to 7.
const COUNTS: usize = MAX_PIECES + 1;

/// All positions with the same material, from the point of view of the side to move. Index 0 is the
/// side to move, 1 the opponent.
///
/// The name of a slice has four digits: men of the side to move, men of the opponent, kings of the
/// side to move, kings of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slice {
    /// The number of men of each side.
    pub men: [u8; 2],
    /// The number of kings of each side.
    pub kings: [u8; 2],
}

impl Slice {
    /// The upper bound of all codes, exclusive.
    pub const CODES: usize = COUNTS.pow(4);

    /// A small number unique to the slice.
    #[inline(always)]
    pub fn code(self) -> usize {
        let counts = self.men.into_iter().chain(self.kings);
        counts.fold(0, |code, count| code * COUNTS + usize::from(count) % COUNTS)
    }

    /// The slice of a position.
    #[inline(always)]
    pub fn of<G: Geometry>(pieces: &Pieces<G>) -> Self {
        Slice {
            men: pieces.men.map(|men| men.len() as u8),
            kings: pieces.kings.map(|kings| kings.len() as u8),
        }
    }

    /// The number of pieces on the board.
    pub fn pieces(self) -> usize {
        self.men.iter().chain(&self.kings).map(|&count| usize::from(count)).sum()
    }

    /// The same ending with the other side to move.
    pub fn mirror(self) -> Self {
        let [us, them] = self.men;
        let [our_kings, their_kings] = self.kings;
        Slice { men: [them, us], kings: [their_kings, our_kings] }
    }

    /// The slice and its mirror, or only one if they are the same.
    #[inline(never)]
    pub fn with_mirror(self) -> Vec<Slice> {
        let mut slices = vec![self, self.mirror()];
        slices.dedup();
        slices
    }

    /// Every slice with the given number of pieces, at least one per side. The slices with the
    /// fewest men come first, so that a slice comes after all slices that its quiet moves lead to,
    /// except its mirror.
    #[inline(never)]
    pub fn all(pieces: usize) -> Vec<Slice> {
        let most = pieces as u8;
        let mut slices = Vec::new();
        for us in 0..=most {
            for them in 0..=most - us {
                for our_kings in 0..=most - us - them {
                    let their_kings = most - us - them - our_kings;
                    slices.push(Slice { men: [us, them], kings: [our_kings, their_kings] });
                }
            }
        }
        slices.retain(|slice| slice.has_both_sides());
        slices.sort_by_key(|slice| slice.men_of_both());
        slices
    }

    /// The number of men on the board.
    pub fn men_of_both(self) -> u8 {
        self.men[0] + self.men[1]
    }

    /// The slices that moves in this slice lead to, except its mirror, with the opponent to move.
    /// The moves are promotions, and captures of some but not all of the opponent's pieces, with or
    /// without promotion of the capturing man. May include slices that are impossible under the
    /// rules of a variant.
    pub fn successors(self) -> Vec<Slice> {
        self.with_fewer_opponents().into_iter().chain(self.promoted()).map(Slice::mirror).collect()
    }

    /// The slices that captures in this slice lead to, with the opponent to move.
    pub fn after_captures(self) -> Vec<Slice> {
        self.with_fewer_opponents().into_iter().map(Slice::mirror).collect()
    }

    /// The slices in which the opponent has fewer pieces, but at least one: each without and with a
    /// promotion of one of our men.
    #[inline(never)]
    fn with_fewer_opponents(self) -> Vec<Slice> {
        let ([men, their_men], [kings, their_kings]) = (self.men, self.kings);
        let remaining =
            (0..=their_men).flat_map(|men| (0..=their_kings).map(move |kings| (men, kings)));
        let remaining =
            remaining.filter(|&left| left != (0, 0) && left != (their_men, their_kings));
        let slice =
            |(their_men, their_kings)| Slice { men: [men, their_men], kings: [kings, their_kings] };
        remaining.map(slice).flat_map(|slice| [Some(slice), slice.promoted()]).flatten().collect()
    }

    /// The slice with a man of the side to move promoted, if it has one.
    fn promoted(self) -> Option<Slice> {
        let men = self.men[0].checked_sub(1)?;
        Some(Slice { men: [men, self.men[1]], kings: [self.kings[0] + 1, self.kings[1]] })
    }

    /// Whether both sides have a piece.
    pub(super) fn has_both_sides(self) -> bool {
        (0..2).all(|side| self.men[side] + self.kings[side] > 0)
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [[us, them], [our_kings, their_kings]] = [self.men, self.kings];
        write!(f, "{us}{them}{our_kings}{their_kings}")
    }
}

/// The error for a string that is not the name of a slice.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "not a slice: {0:?}; expected four digits (men of the side to move, men of the opponent, kings of the side to \
     move, kings of the opponent), with a piece for each side and at most {MAX_PIECES} in all"
)]
pub struct UnknownSlice(pub String);

impl FromStr for Slice {
    type Err = UnknownSlice;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let digit = |byte: u8| byte.is_ascii_digit().then(|| byte - b'0');
        let slice = match name.as_bytes() {
            &[us, them, our_kings, their_kings] => [us, them, our_kings, their_kings]
                .map(digit)
                .into_iter()
                .collect::<Option<Vec<_>>>()
                .map(|d| Slice { men: [d[0], d[1]], kings: [d[2], d[3]] }),
            _ => None,
        };
        slice
            .filter(|slice| slice.has_both_sides() && slice.pieces() <= MAX_PIECES)
            .ok_or_else(|| UnknownSlice(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_slices_by_pieces() {
        assert_eq!([2, 3, 4, 5, 6].map(|pieces| Slice::all(pieces).len()), [4, 12, 25, 44, 70]);
    }

    #[test]
    fn names_round_trip() {
        for slice in (2..=7).flat_map(Slice::all) {
            assert_eq!(slice.to_string().parse(), Ok(slice));
            assert_eq!(slice.mirror().mirror(), slice);
        }
        for name in ["", "1", "0000", "1010", "9999", "111", "11111", "11a1", "é11"] {
            assert_eq!(name.parse::<Slice>(), Err(UnknownSlice(name.to_owned())));
        }
    }

    fn names(slices: Vec<Slice>) -> Vec<String> {
        slices.iter().map(Slice::to_string).collect()
    }

    #[test]
    fn captures_and_promotions_lead_to_other_slices() {
        // One man against a man and a king: either may be captured, with or without promotion of
        // our man.
        let slice: Slice = "1101".parse().unwrap();
        assert_eq!(names(slice.after_captures()), ["0110", "0011", "1100", "1001"]);
        assert_eq!(names(slice.successors()), ["0110", "0011", "1100", "1001", "1011"]);
        assert!("0011".parse::<Slice>().unwrap().successors().is_empty());
    }
}

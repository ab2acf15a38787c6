//! Captures by men of up to three pieces, followed for all men at once.
//!
//! Up to three pieces a route is settled by its start and its directions: it cannot meet a piece
//! twice nor its own start, and no two routes make the same move. So a set of men can jump
//! together, and lands on as many squares as there are men that can jump. These are nearly all
//! captures; only where a fourth piece can be captured is every route followed by itself.

use crate::board::{Bitboard, Direction, Geometry, Move, MoveList};
use crate::rules::{Precedence, Rules};

use super::attack::{Attack, Origins};
use super::turn::Turn;

/// Whether the rules allow to follow men in sets: only the number of pieces decides, and a man stays
/// a man on its way.
pub(super) const fn applies<R: Rules>() -> bool {
    matches!(R::PRECEDENCE, Precedence::Pieces)
        && !R::ORTHOGONAL_CAPTURES
        && !R::PROMOTION_IN_PASSING
}

/// What is done with the captures found: a set of men that capture along a path, and where they
/// land.
pub(super) trait Tally<G: Geometry> {
    /// Takes the captures of one path. Paths of one length come before or after those of another;
    /// only the longest are legal.
    fn add(&mut self, path: &[Direction], landings: Bitboard<G>);
}

/// Follows the captures of one piece by men, which start from `origins`. Returns whether some go
/// on: then these are not legal, and [`follow_two`] follows the longer ones.
#[inline(always)]
pub(super) fn follow_one<R: Rules, T: Turn>(
    attack: Attack<R, T>,
    origins: Origins<R::Geometry>,
    tally: &mut impl Tally<R::Geometry>,
) -> bool {
    let mut goes_on = Bitboard::EMPTY;
    for &first in Attack::<R, T>::MEN_DIRECTIONS {
        let landings = origins.jump(attack.men, first);
        tally.add(&[first], landings);
        goes_on |= landings & origins.after(first);
    }
    goes_on.is_some()
}

/// Follows the captures of two pieces and more. Returns `false` if there are captures of more than
/// three, which it does not follow.
#[inline(never)]
pub(super) fn follow_two<R: Rules, T: Turn>(
    attack: Attack<R, T>,
    tally: &mut impl Tally<R::Geometry>,
) -> bool {
    let origins = attack.men_origins();
    let mut is_whole = true;
    for &first in Attack::<R, T>::MEN_DIRECTIONS {
        let landings = origins.jump(attack.men, first);
        for &second in Attack::<R, T>::MEN_DIRECTIONS {
            if second != first.opposite() {
                let landings = origins.jump(landings, second);
                tally.add(&[first, second], landings);
                if (landings & origins.after(second)).is_some() {
                    is_whole &= follow_three(attack, landings, [first, second], tally);
                }
            }
        }
    }
    is_whole
}

/// Follows the captures of three pieces by men that have captured two along a path. Returns
/// `false` if some go on.
#[inline(never)]
fn follow_three<R: Rules, T: Turn>(
    attack: Attack<R, T>,
    men: Bitboard<R::Geometry>,
    [first, second]: [Direction; 2],
    tally: &mut impl Tally<R::Geometry>,
) -> bool {
    let origins = attack.men_origins();
    // From the fourth piece on a man may land on the square where it started.
    let starts = attack.men & origins.all();
    let further = Attack { empty: attack.empty | starts, ..attack }.men_origins();
    let mut goes_on = Bitboard::EMPTY;
    for &third in Attack::<R, T>::MEN_DIRECTIONS {
        if third != second.opposite() {
            let landings = origins.jump(men, third);
            tally.add(&[first, second, third], landings);
            goes_on |= landings & further.after(third);
        }
    }
    goes_on.is_empty()
}

/// Counts the longest captures.
#[derive(Default)]
pub(super) struct Count {
    /// How many there are of one, two and three pieces.
    by_length: [u32; 3],
}

impl Count {
    /// How many captures are legal.
    #[inline(always)]
    pub fn legal(&self) -> u64 {
        let [one, two, three] = self.by_length;
        u64::from(match (three, two) {
            (0, 0) => one,
            (0, _) => two,
            _ => three,
        })
    }
}

impl<G: Geometry> Tally<G> for Count {
    #[inline(always)]
    fn add(&mut self, path: &[Direction], landings: Bitboard<G>) {
        self.by_length[path.len() - 1] += landings.len() as u32;
    }
}

/// Lists the longest captures.
pub(super) struct Listing<'a, G: Geometry> {
    /// The list, empty at first.
    pub list: &'a mut MoveList<G>,
    /// The length of the captures in the list.
    pub length: usize,
}

impl<G: Geometry> Tally<G> for Listing<'_, G> {
    #[inline(always)]
    fn add(&mut self, path: &[Direction], landings: Bitboard<G>) {
        if landings.is_some() && path.len() >= self.length {
            self.push(path, landings);
        }
    }
}

impl<G: Geometry> Listing<'_, G> {
    #[inline(never)]
    fn push(&mut self, path: &[Direction], landings: Bitboard<G>) {
        if path.len() > self.length {
            self.length = path.len();
            self.list.clear();
        }
        for to in landings.squares() {
            let mut from = to;
            let mut captured = Bitboard::EMPTY;
            for direction in path.iter().rev() {
                let victim = G::next(from, direction.opposite());
                captured |= Bitboard::of(victim);
                from = G::next(victim, direction.opposite());
            }
            self.list.push(Move { from, to, captured });
        }
    }
}

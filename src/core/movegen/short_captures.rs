//! Captures of up to three pieces by men, generated for all men at once.
//!
//! A route that captures up to three pieces is determined by its origin and its directions: it
//! cannot meet a piece twice or reach its own starting square, and no two routes are the same move.
//! It does not matter whether captured pieces are removed at once, as no jump ends on their
//! squares. Therefore a set of men can jump together, and the number of landing squares is the
//! number of men that can jump. Nearly all captures are this short; only if a fourth piece can be
//! captured are the routes followed one by one.

use crate::board::{BitMove, Bitboard, Direction, Geometry, MoveList};
use crate::rules::{Directions, Precedence, Rules};

use super::attack::{Attack, Origins, Turn};

/// Whether the rules of a variant allow this method: precedence depends only on the number of
/// pieces; men capture either along diagonals or along rows and columns, but not both; and they are
/// not promoted during a capture.
#[inline(always)]
pub(super) fn applies<R: Rules>(rules: R) -> bool {
    rules.precedence() == Precedence::Pieces
        && R::DIRECTIONS != Directions::AllForCaptures
        && !rules.promotes_in_passing()
}

/// A consumer of captures: receives the landing squares of a set of men that capture along a path.
pub(super) trait CaptureTally<G: Geometry> {
    /// Adds the captures along one path. Paths of different lengths come in any order; only the
    /// longest are legal.
    fn add(&mut self, path: &[Direction], landings: Bitboard<G>);
}

/// Follows captures of one piece by men on `origins`. Returns whether any capture can continue; if
/// so, these captures are not legal and [`follow_two`] follows the longer ones.
#[inline(always)]
pub(super) fn follow_one<R: Rules, T: Turn>(
    attack: Attack<R, T>,
    origins: Origins<R::Geometry>,
    tally: &mut impl CaptureTally<R::Geometry>,
) -> bool {
    let mut can_continue = Bitboard::EMPTY;
    for &first in Attack::<R, T>::MEN_DIRECTIONS {
        let landings = origins.jump(attack.men, first);
        tally.add(&[first], landings);
        can_continue |= landings & origins.after(first);
    }
    can_continue.is_some()
}

/// Follows captures of two and three pieces. Returns `false` if there are longer captures, which it
/// does not follow.
#[inline(never)]
pub(super) fn follow_two<R: Rules, T: Turn>(
    attack: Attack<R, T>,
    tally: &mut impl CaptureTally<R::Geometry>,
) -> bool {
    let origins = attack.men_origins();
    let mut is_complete = true;
    for &first in Attack::<R, T>::MEN_DIRECTIONS {
        let landings = origins.jump(attack.men, first);
        for &second in Attack::<R, T>::MEN_DIRECTIONS {
            if second != first.opposite() {
                let landings = origins.jump(landings, second);
                tally.add(&[first, second], landings);
                if (landings & origins.after(second)).is_some() {
                    is_complete &= follow_three(attack, landings, [first, second], tally);
                }
            }
        }
    }
    is_complete
}

/// Follows captures of a third piece by men that have captured two pieces along a path. Returns
/// `false` if any of these captures can continue.
#[inline(never)]
fn follow_three<R: Rules, T: Turn>(
    attack: Attack<R, T>,
    men: Bitboard<R::Geometry>,
    [first, second]: [Direction; 2],
    tally: &mut impl CaptureTally<R::Geometry>,
) -> bool {
    let origins = attack.men_origins();
    // From the fourth piece on, a man may land on its starting square.
    let starts = attack.men & origins.all();
    let further = Attack { empty: attack.empty | starts, ..attack }.men_origins();
    let mut can_continue = Bitboard::EMPTY;
    for &third in Attack::<R, T>::MEN_DIRECTIONS {
        if third != second.opposite() {
            let landings = origins.jump(men, third);
            tally.add(&[first, second, third], landings);
            can_continue |= landings & further.after(third);
        }
    }
    can_continue.is_empty()
}

/// Counts the longest captures.
#[derive(Default)]
pub(super) struct Count {
    /// The number of captures of one, two and three pieces.
    by_length: [u32; 3],
}

impl Count {
    /// The number of legal captures.
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

impl<G: Geometry> CaptureTally<G> for Count {
    #[inline(always)]
    fn add(&mut self, path: &[Direction], landings: Bitboard<G>) {
        self.by_length[path.len() - 1] += landings.len() as u32;
    }
}

/// Lists the longest captures.
pub(super) struct Listing<'a, G: Geometry> {
    /// The list, initially empty.
    pub list: &'a mut MoveList<G>,
    /// The length of the captures in the list, in pieces.
    pub length: usize,
}

impl<G: Geometry> CaptureTally<G> for Listing<'_, G> {
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
            self.list.push(BitMove { from, to, captured });
        }
    }
}

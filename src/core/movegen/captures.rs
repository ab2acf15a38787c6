//! Capture generation: every route of every piece, filtered by the rule of precedence.
//!
//! Captured pieces stay on the board until the capture is complete: they cannot be jumped twice,
//! and they block the way. Some rules remove captured pieces at once, which makes a difference only
//! for flying kings: a short jump never ends on the square of a captured piece. The starting square
//! counts as empty. A capture must continue as long as it can, so only complete routes are moves.

use smallvec::SmallVec;

use crate::board::{BitMove, Bitboard, Direction, Geometry, MoveList, Side, Square};
use crate::position::{BitPosition, promotion_row};
use crate::rules::{Directions, Precedence, Rules};

use super::attack::{Attack, Black, Origins, Turn, White};
use super::{is_decided, short_captures};

/// Adds the legal captures of the side to move, if any, to an empty list.
#[inline]
pub fn captures<R: Rules>(position: &BitPosition<R>, list: &mut MoveList<R::Geometry>) {
    debug_assert!(list.is_empty());
    if is_decided(position) {
        return;
    }
    match position.side() {
        Side::White => self::list(Attack::<R, White>::new(position), list),
        Side::Black => self::list(Attack::<R, Black>::new(position), list),
    }
}

/// Whether the side to move can capture.
#[inline]
pub fn has_capture<R: Rules>(position: &BitPosition<R>) -> bool {
    !is_decided(position)
        && match position.side() {
            Side::White => Attack::<R, White>::new(position).can_capture(),
            Side::Black => Attack::<R, Black>::new(position).can_capture(),
        }
}

/// Whether the opponent could capture if it were the opponent's turn.
#[inline]
pub fn is_threatened<R: Rules>(position: &BitPosition<R>) -> bool {
    match position.side() {
        Side::White => Attack::<R, Black>::new(position).can_capture(),
        Side::Black => Attack::<R, White>::new(position).can_capture(),
    }
}

/// Adds the captures to an empty list; the game must not be decided.
#[inline(always)]
pub(super) fn list<R: Rules, T: Turn>(attack: Attack<R, T>, list: &mut MoveList<R::Geometry>) {
    let origins = attack.men_origins();
    let kings = attack.capturing_kings();
    if kings.is_some() {
        list_all(attack, kings, list);
    } else if (attack.men & origins.all()).is_some()
        && !(short_captures::applies(attack.rules) && list_short(attack, origins, list))
    {
        list.clear();
        list_all(attack, kings, list);
    }
}

/// Lists captures of up to three pieces by men; returns `false` if there are longer ones.
#[inline(always)]
fn list_short<R: Rules, T: Turn>(
    attack: Attack<R, T>,
    origins: Origins<R::Geometry>,
    list: &mut MoveList<R::Geometry>,
) -> bool {
    let mut listing = short_captures::Listing { list, length: 0 };
    !short_captures::follow_one(attack, origins, &mut listing)
        || short_captures::follow_two(attack, &mut listing)
}

/// Lists captures of any length by men and by `kings`.
#[inline(never)]
fn list_all<R: Rules, T: Turn>(
    attack: Attack<R, T>,
    kings: Bitboard<R::Geometry>,
    list: &mut MoveList<R::Geometry>,
) {
    let mut routes = Routes::new(attack);
    routes.follow(kings);
    for &CaptureGroup { from, captured, ends } in &routes.groups {
        list.extend(ends.squares().map(|to| BitMove { from, to, captured }));
    }
}

/// Counts captures of any length by men and by `kings`. Takes the position, because passing an
/// `Attack` in memory costs as much as following a capture.
#[inline(never)]
pub(super) fn count_all<R: Rules, T: Turn>(
    position: &BitPosition<R>,
    kings: Bitboard<R::Geometry>,
) -> u64 {
    let mut routes = Routes::new(Attack::<R, T>::new(position));
    routes.follow(kings);
    routes.groups.iter().map(|group| group.ends.len() as u64).sum()
}

/// The directions in which a flying king can continue after moving in the direction `last`, except
/// straight ahead.
#[inline(always)]
fn turn_directions<R: Rules>(last: Direction) -> &'static [Direction] {
    use Direction::*;
    const SQUARE: [[Direction; 2]; 8] = [
        [NorthEast, SouthWest],
        [NorthWest, SouthEast],
        [NorthWest, SouthEast],
        [NorthEast, SouthWest],
        [West, East],
        [North, South],
        [North, South],
        [West, East],
    ];
    const ALL: [[Direction; 6]; 8] = [
        [NorthEast, SouthWest, North, West, East, South],
        [NorthWest, SouthEast, North, West, East, South],
        [NorthWest, SouthEast, North, West, East, South],
        [NorthEast, SouthWest, North, West, East, South],
        [NorthWest, NorthEast, SouthWest, SouthEast, West, East],
        [NorthWest, NorthEast, SouthWest, SouthEast, North, South],
        [NorthWest, NorthEast, SouthWest, SouthEast, North, South],
        [NorthWest, NorthEast, SouthWest, SouthEast, West, East],
    ];
    match R::DIRECTIONS {
        Directions::AllForCaptures => &ALL[last.index()],
        Directions::Diagonal | Directions::Orthogonal => &SQUARE[last.index()],
    }
}

/// A generator of the captures of one side.
struct Routes<R: Rules, T: Turn> {
    attack: Attack<R, T>,
    /// The squares from which the flying king that is followed could capture if it had not captured
    /// anything yet; unused if the rules remove captured pieces at once.
    flying_origins: Origins<R::Geometry>,
    /// The moves of the highest rank so far.
    groups: SmallVec<[CaptureGroup<R::Geometry>; 16]>,
    /// The rank of the moves in `groups`.
    best: u32,
}

/// The moves of one piece with the same captured set.
#[derive(Clone, Copy)]
struct CaptureGroup<G: Geometry> {
    from: Square,
    captured: Bitboard<G>,
    /// The squares on which the piece may finish.
    ends: Bitboard<G>,
}

/// A capture in progress.
#[derive(Clone, Copy)]
struct Route<G: Geometry> {
    from: Square,
    /// Whether the piece was a king at the start.
    is_king: bool,
    captured: Bitboard<G>,
    /// The number of pieces captured so far; only for variants that rank captures by the order of
    /// pieces.
    length: u8,
    /// A bit per captured piece, set for a king, with the first piece in the highest bit; only for
    /// variants that rank captures by the order of pieces.
    order: u16,
}

impl<G: Geometry> Route<G> {
    #[inline(always)]
    fn start(from: Square, is_king: bool) -> Self {
        Route { from, is_king, captured: Bitboard::EMPTY, length: 0, order: 0 }
    }
}

impl<R: Rules, T: Turn> Routes<R, T> {
    #[inline(always)]
    fn new(attack: Attack<R, T>) -> Self {
        let flying_origins = Origins::NONE;
        Routes { attack, flying_origins, groups: SmallVec::new(), best: 0 }
    }

    /// Follows every route of every man and of `kings`.
    #[inline(always)]
    fn follow(&mut self, kings: Bitboard<R::Geometry>) {
        for from in (self.attack.men & self.attack.men_origins().all()).squares() {
            self.follow_man(from);
        }
        for from in kings.squares() {
            self.follow_king(from);
        }
    }

    fn follow_man(&mut self, from: Square) {
        let start = Bitboard::of(from);
        self.attack.empty |= start;
        self.continue_man(start, Route::start(from, false));
        self.attack.empty &= !start;
    }

    fn follow_king(&mut self, from: Square) {
        let (start, route) = (Bitboard::of(from), Route::start(from, true));
        self.attack.empty |= start;
        if R::FLYING_KINGS {
            self.flying_origins = self.attack.flying_origins();
            self.flying_jumps(from, Attack::<R, T>::KING_DIRECTIONS, route);
        } else {
            self.short_king_jumps(start, route);
        }
        self.attack.empty &= !start;
    }

    /// Continues with a man on `at`; completes the route if it cannot jump.
    fn continue_man(&mut self, at: Bitboard<R::Geometry>, route: Route<R::Geometry>) {
        let targets = self.attack.men_targets() & !route.captured;
        let mut can_continue = false;
        for &direction in Attack::<R, T>::MEN_DIRECTIONS {
            let victim = at.step(direction) & targets;
            let landing = victim.step(direction) & self.attack.empty;
            if landing.is_some() {
                can_continue = true;
                let route = self.captured(route, victim);
                if self.attack.rules.promotes_in_passing()
                    && (landing & promotion_row::<R::Geometry>(T::SIDE)).is_some()
                {
                    self.promoted_man(landing.first(), direction, route);
                } else {
                    self.continue_man(landing, route);
                }
            }
        }
        if !can_continue {
            self.complete(at, route);
        }
    }

    /// Continues, as a king, with a man that has just reached its promotion row in a direction.
    fn promoted_man(&mut self, at: Square, direction: Direction, route: Route<R::Geometry>) {
        self.flying_origins = self.attack.flying_origins();
        let mut can_continue = self.flying_jumps(at, &[direction], route);
        can_continue |= self.flying_jumps(at, turn_directions::<R>(direction), route);
        if !can_continue {
            self.complete(Bitboard::of(at), route);
        }
    }

    /// Continues with a short-range king on `at`. Returns whether it can jump.
    fn short_king_jumps(&mut self, at: Bitboard<R::Geometry>, route: Route<R::Geometry>) -> bool {
        let targets = self.attack.opponents & !route.captured;
        let mut can_continue = false;
        for &direction in Attack::<R, T>::KING_DIRECTIONS {
            let victim = at.step(direction) & targets;
            let landing = victim.step(direction) & self.attack.empty;
            if landing.is_some() {
                can_continue = true;
                let route = self.captured(route, victim);
                if !self.short_king_jumps(landing, route) {
                    self.complete(landing, route);
                }
            }
        }
        can_continue
    }

    /// Continues with a flying king on `at` in the given directions. Returns whether it can jump.
    #[inline(always)]
    fn flying_jumps(
        &mut self,
        at: Square,
        directions: &[Direction],
        route: Route<R::Geometry>,
    ) -> bool {
        let mut can_continue = false;
        for &direction in directions {
            let victim = self.attack.flying_capture(at, direction, route.captured);
            if victim.is_some() {
                can_continue = true;
                self.flying_jump(victim, direction, route);
            }
        }
        can_continue
    }

    /// Jumps a piece with a flying king and follows every continuation.
    fn flying_jump(
        &mut self,
        victim: Bitboard<R::Geometry>,
        direction: Direction,
        route: Route<R::Geometry>,
    ) {
        let empty = self.attack.empty;
        let behind = victim.step(direction);
        let landings = (!empty).reach(victim.first(), direction) & empty;
        let route = self.captured(route, victim);
        if R::CAPTURED_AT_ONCE {
            self.attack.empty |= victim;
        }
        // If the king continues straight ahead, its landing square makes no difference.
        let mut can_continue = self.flying_jumps(behind.first(), &[direction], route);
        let turns = turn_directions::<R>(direction);
        let turning =
            if R::CAPTURED_AT_ONCE { landings } else { landings & self.flying_origins.any(turns) };
        for landing in turning.squares() {
            can_continue |= self.flying_jumps(landing, turns, route);
        }
        if R::CAPTURED_AT_ONCE {
            self.attack.empty = empty;
        }
        if !can_continue {
            let took_king = (victim & self.attack.opponent_kings).is_some();
            let halts = took_king && self.attack.rules.halts_behind_king();
            self.complete(if halts { behind } else { landings }, route);
        }
    }

    /// The route with one more piece captured.
    #[inline(always)]
    fn captured(
        &self,
        route: Route<R::Geometry>,
        victim: Bitboard<R::Geometry>,
    ) -> Route<R::Geometry> {
        let mut next = Route { captured: route.captured | victim, ..route };
        if self.attack.rules.precedence() == Precedence::PiecesKingKingsEarly {
            next.length += 1;
            if (victim & self.attack.opponent_kings).is_some() {
                next.order |= 0x8000 >> route.length;
            }
        }
        next
    }

    /// Adds the moves of a complete route, which may end on any square of `ends`, unless another
    /// capture ranks higher.
    #[inline(always)]
    fn complete(&mut self, ends: Bitboard<R::Geometry>, route: Route<R::Geometry>) {
        let rank = self.rank(route);
        if rank < self.best {
            return;
        }
        if rank > self.best {
            self.best = rank;
            self.groups.clear();
        }
        let (from, captured) = (route.from, route.captured);
        // A different route may have captured the same pieces in a different order.
        let same = |group: &&mut CaptureGroup<_>| group.from == from && group.captured == captured;
        match self.groups.iter_mut().find(same) {
            Some(group) => group.ends |= ends,
            None => self.groups.push(CaptureGroup { from, captured, ends }),
        }
    }

    /// The rank of a capture: only captures of the highest rank are legal.
    #[inline(always)]
    fn rank(&self, route: Route<R::Geometry>) -> u32 {
        let pieces = route.captured.len() as u32;
        let kings = || (route.captured & self.attack.opponent_kings).len() as u32;
        let is_king = u32::from(route.is_king);
        match self.attack.rules.precedence() {
            Precedence::Free => 0,
            Precedence::King => is_king,
            Precedence::Pieces => pieces,
            Precedence::PiecesKings => pieces << 8 | kings(),
            Precedence::PiecesKingKingsEarly => {
                // On 8x8 the opponent has at most twelve pieces, including kings.
                pieces << 25 | is_king << 24 | kings() << 16 | u32::from(route.order)
            }
            Precedence::Value => {
                // A king is worth slightly less than two men; the differences never add up to a
                // man.
                let kings = kings();
                ((pieces + kings) * 64 - kings) << 1 | is_king
            }
        }
    }
}

//! The move generator against a plain one: squares as rows and columns, one route at a time, all
//! routes first and the rules of precedence afterwards. On random boards of every variant.

use std::collections::BTreeSet;

use proptest::prelude::*;

use manoury::board::{Geometry, Kind, Move, Piece, Side, Square};
use manoury::movegen;
use manoury::position::{Position, Setup};
use manoury::rules::{Goal, Precedence, Rules, Variant, VariantVisitor};

/// A move as numbers: from, to, captured.
type Numbers = (u8, u8, Vec<u8>);

/// A finished route of the plain generator.
struct Route {
    numbers: Numbers,
    /// The captured pieces in order.
    kinds: Vec<Kind>,
    by_king: bool,
}

struct Plain<'a, R: Rules> {
    position: &'a Position<R>,
    routes: Vec<Route>,
}

/// A row or column outside the board is a large number.
type Place = (usize, usize);

impl<R: Rules> Plain<'_, R> {
    fn square(&self, (row, column): Place) -> Option<Square> {
        R::Geometry::at(row, column)
    }

    fn number(&self, place: Place) -> u8 {
        R::Geometry::number(self.square(place).unwrap())
    }

    /// The piece on a place; while a piece captures, it has left the place it started from.
    fn piece(&self, place: Place, start: Place) -> Option<Piece> {
        if place == start { None } else { self.position.piece_on(self.square(place)?) }
    }

    fn is_free(&self, place: Place, start: Place) -> bool {
        self.square(place).is_some() && self.piece(place, start).is_none()
    }

    fn forward(&self) -> isize {
        if self.position.side() == Side::White { -1 } else { 1 }
    }

    fn far_row(&self) -> usize {
        if self.position.side() == Side::White { 0 } else { R::Geometry::SIZE - 1 }
    }

    fn capture_directions(&self, kind: Kind) -> Vec<(isize, isize)> {
        let mut directions = vec![(-1, -1), (-1, 1), (1, -1), (1, 1)];
        if R::ORTHOGONAL_CAPTURES {
            directions.extend([(-2, 0), (2, 0), (0, -2), (0, 2)]);
        }
        if kind == Kind::Man && !R::MEN_CAPTURE_BACKWARD {
            directions.retain(|direction| direction.0 == self.forward());
        }
        directions
    }

    /// The jumps from a place: the victim and the landings.
    fn jumps(
        &self,
        at: Place,
        start: Place,
        kind: Kind,
        taken: &[Place],
    ) -> Vec<(Place, Vec<Place>)> {
        let is_flying = kind == Kind::King && R::FLYING_KINGS;
        let mut jumps = Vec::new();
        for direction in self.capture_directions(kind) {
            let mut place = step(at, direction);
            while is_flying && self.is_free(place, start) {
                place = step(place, direction);
            }
            let Some(victim) = self.square(place).and_then(|_| self.piece(place, start)) else {
                continue;
            };
            let is_shielded =
                kind == Kind::Man && victim.kind == Kind::King && !R::MEN_CAPTURE_KINGS;
            if victim.side == self.position.side() || taken.contains(&place) || is_shielded {
                continue;
            }
            let victim = place;
            let mut landings = Vec::new();
            place = step(place, direction);
            while self.is_free(place, start) {
                landings.push(place);
                place = step(place, direction);
                if !is_flying {
                    break;
                }
            }
            if !landings.is_empty() {
                jumps.push((victim, landings));
            }
        }
        jumps
    }

    fn follow(
        &mut self,
        at: Place,
        start: Place,
        kind: Kind,
        by_king: bool,
        taken: &mut Vec<Place>,
    ) -> bool {
        let jumps = self.jumps(at, start, kind, taken);
        for (victim, landings) in &jumps {
            taken.push(*victim);
            let mut goes_on = false;
            for &landing in landings {
                let promoted = R::PROMOTION_IN_PASSING && landing.0 == self.far_row();
                let kind = if promoted { Kind::King } else { kind };
                goes_on |= self.follow(landing, start, kind, by_king, taken);
            }
            if !goes_on {
                let last = self.piece(*victim, start).unwrap();
                let halts = R::HALT_BEHIND_KING && by_king && last.kind == Kind::King;
                let ends = if halts { &landings[..1] } else { &landings[..] };
                for &end in ends {
                    self.end(start, end, by_king, taken);
                }
            }
            taken.pop();
        }
        !jumps.is_empty()
    }

    fn end(&mut self, start: Place, end: Place, by_king: bool, taken: &[Place]) {
        let mut captured: Vec<_> = taken.iter().map(|&place| self.number(place)).collect();
        captured.sort_unstable();
        let kinds = taken.iter().map(|&place| self.piece(place, start).unwrap().kind).collect();
        let numbers = (self.number(start), self.number(end), captured);
        self.routes.push(Route { numbers, kinds, by_king });
    }

    fn quiets(&self, at: Place, kind: Kind) -> Vec<Numbers> {
        let mut moves = Vec::new();
        for direction in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
            if kind == Kind::Man && direction.0 != self.forward() {
                continue;
            }
            let mut place = step(at, direction);
            while self.is_free(place, at) {
                moves.push((self.number(at), self.number(place), Vec::new()));
                if kind == Kind::Man || !R::FLYING_KINGS {
                    break;
                }
                place = step(place, direction);
            }
        }
        moves
    }
}

fn step((row, column): Place, direction: (isize, isize)) -> Place {
    (row.wrapping_add_signed(direction.0), column.wrapping_add_signed(direction.1))
}

fn rank<R: Rules>(route: &Route) -> Vec<i64> {
    let pieces = route.kinds.len() as i64;
    let kings = route.kinds.iter().filter(|&&kind| kind == Kind::King).count() as i64;
    let by_king = i64::from(route.by_king);
    match R::PRECEDENCE {
        Precedence::Free => vec![],
        Precedence::King => vec![by_king],
        Precedence::Pieces => vec![pieces],
        Precedence::PiecesKings => vec![pieces, kings],
        Precedence::PiecesKingKingsEarly => {
            let mut rank = vec![pieces, by_king, kings];
            rank.extend(route.kinds.iter().map(|&kind| i64::from(kind == Kind::King)));
            rank
        }
        // A king is worth 1.99 men.
        Precedence::Value => vec![(pieces - kings) * 100 + kings * 199, by_king],
    }
}

/// The legal moves, by the plain generator.
fn plain<R: Rules>(position: &Position<R>) -> BTreeSet<Numbers> {
    let side = position.side();
    if R::GOAL == Goal::King && position.kings(side.opponent()).is_some() {
        return BTreeSet::new();
    }
    let mut search = Plain { position, routes: Vec::new() };
    let mut quiets = BTreeSet::new();
    for row in 0..R::Geometry::SIZE {
        for column in 0..R::Geometry::SIZE {
            let Some(square) = R::Geometry::at(row, column) else { continue };
            let Some(piece) = position.piece_on(square) else { continue };
            if piece.side == side {
                let at = (row, column);
                let by_king = piece.kind == Kind::King;
                search.follow(at, at, piece.kind, by_king, &mut Vec::new());
                quiets.extend(search.quiets(at, piece.kind));
            }
        }
    }
    let Some(best) = search.routes.iter().map(rank::<R>).max() else {
        return quiets;
    };
    let best = search.routes.into_iter().filter(|route| rank::<R>(route) == best);
    best.map(|route| route.numbers).collect()
}

fn generated<R: Rules>(position: &Position<R>) -> BTreeSet<Numbers> {
    let moves = movegen::legal_moves(position);
    let set: BTreeSet<_> = moves.iter().map(|mv| mv.numbers()).collect();
    assert_eq!(set.len(), moves.len(), "a move twice\n{position}");
    set
}

fn check<R: Rules>(position: &Position<R>) {
    let moves = generated(position);
    assert_eq!(moves, plain(position), "{}\n{position}", R::VARIANT);
    assert_eq!(movegen::count(position), moves.len() as u64, "{position}");
    assert_eq!(movegen::has_move(position), !moves.is_empty(), "{position}");
    let is_capture = moves.iter().any(|(_, _, captured)| !captured.is_empty());
    assert_eq!(movegen::has_capture(position), is_capture, "{position}");
    for mv in movegen::legal_moves(position) {
        check_after(position, mv);
    }
}

/// What a move does, square by square, and that the key is kept.
fn check_after<R: Rules>(position: &Position<R>, mv: Move<R::Geometry>) {
    let next = position.after(mv);
    assert_eq!(next.key(), next.computed_key(), "{position}");
    assert_eq!(next.side(), position.side().opponent());
    let moved = position.piece_on(mv.from).unwrap();
    let far_row = if moved.side == Side::White { 0 } else { R::Geometry::SIZE - 1 };
    for number in 1..=R::Geometry::SQUARES {
        let square = R::Geometry::square(number).unwrap();
        let (before, after) = (position.piece_on(square), next.piece_on(square));
        if square == mv.to {
            let after = after.unwrap();
            assert_eq!(after.side, moved.side);
            let is_king = moved.kind == Kind::King || R::Geometry::row(mv.to) == far_row;
            assert!(after.kind == Kind::King || !is_king);
            // Only a man promoted in passing may be a king elsewhere.
            assert!(is_king || after.kind == Kind::Man || R::PROMOTION_IN_PASSING);
        } else if square == mv.from {
            assert_eq!(after, None);
        } else if mv.captured.has(square) {
            assert_eq!(before.unwrap().side, position.side().opponent());
            assert_eq!(after, None);
        } else {
            assert_eq!(after, before);
        }
    }
}

/// The board turned by half, colours swapped: the same game from the other side.
fn turned<R: Rules>(position: &Position<R>) -> Position<R> {
    let setup = Setup::from(position);
    let mut turned = Setup::empty(setup.side.opponent());
    for side in Side::ALL {
        for kind in [Kind::Man, Kind::King] {
            for square in setup.pieces(side, kind).squares() {
                turned.put(side.opponent(), kind, R::Geometry::turned(square));
            }
        }
    }
    turned.position().unwrap()
}

fn turned_moves<R: Rules>(position: &Position<R>) -> BTreeSet<Numbers> {
    let turn = |number: u8| (R::Geometry::SQUARES + 1) as u8 - number;
    let moves = movegen::legal_moves(&turned(position));
    let turned = moves.iter().map(|mv| {
        let (from, to, captured) = mv.numbers();
        let mut captured: Vec<_> = captured.into_iter().map(turn).collect();
        captured.sort_unstable();
        (turn(from), turn(to), captured)
    });
    turned.collect()
}

/// What stands on the squares: 0 nothing, then men and kings of both sides.
#[derive(Clone, Debug)]
struct Board {
    squares: Vec<u8>,
    white_to_move: bool,
}

impl Board {
    /// The position, without men where they would be kings; `None` if a side is empty.
    fn position<R: Rules>(&self) -> Option<Position<R>> {
        let side = if self.white_to_move { Side::White } else { Side::Black };
        let mut setup = Setup::empty(side);
        for (index, &piece) in self.squares.iter().take(R::Geometry::SQUARES).enumerate() {
            let square = R::Geometry::square(index + 1).unwrap();
            let row = R::Geometry::row(square);
            match piece {
                1 if row > 0 => setup.put(Side::White, Kind::Man, square),
                2 if row < R::Geometry::SIZE - 1 => setup.put(Side::Black, Kind::Man, square),
                3 => setup.put(Side::White, Kind::King, square),
                4 => setup.put(Side::Black, Kind::King, square),
                _ => {}
            }
        }
        setup.position().ok()
    }
}

/// Boards from nearly empty to full, with few or many kings.
fn boards() -> impl Strategy<Value = Board> {
    (1..12_u32, 1..8_u32, 0..4_u32).prop_flat_map(|(empty, men, kings)| {
        let square = prop_oneof![
            empty => Just(0_u8),
            men => 1..=2_u8,
            kings => 3..=4_u8,
        ];
        (prop::collection::vec(square, 72), any::<bool>())
            .prop_map(|(squares, white_to_move)| Board { squares, white_to_move })
    })
}

struct CheckBoard<'a>(&'a Board);

impl VariantVisitor for CheckBoard<'_> {
    type Output = ();

    fn visit<R: Rules>(self) {
        if let Some(position) = self.0.position::<R>() {
            check(&position);
            assert_eq!(generated(&position), turned_moves(&position), "{position}");
        }
    }
}

/// Plays moves chosen by numbers, checking every position.
struct CheckGame<'a>(&'a [usize]);

impl VariantVisitor for CheckGame<'_> {
    type Output = ();

    fn visit<R: Rules>(self) {
        let mut position = Position::<R>::start();
        for &choice in self.0 {
            // The plain generator knows no three-king-moves rule.
            if R::KING_MOVES_IN_A_ROW == 0 {
                check(&position);
            }
            let moves = movegen::legal_moves(&position);
            if moves.is_empty() {
                return;
            }
            let mv = moves[choice % moves.len()];
            check_after(&position, mv);
            position = position.after(mv);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn any_board(board in boards()) {
        // A crowd of kings can have more routes than a plain search can walk in a test.
        let kings = board.squares.iter().filter(|&&piece| piece > 2).count();
        for &variant in Variant::ALL {
            if kings <= 12 || variant != Variant::Canadian {
                variant.visit(CheckBoard(&board));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_game(choices in prop::collection::vec(any::<usize>(), 120)) {
        for &variant in Variant::ALL {
            variant.visit(CheckGame(&choices));
        }
    }
}

#[test]
fn parallel_perft_counts_the_same() {
    struct Both;
    impl VariantVisitor for Both {
        type Output = ();

        fn visit<R: Rules>(self) {
            let start = Position::<R>::start();
            let leaves = movegen::perft(&start, 6);
            assert_eq!(movegen::perft_parallel(&start, 6), leaves);
            let divided: u64 = movegen::divide(&start, 6).iter().map(|(_, below)| below).sum();
            assert_eq!(divided, leaves);
        }
    }
    for &variant in Variant::ALL {
        if variant != Variant::Canadian {
            variant.visit(Both);
        }
    }
}

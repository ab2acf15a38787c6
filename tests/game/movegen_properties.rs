//! The move generator against the [plain](crate::game::plain) one, on random boards and in random
//! games of every variant.

use std::collections::BTreeSet;

use proptest::prelude::*;

use manoury::board::{Kind, Move, Side};
use manoury::erased::Position;
use manoury::position::Setup;
use manoury::rules::Variant;

use crate::game::plain::{self, Numbers, PlainRules};
use crate::game::playout;

fn generated(position: &Position) -> BTreeSet<Numbers> {
    let moves = position.legal_moves();
    let set: BTreeSet<_> = moves.iter().map(|mv| mv.numbers()).collect();
    assert_eq!(set.len(), moves.len(), "a move twice\n{position}");
    set
}

fn check(position: &Position) {
    let moves = generated(position);
    assert_eq!(moves, plain::legal_moves(position), "{}\n{position}", position.variant());
    assert_eq!(position.perft(1), moves.len() as u64, "{position}");
    check_perft(position);
    assert_eq!(position.has_move(), !moves.is_empty(), "{position}");
    let is_capture = moves.iter().any(|(_, _, captured)| !captured.is_empty());
    assert_eq!(position.has_capture(), is_capture, "{position}");
    for mv in position.legal_moves() {
        check_after(position, mv);
    }
}

/// Checks that counts of two and three plies are the sums of the counts below each move.
fn check_perft(position: &Position) {
    let after: Vec<_> = position.legal_moves().into_iter().map(|mv| position.after(mv)).collect();
    let replies = after.iter().map(|next| next.legal_moves().len() as u64).sum::<u64>();
    assert_eq!(position.perft(2), replies, "{}\n{position}", position.variant());
    let leaves = after.iter().map(|next| next.perft(2)).sum::<u64>();
    assert_eq!(position.perft(3), leaves, "{}\n{position}", position.variant());
}

/// Checks what a move does to each square, and the key it arrives at.
fn check_after(position: &Position, mv: Move) {
    let next = position.after(mv);
    assert_eq!(next, rebuilt(&next), "{position}");
    assert_eq!(next.side(), position.side().opponent());
    let grid = position.grid();
    let in_passing = PlainRules::of(position.variant()).promotion_in_passing;
    let moved = position.piece_on(mv.from).unwrap();
    for square in 1..=grid.squares() {
        let (before, after) = (position.piece_on(square), next.piece_on(square));
        if square == mv.to {
            let after = after.unwrap();
            assert_eq!(after.side, moved.side);
            let is_far = usize::from(grid.row(mv.to)) == plain::far_row(position);
            let is_king = moved.kind == Kind::King || is_far;
            assert!(after.kind == Kind::King || !is_king);
            // Only a man promoted in passing may be a king elsewhere.
            assert!(is_king || after.kind == Kind::Man || in_passing);
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

/// The position put together from its parts, which computes its key from scratch.
fn rebuilt(position: &Position) -> Position {
    let plain = Position::from_setup(position.variant(), &position.setup()).unwrap();
    plain.with_king_runs(Side::ALL.map(|side| position.king_run(side)))
}

/// The board after a half turn, with colours swapped: the same game seen from the other side.
fn rotated(position: &Position) -> Position {
    let setup = position.setup();
    let mut rotated = Setup::empty(setup.side.opponent());
    for side in Side::ALL {
        for kind in [Kind::Man, Kind::King] {
            for square in setup.pieces(side, kind).numbers() {
                rotated.put(side.opponent(), kind, position.grid().rotated(square));
            }
        }
    }
    Position::from_setup(position.variant(), &rotated).unwrap()
}

fn turned_moves(position: &Position) -> BTreeSet<Numbers> {
    let turn = |number: u8| position.grid().squares() + 1 - number;
    let moves = rotated(position).legal_moves();
    let rotated = moves.iter().map(|mv| {
        let (from, to, captured) = mv.numbers();
        let mut captured: Vec<_> = captured.into_iter().map(turn).collect();
        captured.sort_unstable();
        (turn(from), turn(to), captured)
    });
    rotated.collect()
}

/// The contents of each square: 0 is empty, 1 and 2 are men, 3 and 4 kings, White's first.
#[derive(Clone, Debug)]
struct Board {
    squares: Vec<u8>,
    white_to_move: bool,
}

impl Board {
    /// The position, without the men on their promotion rows; `None` if it is still not legal.
    fn position(&self, variant: Variant) -> Option<Position> {
        let side = if self.white_to_move { Side::White } else { Side::Black };
        let grid = variant.grid();
        let mut setup = Setup::empty(side);
        for (square, &piece) in (1..=grid.squares()).zip(&self.squares) {
            let row = grid.row(square);
            match piece {
                1 if row > 0 => setup.put(Side::White, Kind::Man, square),
                2 if row < grid.size - 1 => setup.put(Side::Black, Kind::Man, square),
                3 => setup.put(Side::White, Kind::King, square),
                4 => setup.put(Side::Black, Kind::King, square),
                _ => {}
            }
        }
        Position::from_setup(variant, &setup).ok()
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

/// Plays moves chosen by numbers and checks every position.
fn check_game(variant: Variant, choices: &[usize]) {
    let mut position = Position::start(variant);
    for &choice in choices {
        if !PlainRules::of(variant).limits_king_moves {
            check(&position);
        }
        let Some(mv) = playout::choose(&position, choice) else {
            return;
        };
        check_after(&position, mv);
        position = position.after(mv);
    }
}

/// Checks a board as a position of every variant.
fn check_board(board: &Board) {
    // A crowd of kings can have more routes than a plain search can follow in a test.
    let kings = board.squares.iter().filter(|&&piece| piece > 2).count();
    for &variant in Variant::ALL {
        if (kings <= 12 || variant != Variant::Canadian)
            && let Some(position) = board.position(variant)
        {
            check(&position);
            assert_eq!(generated(&position), turned_moves(&position), "{position}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_board(board in boards()) {
        check_board(&board);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    #[ignore = "slow: 5,000 boards"]
    fn many_boards(board in boards()) {
        check_board(&board);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_game(choices in prop::collection::vec(any::<usize>(), 120)) {
        for &variant in Variant::ALL {
            check_game(variant, &choices);
        }
    }
}

/// Perft by the definition: one thread, one move at a time.
fn leaves(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    position.legal_moves().into_iter().map(|mv| leaves(&position.after(mv), depth - 1)).sum()
}

#[test]
fn parallel_perft_counts_the_same() {
    for &variant in Variant::ALL {
        if variant != Variant::Canadian {
            let start = Position::start(variant);
            let leaves = leaves(&start, 6);
            assert_eq!(start.perft(6), leaves);
            let divided: u64 = start.divide(6, None).iter().map(|(_, below)| below).sum();
            assert_eq!(divided, leaves);
        }
    }
}

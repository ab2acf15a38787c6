use super::*;
use crate::board::{Geometry, Kind};
use crate::movegen::legal_moves;
use crate::position::Setup;
use crate::rules::{Variant, VariantVisitor};

/// The position after a half turn of the board with the colours swapped.
fn swapped<R: Rules>(position: &Position<R>) -> Position<R> {
    let mut setup = Setup::empty(position.side().opponent());
    for side in Side::ALL {
        for kind in [Kind::Man, Kind::King] {
            for square in position.pieces_of(side, kind).squares() {
                setup.put(side.opponent(), kind, R::Geometry::turned(square));
            }
        }
    }
    setup.position().unwrap()
}

struct Fairness;

impl VariantVisitor for Fairness {
    type Output = usize;

    /// Plays games by a fixed rule and compares each position with its double; returns how many of
    /// them were worth something.
    fn visit<R: Rules>(self) -> usize {
        let (by_hand, of_program) = (Evaluation::by_hand(), Evaluation::of_program());
        let mut uneven = 0;
        for game in 0..20 {
            let mut position = Position::<R>::start();
            for ply in 0..150 {
                let double = swapped(&position);
                let score = by_hand.score(&position);
                assert_eq!(score, by_hand.score(&double), "{position}");
                assert_eq!(of_program.score(&position), of_program.score(&double), "{position}");
                uneven += usize::from(score != Score::DRAW);
                let moves = legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                position = position.after(moves[(game * 31 + ply * 17) % moves.len()]);
            }
        }
        uneven
    }
}

#[test]
fn both_sides_are_seen_alike_in_every_game() {
    for variant in Variant::ALL {
        let uneven = variant.visit(Fairness);
        assert!(uneven > 100, "{variant}: only {uneven} uneven positions");
    }
}

#[test]
fn start_positions_are_even_or_nearly() {
    struct Start;
    impl VariantVisitor for Start {
        type Output = Score;
        fn visit<R: Rules>(self) -> Score {
            Evaluation::by_hand().score(&Position::<R>::start())
        }
    }
    for variant in Variant::ALL {
        assert_eq!(variant.visit(Start), Score::DRAW, "{variant}");
    }
}

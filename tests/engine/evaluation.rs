//! The static evaluation of all games.

use manoury::board::{Kind, Side};
use manoury::erased::Position;
use manoury::eval::Evaluation;
use manoury::position::Setup;
use manoury::rules::Variant;
use manoury::score::Score;
use manoury::weights;

/// The position after a half turn of the board with the colours swapped.
fn swapped(position: &Position) -> Position {
    let grid = position.grid();
    let mut setup = Setup::empty(position.side().opponent());
    for side in Side::ALL {
        for kind in [Kind::Man, Kind::King] {
            for square in position.pieces_of(side, kind).numbers() {
                setup.put(side.opponent(), kind, grid.rotated(square));
            }
        }
    }
    Position::from_setup(position.variant(), &setup).unwrap()
}

/// Plays games by a fixed rule and compares the evaluation of each position with that of its
/// swapped counterpart. Returns the number of positions with an uneven score.
fn compare_with_swapped(variant: Variant) -> usize {
    let (hand_crafted, embedded) = (Evaluation::hand_crafted(), weights::embedded(variant));
    let mut uneven = 0;
    for game in 0..20 {
        let mut position = Position::start(variant);
        for ply in 0..150 {
            let counterpart = swapped(&position);
            let score = position.score(&hand_crafted);
            assert_eq!(score, counterpart.score(&hand_crafted), "{position}");
            assert_eq!(position.score(&embedded), counterpart.score(&embedded), "{position}");
            uneven += usize::from(score != Score::DRAW);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[(game * 31 + ply * 17) % moves.len()]);
        }
    }
    uneven
}

#[test]
fn evaluation_is_symmetric_in_every_variant() {
    for &variant in Variant::ALL {
        let uneven = compare_with_swapped(variant);
        assert!(uneven > 100, "{variant}: only {uneven} uneven positions");
    }
}

#[test]
fn start_positions_are_even() {
    for &variant in Variant::ALL {
        let score = Position::start(variant).score(&Evaluation::hand_crafted());
        assert_eq!(score, Score::DRAW, "{variant}");
    }
}

#[test]
fn every_variant_has_learned_weights() {
    for &variant in Variant::ALL {
        assert!(weights::embedded(variant).checksum().is_some(), "{variant}");
    }
}

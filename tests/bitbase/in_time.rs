//! Whether an ending can be won before a draw by the rules, against an exhaustive search.

use manoury::bitbase::{Content, Value};
use manoury::board::{Move, Side};
use manoury::erased::{Bitbases, Game, Position};
use manoury::notation::fen;
use manoury::rules::{Material, Variant};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::bitbase::value;

/// Whether a side can force a win, by every move of both sides until no limit is counting: a new
/// count of king moves leaves time for every win of four pieces.
fn wins(game: &mut Game, winner: Side, bitbases: &Bitbases) -> bool {
    if let Some(outcome) = game.position().outcome() {
        return outcome.winner == Some(winner);
    }
    if game.move_limit().is_some() {
        return false;
    }
    let is_winner = game.position().side() == winner;
    let is_new = game.reversible_plies() == 0;
    if is_new && !is_limit_of_ending_counting(game) {
        let value = value(bitbases, game.position()).unwrap();
        return value == if is_winner { Value::Win } else { Value::Loss };
    }
    let moves = game.position().legal_moves();
    let settles = |mv: Move| {
        game.play(mv);
        let wins = wins(game, winner, bitbases);
        game.undo();
        wins == is_winner
    };
    moves.into_iter().any(settles) == is_winner
}

/// Whether the count to the limit of an ending has begun: its material has stood on the board
/// within the limit.
fn is_limit_of_ending_counting(game: &Game) -> bool {
    let materials: Vec<_> = game.positions().iter().rev().map(material).collect();
    game.variant().setup().draws.endings.iter().any(|ending| {
        assert!(!ending.restarts, "counts of international draughts run on");
        let mut recent = materials.iter().take(usize::from(ending.plies) + 1);
        recent.any(|&material| (ending.applies)(material))
    })
}

/// The pieces of a position. No limit of international draughts depends on the main road.
fn material(position: &Position) -> Material {
    Material {
        men: Side::ALL.map(|side| position.men(side).len() as u8),
        kings: Side::ALL.map(|side| position.kings(side).len() as u8),
        main_road: [false; 2],
    }
}

/// Two moves of each side without captures that lead back to the position and keep its value.
fn round_trip(position: &Position, bitbases: &Bitbases) -> Option<[Move; 4]> {
    let kept = value(bitbases, position)?;
    let step = |position: &Position, mv: Move, kept: Value| {
        let is_legal = !mv.is_capture() && position.legal_moves().contains(&mv);
        let after = is_legal.then(|| position.after(mv))?;
        (value(bitbases, &after) == Some(-kept)).then_some(after)
    };
    for one in position.legal_moves() {
        let Some(second) = step(position, one, kept) else { continue };
        for two in second.legal_moves() {
            let back = [one, two].map(|mv| Move::quiet(mv.to, mv.from));
            let end = || {
                let third = step(&second, two, -kept)?;
                let fourth = step(&third, back[0], kept)?;
                step(&fourth, back[1], -kept)
            };
            if end() == Some(*position) {
                return Some([one, two, back[0], back[1]]);
            }
        }
    }
    None
}

/// Compares both for won endings after `plies` plies of round trips. Returns how many can no longer
/// be won, and how many can.
fn compare(slices: &[&str], plies: usize, bitbases: &Bitbases) -> [usize; 2] {
    let mut random = SmallRng::seed_from_u64(1);
    let mut found = [0; 2];
    for slice in slices {
        let file = bitbases.file(slice.parse().unwrap(), Content::Values).unwrap();
        for _ in 0..3_000 {
            let position = bitbases.position(file, random.random_range(0..file.positions()));
            let winner = match value(bitbases, &position).unwrap() {
                Value::Win => position.side(),
                Value::Draw => {
                    assert_eq!(
                        bitbases.wins_within_move_limits(&Game::from_position(position)),
                        None
                    );
                    continue;
                }
                Value::Loss => position.side().opponent(),
            };
            let Some(moves) = round_trip(&position, bitbases) else { continue };
            let mut game = Game::from_position(position);
            moves.iter().cycle().take(plies).for_each(|&mv| game.play(mv));
            let expected = wins(&mut game, winner, bitbases);
            let in_time = bitbases.wins_within_move_limits(&game);
            assert_eq!(in_time, Some(expected), "{}", fen::format(&position));
            found[usize::from(expected)] += 1;
        }
    }
    found
}

#[test]
fn lone_kings_near_the_limit() {
    let bitbases = Bitbases::embedded(Variant::International);
    for (slices, plies) in [
        (["0021", "0012", "1011"], 8),
        (["0021", "0012", "0111"], 4),
        (["0031", "2011", "1012"], 28),
    ] {
        let found = compare(&slices, plies, &bitbases);
        assert!(found.iter().sum::<usize>() > 2, "{plies}: {found:?}");
    }
}

/// With more pieces on both sides only the limit of king moves counts.
#[test]
fn king_moves_near_the_limit() {
    let bitbases = Bitbases::embedded(Variant::International);
    let found = compare(&["1021", "1111", "0121"], 48, &bitbases);
    assert!(found.iter().all(|&count| count > 0), "{found:?}");
}

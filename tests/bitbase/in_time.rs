//! Whether an ending can be won before the rules say draw, against trying everything.

use manoury::bitbase::{Bitbases, Index, Value};
use manoury::board::{Move, Side};
use manoury::game::{Game, terminal};
use manoury::movegen::legal_moves;
use manoury::notation::fen;
use manoury::position::Position;
use manoury::rules::{International, Rules};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// Whether a side can force a win, by every move of both as far as the count of king moves goes on: with a
/// new one there is time enough for every win of four pieces.
fn wins<R: Rules>(game: &mut Game<R>, winner: Side, bitbases: &Bitbases<R>) -> bool {
    if let Some(outcome) = terminal(game.position()) {
        return outcome.winner == Some(winner);
    }
    if game.limit().is_some() {
        return false;
    }
    let is_winner = game.position().side() == winner;
    let is_new = game.reversible_plies() == 0;
    if is_new && game.counts().iter().skip(1).all(Option::is_none) {
        let value = bitbases.value(game.position()).unwrap();
        return value == if is_winner { Value::Win } else { Value::Loss };
    }
    let moves = legal_moves(game.position());
    let settles = |&mv: &Move<R::Geometry>| {
        game.play(mv);
        let wins = wins(game, winner, bitbases);
        game.undo();
        wins == is_winner
    };
    moves.iter().any(settles) == is_winner
}

/// Two moves of each side, none a capture, after which the position is what it was and was won all the
/// time.
fn round_trip<R: Rules>(
    position: &Position<R>,
    bitbases: &Bitbases<R>,
) -> Option<[Move<R::Geometry>; 4]> {
    let value = bitbases.value(position)?;
    let step = |position: &Position<R>, mv: Move<R::Geometry>, value: Value| {
        let after = position.after(mv);
        let is_legal = !mv.is_capture() && legal_moves(position).contains(&mv);
        (is_legal && bitbases.value(&after) == Some(-value)).then_some(after)
    };
    for &one in &legal_moves(position) {
        let Some(second) = step(position, one, value) else { continue };
        for &two in &legal_moves(&second) {
            let back = [one, two].map(|mv| Move::quiet(mv.to, mv.from));
            let end = || {
                let third = step(&second, two, -value)?;
                let fourth = step(&third, back[0], value)?;
                step(&fourth, back[1], -value)
            };
            if end() == Some(*position) {
                return Some([one, two, back[0], back[1]]);
            }
        }
    }
    None
}

/// Compares both for won endings after so many plies to and fro. Returns how many can be won, and how many
/// no more.
fn compare<R: Rules>(slices: &[&str], plies: usize, bitbases: &Bitbases<R>) -> [usize; 2] {
    let mut random = SmallRng::seed_from_u64(1);
    let mut found = [0; 2];
    for slice in slices {
        let index = Index::<R>::new(slice.parse().unwrap());
        for _ in 0..3_000 {
            let position = index.pieces(random.random_range(0..index.len())).position::<R>();
            let winner = match bitbases.value(&position).unwrap() {
                Value::Win => position.side(),
                Value::Draw => {
                    assert_eq!(bitbases.wins_in_time(&Game::new(position)), None);
                    continue;
                }
                Value::Loss => position.side().opponent(),
            };
            let Some(moves) = round_trip(&position, bitbases) else { continue };
            let mut game = Game::new(position);
            moves.iter().cycle().take(plies).for_each(|&mv| game.play(mv));
            let expected = wins(&mut game, winner, bitbases);
            let in_time = bitbases.wins_in_time(&game);
            assert_eq!(in_time, Some(expected), "{}", fen::format(&position));
            found[usize::from(expected)] += 1;
        }
    }
    found
}

#[test]
fn lone_kings_near_the_limit() {
    let bitbases = Bitbases::<International>::embedded();
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
    let bitbases = Bitbases::<International>::embedded();
    let found = compare(&["1021", "1111", "0121"], 48, &bitbases);
    assert!(found.iter().all(|&count| count > 0), "{found:?}");
}

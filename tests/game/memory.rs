//! Moves beyond [`Game::memory`] may be forgotten without changing any draw.

use manoury::board::Move;
use manoury::erased::{Game, Position};
use manoury::game::Reason;
use manoury::notation::{fen, hub};
use manoury::rules::Variant;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

/// The plies of a game.
const PLIES: usize = 200;
/// Games of each variant from the start position and from each ending.
const GAMES: u64 = 10;

/// The game cut off where its memory ends.
fn remembered(game: &Game) -> Game {
    let first = game.plies() - game.draw_lookback();
    let mut short = Game::from_position(game.positions()[first]);
    for &mv in &game.moves()[first..] {
        short.play(mv);
    }
    short
}

fn assert_same(game: &Game, short: &Game) {
    let facts = |game: &Game| {
        (
            *game.position(),
            game.draw(),
            game.occurrences(),
            game.reversible_plies(),
            game.draw_lookback(),
        )
    };
    assert_eq!(facts(game), facts(short), "{} {:?}", game.variant(), game.moves());
}

/// A random move, chosen to make draws likely: seldom one that allows a capture, and from a short
/// list, so that positions recur.
fn choose(position: &Position, rng: &mut impl Rng) -> Option<Move> {
    let mut moves = position.legal_moves();
    moves.sort_by_cached_key(|mv| (position.after(*mv).has_capture(), mv.numbers()));
    let few = &moves[..moves.len().min(4)];
    few.choose(rng).copied()
}

/// Plays random moves, even past draws. At every ply compares the game with its remembered part and
/// with the part remembered half-way. Collects the reasons for draws.
fn play(mut game: Game, rng: &mut impl Rng, draws: &mut Vec<Reason>) {
    let mut old = None;
    for ply in 0..PLIES {
        let Some(mv) = choose(game.position(), rng) else {
            break;
        };
        game.play(mv);
        assert_same(&game, &remembered(&game));
        if ply == PLIES / 2 {
            old = Some(remembered(&game));
        } else if let Some(old) = &mut old {
            old.play(mv);
            assert_same(&game, old);
        }
        draws.extend(game.draw().filter(|reason| !draws.contains(reason)));
    }
}

/// Plays from the start position and from endings with kings; returns the reasons for the draws.
fn play_all(variant: Variant) -> Vec<Reason> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut draws = Vec::new();
    let endings = ["W:WK3,K4,24:BK29", "B:WK3,K4:BK29", "W:WK3,K4,K2:BK29,K30,9"];
    let endings = endings.iter().map(|text| fen::parse(variant, text).unwrap());
    for start in endings.chain([Position::start(variant)]) {
        for _ in 0..GAMES {
            play(Game::from_position(start), &mut rng, &mut draws);
        }
    }
    draws
}

#[test]
fn forgotten_positions_make_no_difference() {
    for &variant in Variant::ALL {
        let draws = play_all(variant);
        let endings = draws.iter().filter(|reason| matches!(reason, Reason::Ending(_))).count();
        match variant {
            Variant::International | Variant::Russian => {
                assert!(draws.contains(&Reason::Repetition), "{variant}: {draws:?}");
                assert!(draws.contains(&Reason::KingMoves), "{variant}: {draws:?}");
                assert!(endings > 0, "{variant}: {draws:?}");
            }
            Variant::Frisian => assert!(endings > 0, "{variant}: {draws:?}"),
            _ => {}
        }
    }
}

#[test]
fn the_history_is_as_long_as_the_rules_need() {
    let mut game = Game::from_position(fen::parse(Variant::International, "W:WK1,50:BK5").unwrap());
    assert_eq!(game.draw_lookback(), 0);
    for ply in 1..=60 {
        let moves = game.position().legal_moves();
        let mv = moves.into_iter().find(|mv| !game.position().is_conversion(*mv)).unwrap();
        game.play(mv);
        assert_eq!(game.draw_lookback(), ply, "all moves are reversible");
    }
    let mv = hub::parse_move(game.position(), "50-45").unwrap();
    game.play(mv);
    assert_eq!(game.draw_lookback(), 32, "article 6.3 looks furthest back");
}

//! The moves that the draw rules no longer look at may be forgotten.

use manoury::board::Move;
use manoury::game::{Game, Reason};
use manoury::movegen::{has_capture, legal_moves};
use manoury::notation::fen;
use manoury::position::Position;
use manoury::rules::{Rules, Variant, VariantVisitor};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

/// The plies of a game.
const PLIES: usize = 200;
/// Games of each variant from the start position and from each ending.
const GAMES: u64 = 10;

/// A game that starts where the draw rules stop looking.
fn remembered<R: Rules>(game: &Game<R>) -> Game<R> {
    let first = game.moves().len() - game.memory();
    let mut short = Game::new(game.positions()[first]);
    for &mv in &game.moves()[first..] {
        short.play(mv);
    }
    short
}

fn assert_same<R: Rules>(game: &Game<R>, short: &Game<R>) {
    let facts = |game: &Game<R>| {
        (*game.position(), game.draw(), game.occurrences(), game.reversible_plies(), game.memory())
    };
    assert_eq!(facts(game), facts(short), "{} {:?}", R::VARIANT, game.moves());
}

/// A random move, so chosen that draws come about: rarely one that loses a piece, and one of few,
/// for the same ones to come again.
fn choose<R: Rules>(position: &Position<R>, rng: &mut impl Rng) -> Option<Move<R::Geometry>> {
    let mut moves = legal_moves(position);
    moves.sort_by_cached_key(|mv| (has_capture(&position.after(*mv)), mv.numbers()));
    let few = &moves[..moves.len().min(4)];
    few.choose(rng).copied()
}

/// Plays on at random, past draws, and compares the game with what is remembered of it at every ply,
/// and with what was remembered half way. Notes the reasons for draws.
fn play<R: Rules>(mut game: Game<R>, rng: &mut impl Rng, draws: &mut Vec<Reason>) {
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

/// Plays from the start position and from endings with kings; returns the reasons for draws that came.
struct Playouts;

impl VariantVisitor for Playouts {
    type Output = Vec<Reason>;

    fn visit<R: Rules>(self) -> Self::Output {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut draws = Vec::new();
        let endings = ["W:WK3,K4,24:BK29", "B:WK3,K4:BK29", "W:WK3,K4,K2:BK29,K30,9"];
        let endings = endings.iter().map(|text| fen::parse::<R>(text).unwrap());
        for start in endings.chain([Position::start()]) {
            for _ in 0..GAMES {
                play(Game::new(start), &mut rng, &mut draws);
            }
        }
        draws
    }
}

#[test]
fn what_is_forgotten_makes_no_difference() {
    for &variant in Variant::ALL {
        let draws = variant.visit(Playouts);
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
fn the_rules_say_how_much_is_remembered() {
    let game = |text| Game::new(fen::parse::<manoury::rules::International>(text).unwrap());
    let mut game = game("W:WK1,50:BK5");
    assert_eq!(game.memory(), 0);
    for ply in 1..=60 {
        let moves = legal_moves(game.position());
        let mv = moves.into_iter().find(|mv| !game.position().is_conversion(*mv)).unwrap();
        game.play(mv);
        assert_eq!(game.memory(), ply, "all moves can be taken back");
    }
    let mv = manoury::notation::hub::parse_move(game.position(), "50-45").unwrap();
    game.play(mv);
    assert_eq!(game.memory(), 32, "article 6.3 looks furthest back");
}

//! Endings that bitbases know: what the search says about them is true, and it plays them without a
//! fault, under all draw rules.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use manoury::bitbase::{Bitbases, Census, Index, Slice, Value, Verdict, Watch, folder_of};
use manoury::board::{Move, Side};
use manoury::engine::{Engine, Options};
use manoury::game::Game;
use manoury::movegen::legal_moves;
use manoury::position::Position;
use manoury::rules::{International, Rules};
use manoury::score::Score;
use manoury::search::{Control, Limits};
use tempfile::TempDir;

use crate::search::{depth, go, options, random_numbers};

/// With all bitbases of the program.
fn knowing() -> Options {
    Options { bb_size: 4, ..options() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Random positions of endings with a value, as many of each ending.
fn positions(
    slices: &[Slice],
    value: Value,
    each: usize,
    bitbases: &Bitbases<International>,
) -> Vec<Position<International>> {
    let mut random = random_numbers(5);
    let mut positions = Vec::new();
    for &slice in slices {
        let index = Index::<International>::new(slice);
        let mut found = 0;
        // Some endings have next to no such position.
        for _ in 0..20_000 {
            let position = index.pieces(random(index.len() as usize) as u64).position();
            if bitbases.value(&position) == Some(value) && !legal_moves(&position).is_empty() {
                positions.push(position);
                found += 1;
            }
            if found == each {
                break;
            }
        }
    }
    positions
}

/// Somebody who lets the work go on to its end.
struct Patience;

impl Watch for Patience {
    fn advance(&self, _: u64) {}

    fn is_stopped(&self) -> bool {
        false
    }
}

/// The move that delays a loss most, or wins first.
fn best_move<R: Rules>(game: &Game<R>, bitbases: &Bitbases<R>) -> Move<R::Geometry> {
    let verdict =
        |mv: &Move<R::Geometry>| bitbases.verdict(&game.position().after(*mv)).map(Verdict::before);
    *legal_moves(game.position()).iter().max_by_key(|mv| verdict(mv)).unwrap()
}

/// Plays a game to its end: the engine is to move, the opponent answers. Returns the winner.
fn play(
    engine: &mut Engine<International>,
    root: Position<International>,
    limits: Limits,
    mut answer: impl FnMut(&Game<International>) -> Move<manoury::board::Board10>,
) -> Option<Side> {
    engine.new_game();
    let us = root.side();
    let mut game = Game::new(root);
    loop {
        if let Some(outcome) = game.outcome() {
            return outcome.winner;
        }
        let mv = if game.position().side() == us {
            engine.set_game(game.clone());
            go(engine, limits, &Control::new()).0.mv.unwrap()
        } else {
            answer(&game)
        };
        game.play(mv);
    }
}

fn small_slices() -> Vec<Slice> {
    (2..=4).flat_map(Slice::all).collect()
}

#[test]
fn scores_are_the_truth() {
    let bitbases = Bitbases::embedded();
    let mut engine = Engine::new(knowing());
    for value in Value::ALL {
        for position in positions(&small_slices(), value, 4, &bitbases) {
            engine.set_game(Game::new(position));
            let (best, _) = go(&mut engine, depth(3), &Control::new());
            let plies = u32::from(bitbases.verdict(&position).unwrap().plies.unwrap_or_default());
            let expected = match value {
                Value::Win => Score::win_in(plies),
                Value::Draw => Score::DRAW,
                Value::Loss => Score::loss_in(plies),
            };
            assert_eq!(best.info.score, expected, "{position}");
            let after = bitbases.value(&position.after(best.mv.unwrap()));
            assert_eq!(after, Some(-value), "{position}");
        }
    }
}

#[test]
fn won_endings_are_won() {
    let bitbases = Bitbases::embedded();
    let mut engine = Engine::new(knowing());
    let mut roots = positions(&small_slices(), Value::Win, 8, &bitbases);
    for slice in small_slices() {
        // And the longest win of each ending.
        let census = Census::take(slice, &bitbases, &Patience).unwrap();
        let longest = census.longest(Value::Win).map(|(_, group)| group.first);
        let index = Index::<International>::new(slice);
        roots.extend(longest.map(|number| index.pieces(number).position::<International>()));
    }
    for root in roots {
        let winner = play(&mut engine, root, nodes(200), |game| best_move(game, &bitbases));
        assert_eq!(winner, Some(root.side()), "{root}");
    }
}

#[test]
fn drawn_endings_are_held() {
    let bitbases = Bitbases::embedded();
    let mut engine = Engine::new(knowing());
    let mut opponent = Engine::new(options());
    for root in positions(&small_slices(), Value::Draw, 4, &bitbases) {
        let winner = play(&mut engine, root, nodes(200), |game| {
            opponent.set_game(game.clone());
            go(&mut opponent, nodes(500), &Control::new()).0.mv.unwrap()
        });
        assert_ne!(winner, Some(root.side().opponent()), "{root}");
    }
}

/// A search that starts above the bitbases sees what they know.
#[test]
fn wins_are_seen_from_above() {
    let mut engine = Engine::<International>::new(knowing());
    let position = |fen: &str| manoury::notation::fen::parse::<International>(fen).unwrap();
    // Four kings against one win; the fifth piece is taken on the way.
    engine.set_game(Game::new(position("W:WK1,K2,K3,K4:BK50")));
    let (best, _) = go(&mut engine, depth(12), &Control::new());
    assert!(best.info.score.is_decisive() && best.info.score > Score::DRAW, "{}", best.info.score);
    // Three kings against one that holds the main road do not.
    engine.set_game(Game::new(position("W:WK1,K2,K3:BK5")));
    let (best, _) = go(&mut engine, depth(12), &Control::new());
    assert_eq!(best.info.score, Score::DRAW);
}

/// Those who want to see more lines than there are good moves see the others too, with the truth.
#[test]
fn lines_of_a_known_root_go_on_to_its_last_move() {
    let bitbases = Bitbases::embedded();
    for fen in ["W:W22,K50:BK5", "W:WK28:BK5", "W:W33,36:BK13,K41"] {
        let root = manoury::notation::fen::parse::<International>(fen).unwrap();
        let mut engine = Engine::new(Options { multipv: 32, ..knowing() });
        engine.set_game(Game::new(root));
        let mut lines = BTreeMap::new();
        engine.go(depth(4), &Control::new(), &mut |info| {
            lines.insert(info.rank, info.clone());
        });
        assert_eq!(lines.len(), legal_moves(&root).len(), "{fen}");
        let mut verdicts = Vec::new();
        for line in lines.values() {
            let verdict = bitbases.verdict(&root.after(line.pv[0])).unwrap().before();
            let plies = u32::from(verdict.plies.unwrap_or_default());
            let expected = match verdict.value {
                Value::Win => Score::win_in(plies),
                Value::Draw => Score::DRAW,
                Value::Loss => Score::loss_in(plies),
            };
            assert_eq!(line.score, expected, "{fen} {:?}", line.pv[0]);
            verdicts.push(verdict);
        }
        assert!(verdicts.is_sorted_by(|better, worse| better >= worse), "{fen}");
    }
}

/// The folder of bitbases that the environment names, values and distances, and what is in it.
fn five_pieces() -> (PathBuf, Bitbases<International>) {
    let folder = PathBuf::from(env::var_os("MANOURY_BITBASES").expect("a folder of bitbases"));
    let mut bitbases = Bitbases::embedded();
    assert!(bitbases.open(&folder_of::<International>(&folder), 5).is_empty());
    (folder, bitbases)
}

/// An engine with the bitbases of a folder.
fn with_files(folder: &Path) -> Engine<International> {
    Engine::new(Options { bb_size: 5, bb_dir: Some(folder.to_owned()), ..options() })
}

/// A folder like another, without the distances.
fn without_distances(folder: &Path) -> TempDir {
    let values = tempfile::tempdir().unwrap();
    let to = folder_of::<International>(values.path());
    fs::create_dir_all(&to).unwrap();
    for file in fs::read_dir(folder_of::<International>(folder)).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "bitbase") {
            fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    }
    values
}

/// Plays all endings against the best defence and returns those that are not won.
fn not_won(
    engine: &mut Engine<International>,
    roots: &[Position<International>],
    bitbases: &Bitbases<International>,
) -> Vec<Position<International>> {
    let mut is_won = |root: &Position<International>| {
        let answer = |game: &Game<_>| best_move(game, bitbases);
        play(engine, *root, nodes(20_000), answer) == Some(root.side())
    };
    roots.iter().copied().filter(|root| !is_won(root)).collect()
}

/// The engine wins against the best defence, also if it has nothing but the values.
#[test]
#[ignore = "needs bitbases of five pieces in MANOURY_BITBASES"]
fn won_endings_of_five_pieces_are_won() {
    let (folder, bitbases) = five_pieces();
    let slices: Vec<_> = (3..=5).flat_map(Slice::all).collect();
    let roots = positions(&slices, Value::Win, 20, &bitbases);
    assert!(roots.len() > 1000, "{}", roots.len());
    let values = without_distances(&folder);
    for folder in [folder.as_path(), values.path()] {
        assert_eq!(not_won(&mut with_files(folder), &roots, &bitbases), []);
    }
}

/// The engine holds draws against one that searches deeper and knows endings of four pieces.
#[test]
#[ignore = "needs bitbases of five pieces in MANOURY_BITBASES"]
fn drawn_endings_of_five_pieces_are_held() {
    let (folder, bitbases) = five_pieces();
    let mut engine = with_files(&folder);
    let mut opponent = Engine::new(knowing());
    for root in positions(&Slice::all(5), Value::Draw, 5, &bitbases) {
        let winner = play(&mut engine, root, nodes(500), |game| {
            opponent.set_game(game.clone());
            go(&mut opponent, nodes(2000), &Control::new()).0.mv.unwrap()
        });
        assert_ne!(winner, Some(root.side().opponent()), "{root}");
    }
}

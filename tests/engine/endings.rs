//! Endings covered by bitbases: the scores of the search are exact, and the engine plays the
//! endings perfectly under all draw rules.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use manoury::bitbase::{Content, Slice, Value, Verdict};
use manoury::board::{Move, Side};
use manoury::engine::bitbase_folder;
use manoury::engine::{Engine, EngineOptions};
use manoury::erased::{Bitbases, Game, Position};
use manoury::notation::fen;
use manoury::progress::NoProgress;
use manoury::rules::{Material, Variant};
use manoury::score::Score;
use manoury::search::{Control, Limits};
use tempfile::TempDir;

use crate::engine::searching::{depth, go, options, random_numbers};

/// The game of all tests here.
const GAME: Variant = Variant::International;

/// Options with all bitbases of the program.
fn knowing() -> EngineOptions {
    EngineOptions { bb_size: 4, ..options() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// The bitbases of the program.
fn embedded() -> Bitbases {
    Bitbases::embedded(GAME)
}

/// The value of a position that the bitbases cover.
fn value(bitbases: &Bitbases, position: &Position) -> Option<Value> {
    bitbases.probe(position).map(|verdict| verdict.value)
}

/// Random positions with a value that have a legal move, `each` of every ending.
fn positions(slices: &[Slice], wanted: Value, each: usize, bitbases: &Bitbases) -> Vec<Position> {
    let mut random = random_numbers(5);
    let mut positions = Vec::new();
    for &slice in slices {
        let file = bitbases.file(slice, Content::Values).unwrap();
        let mut found = 0;
        // Some endings have hardly any such positions.
        for _ in 0..20_000 {
            let position = bitbases.position(file, random(file.positions() as usize) as u64);
            if value(bitbases, &position) == Some(wanted) && position.has_move() {
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

/// The move that wins soonest or delays a loss longest.
fn best_move(game: &Game, bitbases: &Bitbases) -> Move {
    let verdict = |mv: &Move| bitbases.probe(&game.position().after(*mv)).map(Verdict::before);
    game.position().legal_moves().into_iter().max_by_key(verdict).unwrap()
}

/// Plays a game to its end, the engine against an opponent that plays `answer`; the engine moves
/// first. Returns the winner.
fn play(
    engine: &mut Engine,
    root: Position,
    limits: Limits,
    mut answer: impl FnMut(&Game) -> Move,
) -> Option<Side> {
    engine.new_game();
    let us = root.side();
    let mut game = Game::from_position(root);
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
fn scores_are_exact() {
    let bitbases = embedded();
    let mut engine = Engine::new(GAME, knowing());
    for expected in Value::ALL {
        for position in positions(&small_slices(), expected, 4, &bitbases) {
            engine.set_position(position);
            let (best, _) = go(&mut engine, depth(3), &Control::new());
            let plies = u32::from(bitbases.probe(&position).unwrap().plies.unwrap_or_default());
            let score = match expected {
                Value::Win => Score::win_in(plies),
                Value::Draw => Score::DRAW,
                Value::Loss => Score::loss_in(plies),
            };
            assert_eq!(best.info.score, score, "{position}");
            let after = value(&bitbases, &position.after(best.mv.unwrap()));
            assert_eq!(after, Some(-expected), "{position}");
        }
    }
}

/// Plays won positions, `each` of every small ending, and the longest win of each ending of up to
/// `pieces` pieces, which is found among all their positions.
fn win(each: usize, pieces: usize) {
    let bitbases = embedded();
    let mut engine = Engine::new(GAME, knowing());
    let mut roots = positions(&small_slices(), Value::Win, each, &bitbases);
    for slice in (2..=pieces).flat_map(Slice::all) {
        let counts = bitbases.count_verdicts(slice, &NoProgress).unwrap();
        let longest = counts.longest(Value::Win).map(|(_, group)| group.first);
        let file = bitbases.file(slice, Content::Values).unwrap();
        roots.extend(longest.map(|number| bitbases.position(file, number)));
    }
    for root in roots {
        let winner = play(&mut engine, root, nodes(200), |game| best_move(game, &bitbases));
        assert_eq!(winner, Some(root.side()), "{root}");
    }
}

#[test]
fn wins_won_endings() {
    win(1, 3);
}

#[test]
#[ignore = "slow: plays hundreds of endings"]
fn wins_many_won_endings() {
    win(8, 4);
}

#[test]
fn holds_drawn_endings() {
    let bitbases = embedded();
    let mut engine = Engine::new(GAME, knowing());
    let mut opponent = Engine::new(GAME, options());
    for root in positions(&small_slices(), Value::Draw, 4, &bitbases) {
        let winner = play(&mut engine, root, nodes(200), |game| {
            opponent.set_game(game.clone());
            go(&mut opponent, nodes(500), &Control::new()).0.mv.unwrap()
        });
        assert_ne!(winner, Some(root.side().opponent()), "{root}");
    }
}

/// A search from a position with more pieces than the bitbases cover finds their results.
#[test]
fn finds_bitbase_wins_from_larger_positions() {
    let mut engine = Engine::new(GAME, knowing());
    let position = |text: &str| fen::parse(GAME, text).unwrap();
    // Four kings win against one; a piece is captured on the way.
    engine.set_position(position("W:WK1,K2,K3,K4:BK50"));
    let (best, _) = go(&mut engine, depth(12), &Control::new());
    assert!(best.info.score.is_decisive() && best.info.score > Score::DRAW, "{}", best.info.score);
    // Three kings do not win against a king on the main diagonal.
    engine.set_position(position("W:WK1,K2,K3:BK5"));
    let (best, _) = go(&mut engine, depth(12), &Control::new());
    assert_eq!(best.info.score, Score::DRAW);
}

/// With more lines than good moves, the remaining lines have exact scores too.
#[test]
fn every_line_of_a_root_in_bitbases_is_exact() {
    let bitbases = embedded();
    for text in ["W:W22,K50:BK5", "W:WK28:BK5", "W:W33,36:BK13,K41"] {
        let root = fen::parse(GAME, text).unwrap();
        let mut engine = Engine::new(GAME, EngineOptions { multipv: 32, ..knowing() });
        engine.set_position(root);
        let mut lines = BTreeMap::new();
        engine.go(depth(4), &Control::new(), &mut |info| {
            lines.insert(info.rank, info.clone());
        });
        assert_eq!(lines.len(), root.legal_moves().len(), "{text}");
        let mut verdicts = Vec::new();
        for line in lines.values() {
            let verdict = bitbases.probe(&root.after(line.pv[0])).unwrap().before();
            let plies = u32::from(verdict.plies.unwrap_or_default());
            let expected = match verdict.value {
                Value::Win => Score::win_in(plies),
                Value::Draw => Score::DRAW,
                Value::Loss => Score::loss_in(plies),
            };
            assert_eq!(line.score, expected, "{text} {:?}", line.pv[0]);
            verdicts.push(verdict);
        }
        assert!(verdicts.is_sorted_by(|better, worse| better >= worse), "{text}");
    }
}

/// The folder of bitbases named by the environment, with values and distances, and its content.
fn five_pieces() -> (PathBuf, Bitbases) {
    let folder = PathBuf::from(env::var_os("MANOURY_BITBASES").expect("a folder of bitbases"));
    let mut bitbases = embedded();
    assert!(bitbases.open(&bitbase_folder(GAME, &folder), 5).is_empty());
    (folder, bitbases)
}

/// An engine with the bitbases of a folder.
fn with_files(folder: &Path) -> Engine {
    Engine::new(GAME, EngineOptions { bb_size: 5, bb_dir: Some(folder.to_owned()), ..options() })
}

/// A copy of a folder without the distances.
fn without_distances(folder: &Path) -> TempDir {
    let values = tempfile::tempdir().unwrap();
    let to = bitbase_folder(GAME, values.path());
    fs::create_dir_all(&to).unwrap();
    for file in fs::read_dir(bitbase_folder(GAME, folder)).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "bitbase") {
            fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    }
    values
}

/// Plays all endings against the best defence. Returns those that are not won.
fn not_won(engine: &mut Engine, roots: &[Position], bitbases: &Bitbases) -> Vec<Position> {
    let mut is_won = |root: &Position| {
        let answer = |game: &Game| best_move(game, bitbases);
        play(engine, *root, nodes(20_000), answer) == Some(root.side())
    };
    roots.iter().copied().filter(|root| !is_won(root)).collect()
}

/// The engine wins against the best defence, even without distances.
#[test]
#[ignore = "by hand: needs bitbases of five pieces in MANOURY_BITBASES"]
fn wins_won_endings_of_five_pieces_by_hand() {
    let (folder, bitbases) = five_pieces();
    let slices: Vec<_> = (3..=5).flat_map(Slice::all).collect();
    let roots = positions(&slices, Value::Win, 20, &bitbases);
    assert!(roots.len() > 1000, "{}", roots.len());
    let values = without_distances(&folder);
    for folder in [folder.as_path(), values.path()] {
        assert_eq!(not_won(&mut with_files(folder), &roots, &bitbases), []);
    }
}

/// The engine holds draws against an opponent that searches deeper and has bitbases of four pieces.
#[test]
#[ignore = "by hand: needs bitbases of five pieces in MANOURY_BITBASES"]
fn holds_drawn_endings_of_five_pieces_by_hand() {
    let (folder, bitbases) = five_pieces();
    let mut engine = with_files(&folder);
    let mut opponent = Engine::new(GAME, knowing());
    for root in positions(&Slice::all(5), Value::Draw, 5, &bitbases) {
        let winner = play(&mut engine, root, nodes(500), |game| {
            opponent.set_game(game.clone());
            go(&mut opponent, nodes(2000), &Control::new()).0.mv.unwrap()
        });
        assert_ne!(winner, Some(root.side().opponent()), "{root}");
    }
}

/// Endings of up to four pieces to which a move limit applies.
fn limited_slices(variant: Variant) -> Vec<Slice> {
    let applies = |slice: &Slice| {
        let Slice { men, kings } = *slice;
        let roads = [[false; 2], [true, false], [false, true]];
        roads.into_iter().any(|main_road| {
            let endings = variant.setup().draws.endings.iter();
            let material = Material { men, kings, main_road };
            endings.into_iter().any(|ending| (ending.applies)(material))
        })
    };
    (2..=4).flat_map(Slice::all).filter(applies).collect()
}

/// A random move, if possible one after which no piece can be captured.
fn any_move(game: &Game, random: &mut impl FnMut(usize) -> usize) -> Move {
    let moves = game.position().legal_moves();
    let safe = |mv: &&Move| {
        let after = game.position().after(**mv);
        !after.has_capture() && after.has_move()
    };
    let safe: Vec<_> = moves.iter().filter(safe).copied().collect();
    let choice = if safe.is_empty() { &moves } else { &safe };
    choice[random(choice.len())]
}

/// Plays `each` random games from every ending with a limit, until the limit ends them, and checks
/// the score of the search at every ply. Returns how many positions are won in time, and how many
/// too late.
fn check_scores_under_limits(variant: Variant, each: usize) -> [usize; 2] {
    let bitbases = Bitbases::embedded(variant);
    let mut engine = Engine::new(variant, knowing());
    let mut random = random_numbers(8);
    let (mut found, mut draws) = ([0; 2], 0);
    for slice in limited_slices(variant) {
        let Some(file) = bitbases.file(slice, Content::Values) else { continue };
        for _ in 0..each {
            let number = random(file.positions() as usize) as u64;
            let mut game = Game::from_position(bitbases.position(file, number));
            while game.outcome().is_none() {
                engine.set_game(game.clone());
                let score = go(&mut engine, depth(3), &Control::new()).0.info.score;
                let in_time = bitbases.wins_within_move_limits(&game);
                let place = format!("{variant:?} {} {:?}", game.position(), game.move_counts());
                assert!(in_time != Some(false) || !score.is_decisive(), "{score} {place}");
                draws += usize::from(in_time == Some(false) && score == Score::DRAW);
                let counts = game.move_counts();
                let limits = variant.setup().draws.endings.iter().zip(&counts[1..]);
                for (ending, count) in limits {
                    let left = count.map(|count| u32::from(ending.plies) - count as u32);
                    let late =
                        score.plies_to_end().zip(left).is_some_and(|(plies, left)| plies > left);
                    assert!(ending.restarts || !late, "{score} {place}");
                }
                if let Some(in_time) = in_time {
                    found[usize::from(!in_time)] += 1;
                }
                let mv = any_move(&game, &mut random);
                game.play(mv);
            }
        }
    }
    // Some take too long to prove before the search; their score is an evaluation.
    assert!(draws * 2 >= found[1], "{variant:?}: {draws} of {found:?}");
    found
}

/// Games whose rules limit the number of moves in certain endings.
const LIMITED: [Variant; 8] = [
    Variant::International,
    Variant::Russian,
    Variant::Brazilian,
    Variant::Frisian,
    Variant::Spanish,
    Variant::Pool,
    Variant::Turkish,
    Variant::Canadian,
];

#[test]
fn no_win_that_a_move_limit_prevents() {
    // Each has limits of another kind.
    let variants = [Variant::International, Variant::Russian, Variant::Frisian, Variant::Turkish];
    let found = variants.map(|variant| check_scores_under_limits(variant, 1));
    assert!(found.iter().map(|[_, late]| late).sum::<usize>() > 6, "{found:?}");
}

#[test]
#[ignore = "slow: searches endings at every count"]
fn no_win_that_a_move_limit_prevents_in_many_games() {
    for variant in LIMITED {
        check_scores_under_limits(variant, 4);
    }
}

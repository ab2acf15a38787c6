use std::collections::HashMap;

use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::file::file_of;
use super::*;
use crate::position::Key;

const GAME: Variant = Variant::International;

fn about() -> BookInfo {
    BookInfo {
        variant: "international".to_owned(),
        start: Position::start(GAME).key().0,
        program: "0".to_owned(),
        weights: None,
        effort: Effort::Nodes(1),
        expanded: 0,
    }
}

/// A fake search result with a score computed from the key.
fn found(position: &Position, spread: u64) -> SearchedPosition {
    let score = (position.key().0 % spread) as i16 - (spread / 2) as i16;
    let best = position.legal_moves().first().copied();
    SearchedPosition {
        position: *position,
        score: Score(score),
        depth: 1 + score.unsigned_abs() as u32,
        best,
    }
}

fn expand(graph: &mut Graph, node: NodeId, spread: u64) {
    let found: Vec<_> = graph.unknown(node).iter().map(|next| found(next, spread)).collect();
    graph.expand(node, &found);
}

fn grown(positions: usize, spread: u64) -> Graph {
    let mut graph = Graph::new(GAME);
    for _ in 0..positions {
        let node = graph.reserve_next().unwrap();
        expand(&mut graph, node, spread);
    }
    graph
}

/// The book of a graph, written to a file and read back.
fn book(graph: &Graph) -> Book {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book");
    Book::write(&path, &about(), &graph.entries()).unwrap();
    Book::open(GAME, &path).unwrap()
}

/// The bytes of a small book file.
fn small_file() -> Vec<u8> {
    file_of(&about(), &grown(5, 40).entries()).unwrap()
}

fn fault(file: &[u8]) -> String {
    Book::read(GAME, file).unwrap_err().to_string()
}

/// The bytes of a file with the checksum corrected.
fn checked(mut file: Vec<u8>) -> Vec<u8> {
    let body = file.len() - 4;
    let check = crc32fast::hash(&file[..body]);
    file[body..].copy_from_slice(&check.to_le_bytes());
    file
}

/// The score of a position, by plain negamax over a book.
fn negamax(book: &Book, position: &Position, known: &mut HashMap<Key, i16>) -> i16 {
    if let Some(&score) = known.get(&position.key()) {
        return score;
    }
    let entry = book.entry(position).unwrap();
    let moves = position.legal_moves();
    let through = moves.iter().map(|&mv| -negamax(book, &position.after(mv), known));
    let score = if entry.is_expanded() { through.max().unwrap() } else { entry.score.0 };
    assert_eq!(score, entry.score.0);
    known.insert(position.key(), score);
    score
}

#[test]
fn scores_are_propagated_to_the_start() {
    for spread in [3, 40, 700] {
        let graph = grown(300, spread);
        let mut known = HashMap::new();
        let score = negamax(&book(&graph), &Position::start(GAME), &mut known);
        assert_eq!((Score(score), known.len()), (graph.score(), graph.len()), "{spread}");
    }
}

/// Whether a position of a book may be expanded.
fn is_open(book: &Book, position: &Position) -> bool {
    let entry = book.entry(position).unwrap();
    let is_open = entry.score.0.abs() <= 150 && entry.best.is_some();
    !entry.is_expanded() && is_open && position.all_kings().is_empty()
}

/// The lowest cost of a path to a position that meets a condition, by exhaustive search.
fn least_cost(book: &Book, from: &Position, is_target: &dyn Fn(&Position) -> bool) -> Option<i32> {
    if is_target(from) {
        return Some(0);
    }
    let (entry, moves) = (book.entry(from).unwrap(), book.moves(from));
    let ply = i32::from(moves.len() > 1);
    let cost = |mv: &BookMove| {
        let drop = i32::from(entry.score.0) - i32::from(mv.score.0);
        Some(least_cost(book, &mv.next, is_target)? + ply + drop)
    };
    moves.iter().filter_map(cost).min()
}

#[test]
fn the_cheapest_position_is_reserved_next() {
    for spread in [3, 40, 500] {
        let mut graph = grown(30, spread);
        for _ in 0..20 {
            let before = book(&graph);
            let node = graph.reserve_next().unwrap();
            // No position that may be expanded is cheaper to reach.
            let position = *graph.position(node);
            assert!(is_open(&before, &position));
            let start = Position::start(GAME);
            let cost = least_cost(&before, &start, &|end| end.key() == position.key());
            assert_eq!(cost, least_cost(&before, &start, &|end| is_open(&before, end)));
            expand(&mut graph, node, spread);
        }
    }
}

#[test]
fn reserved_positions_are_not_reserved_again() {
    let mut graph = grown(20, 40);
    let reserved: Vec<_> = (0..10).map(|_| graph.reserve_next().unwrap()).collect();
    let different: std::collections::HashSet<_> = reserved.iter().collect();
    assert_eq!((different.len(), graph.reserved()), (10, 10));
    assert_eq!(graph.reserve(&graph.position(reserved[3]).clone()), None);
    for &node in &reserved[1..] {
        graph.release(node);
    }
    assert_eq!(graph.reserve_next(), Some(reserved[1]), "the next best after the first");
    graph.release(reserved[1]);
    graph.release(reserved[0]);
    assert_eq!((graph.reserve_next(), graph.reserved()), (Some(reserved[0]), 1));
}

#[test]
fn decided_positions_are_not_expanded() {
    let mut graph = Graph::new(GAME);
    let start = graph.reserve_next().unwrap();
    let lost = |position: &Position| SearchedPosition { score: Score(-151), ..found(position, 3) };
    let found: Vec<_> = graph.unknown(start).iter().map(lost).collect();
    graph.expand(start, &found);
    assert_eq!((graph.reserve_next(), graph.score()), (None, Score(151)));
    assert!(graph.reserve(&found[0].position).is_some(), "unless asked for");
}

#[test]
fn a_saved_book_grows_like_an_unsaved_one() {
    let (mut one, all) = (grown(60, 40), grown(100, 40));
    one = Graph::from_book(&book(&one)).unwrap();
    assert_eq!((one.expanded(), one.entries()), (60, grown(60, 40).entries()));
    while one.expanded() < all.expanded() {
        let node = one.reserve_next().unwrap();
        expand(&mut one, node, 40);
    }
    assert_eq!(one.entries(), all.entries());
    assert_eq!(book(&one).line(&Position::start(GAME))[..one.line().len()], one.line());
}

#[test]
fn books_are_merged() {
    let (small, other) = (grown(40, 40), grown(60, 300));
    let mut both = Graph::from_book(&book(&small)).unwrap();
    both.add(&book(&other)).unwrap();
    let sum = both.expanded();
    assert!(sum > 60 && sum < 100, "{sum}");
    negamax(&book(&both), &Position::start(GAME), &mut HashMap::new());
    let mut turned = Graph::from_book(&book(&other)).unwrap();
    turned.add(&book(&small)).unwrap();
    assert_eq!((turned.expanded(), turned.len()), (sum, both.len()));
    both.add(&book(&small)).unwrap();
    assert_eq!(both.expanded(), sum, "nothing new");
}

#[test]
fn moves_are_sorted_best_first() {
    let book = book(&grown(50, 40));
    let start = Position::start(GAME);
    let moves = book.moves(&start);
    assert_eq!(moves.len(), 9);
    assert!(moves.is_sorted_by_key(|mv| std::cmp::Reverse(mv.score)));
    assert_eq!(moves[0].score, book.entry(&start).unwrap().score);
    assert_eq!(moves[0].mv, book.line(&start)[0]);
    for mv in &moves {
        assert_eq!(mv.next, start.after(mv.mv));
        assert_eq!(book.entry(&mv.next), Some(mv.entry));
    }
    let off = moves[0].next.after(moves[0].next.legal_moves()[0]);
    let end = book.moves(&off).into_iter().find(|mv| !mv.entry.is_expanded());
    assert!(end.is_none_or(|end| book.moves(&end.next).is_empty()));
}

#[test]
fn chosen_moves_are_within_the_margin() {
    let book = book(&grown(50, 40));
    let moves = book.moves(&Position::start(GAME));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for margin in [0, 3, 9, 100] {
        let mut drawn: Vec<_> =
            (0..500).map(|_| choose_move(&moves, margin, &mut random).unwrap().mv).collect();
        drawn.sort_by_key(|mv| mv.numbers());
        drawn.dedup();
        let good = moves.iter().filter(|mv| moves[0].score.0 - mv.score.0 <= margin as i16);
        let mut good: Vec<_> = good.map(|mv| mv.mv).collect();
        good.sort_by_key(|mv| mv.numbers());
        assert_eq!(drawn, good, "{margin}");
    }
    assert_eq!(choose_move(&[], 100, &mut random), None);
}

#[test]
fn rejects_invalid_files() {
    let file = small_file();
    assert!(Book::read(GAME, &file).is_ok());
    assert_eq!(fault(b"[Event \"?\"]"), "not a Manoury book file");
    assert_eq!(fault(&file[..4]), "not a Manoury book file");
    for length in [8, 11, 12, 40, file.len() / 2, file.len() - 1] {
        assert!(
            ["not a Manoury book file", "corrupt"].contains(&&*fault(&file[..length])),
            "{length}"
        );
    }
    let newer = [&file[..8], &[3, 0, 0, 0], &file[12..]].concat();
    assert_eq!(fault(&newer), "format version 3, expected 2");
    let killer = Book::read(Variant::Killer, &file).unwrap_err();
    assert_eq!(killer.to_string(), "a book for another variant: international");
    let mut swapped = grown(5, 40).entries();
    swapped.swap(0, 1);
    assert_eq!(fault(&file_of(&about(), &swapped).unwrap()), "corrupt", "entries out of order");
    let end = file.len() - 4;
    let shortened = [&file[..end - 5], &file[end..]].concat();
    assert_eq!(fault(&checked(shortened)), "corrupt", "an incomplete entry");
    let length = u32::MAX.to_le_bytes();
    assert_eq!(fault(&checked([&file[..12], &length, &file[16..]].concat())), "corrupt");
}

#[test]
fn reads_files_of_the_first_version() {
    let (file, entries) = (small_file(), grown(5, 40).entries());
    let text = u32::from_le_bytes([file[12], file[13], file[14], file[15]]) as usize;
    let bytes: Vec<_> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    let old = [&file[..8], &[1, 0, 0, 0], &file[12..16 + text], &bytes, &[0; 4]].concat();
    let book = Book::read(GAME, &checked(old)).unwrap();
    assert_eq!(book.entries, bytes);
    assert_eq!(book.entries, Book::read(GAME, &file).unwrap().entries);
}

#[test]
fn rejects_other_keys() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book");
    Book::write(&path, &BookInfo { start: 1, ..about() }, &[]).unwrap();
    let error = Book::open(GAME, &path).unwrap_err().to_string();
    assert!(error.ends_with("book: a book from an incompatible version of the program"), "{error}");
}

#[test]
fn rejects_missing_positions() {
    let mut entries = grown(5, 40).entries();
    let start = Position::start(GAME);
    let next = start.after(start.legal_moves()[0]).key();
    entries.retain(|entry| entry.key != next);
    let file = file_of(&about(), &entries).unwrap();
    let book = Book::read(GAME, &file).unwrap();
    let problem = Graph::from_book(&book).unwrap_err();
    assert_eq!(problem.to_string(), "corrupt: positions are missing");
}

proptest! {
    #[test]
    fn entries_round_trip(bytes: [u8; Entry::BYTES]) {
        prop_assert_eq!(Entry::from_bytes(&bytes).to_bytes(), bytes);
    }

    #[test]
    fn detects_a_changed_byte(place: prop::sample::Index, change in 1_u8..) {
        let mut file = small_file();
        let place = place.index(file.len());
        file[place] ^= change;
        prop_assert!(Book::read(GAME, &file).is_err());
    }
}

#[test]
fn positions_that_would_close_a_cycle_stay_leaves() {
    let mut graph = Graph::new(Variant::Turkish);
    let mut position = Position::start(Variant::Turkish);
    for (from, to) in [(41, 33), (24, 32), (33, 34), (32, 31), (34, 33)] {
        let node = graph.reserve(&position).unwrap();
        expand(&mut graph, node, 40);
        position = position.after(Move::quiet(from, to));
    }
    let expanded = graph.expanded();
    let node = graph.reserve(&position).unwrap();
    expand(&mut graph, node, 40);
    assert_eq!(graph.expanded(), expanded, "31-32 goes back to the second ply");
    assert_eq!(graph.reserve(&position), None);
    for _ in 0..50 {
        let node = graph.reserve_next().unwrap();
        expand(&mut graph, node, 40);
    }
    assert!(graph.line().len() < graph.expanded());
}

#[test]
fn a_line_ends_where_a_damaged_book_closes_a_cycle() {
    let mut position = Position::start(Variant::Turkish);
    let mut entries = Vec::new();
    for (from, to) in [(41, 33), (24, 32), (33, 34), (32, 31), (34, 33), (31, 32)] {
        let mv = Move::quiet(from, to);
        let best = position.sorted_moves().iter().position(|&other| other == mv).unwrap() as u8;
        entries.push(Entry { key: position.key(), score: Score::DRAW, depth: 0, best: Some(best) });
        position = position.after(mv);
    }
    entries.sort_by_key(|entry| entry.key);
    let entries = entries.into_iter().flat_map(Entry::to_bytes).collect();
    let book = Book { variant: Variant::Turkish, about: about(), entries, checksum: 0 };
    assert!(book.entry(&position).is_some(), "31-32 goes back to the second ply");
    assert_eq!(book.line(&Position::start(Variant::Turkish)).len(), 6);
}

//! Searches with several lines: their order, their moves, and their state when a search is stopped.

use std::collections::BTreeMap;

use manoury::engine::{Engine, EngineOptions};
use manoury::erased::Position;
use manoury::notation::fen;
use manoury::rules::Variant;
use manoury::score::Score;
use manoury::search::{Control, Info, Limits, Mode, SearchResult};

/// Open, closed, with a choice of captures, with kings, nearly won, nearly lost.
const POSITIONS: &[&str] = &[
    "W:W31-50:B1-20",
    "W:W27,28,32,33,37,38,42,43,45,48:B8,9,12,13,14,16,18,19,21,24",
    "W:W28,38,50:B22,23,33,9,10",
    "W:WK46,K47,36:BK1,5,6",
    "W:WK28,47,48:B45",
    "B:WK28,K47,K46:B25,K4",
    "W:W46:B32,K6",
    "W:WK28,K33:B40",
];

/// Searches a position. Returns the result and the last line of each rank.
fn search(position: Position, multipv: u32, limits: Limits) -> (SearchResult, Vec<Info>) {
    let options =
        EngineOptions { threads: 1, tt_size: 16, multipv, bb_size: 0, ..EngineOptions::default() };
    let mut engine = Engine::new(position.variant(), options);
    engine.set_position(position);
    let mut lines = BTreeMap::new();
    let best = engine.go(limits, &Control::new(), &mut |info| {
        lines.insert(info.rank, info.clone());
    });
    let lines: Vec<_> = lines.into_values().collect();
    check(&position, multipv as usize, &best, &lines);
    (best, lines)
}

/// Checks what holds for the lines of every search.
fn check(position: &Position, multipv: usize, best: &SearchResult, lines: &[Info]) {
    let moves = position.legal_moves();
    assert!(!lines.is_empty() && lines.len() <= multipv.min(moves.len()));
    assert_eq!(lines.first(), Some(&best.info));
    assert_eq!(best.mv, best.info.pv.first().copied());
    for (index, line) in lines.iter().enumerate() {
        assert_eq!(line.rank, index as u32 + 1);
        let is_other = lines[..index].iter().all(|better| better.pv[0] != line.pv[0]);
        assert!(is_other && moves.contains(&line.pv[0]));
        line.pv.iter().fold(*position, |position, &mv| {
            assert!(position.legal_moves().contains(&mv), "{mv:?} in\n{position}");
            position.after(mv)
        });
    }
    let scores: Vec<_> = lines.iter().map(|line| line.score).collect();
    assert!(scores.is_sorted_by(|better, worse| better >= worse), "{scores:?}\n{position}");
}

fn position(text: &str) -> Position {
    fen::parse(Variant::International, text).unwrap()
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), mode: Mode::Analyze, ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), mode: Mode::Analyze, ..Limits::default() }
}

#[test]
fn every_rank_reaches_the_depth() {
    for text in POSITIONS {
        let position = position(text);
        for multipv in [1, 2, 3, 100] {
            let (_, lines) = search(position, multipv, depth(7));
            let moves = position.legal_moves().len();
            assert_eq!(lines.len(), moves.min(multipv as usize), "{text}");
            // Lines may be less deep only if all are proven.
            let is_deep = lines.iter().all(|line| line.depth == 7);
            assert!(is_deep || lines.iter().all(|line| line.score.is_decisive()), "{text}");
        }
    }
}

#[test]
fn a_stopped_search_leaves_valid_lines() {
    for text in POSITIONS {
        let position = position(text);
        for limit in [1, 2, 5, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000] {
            let (best, lines) = search(position, 3, nodes(limit));
            assert!(best.info.nodes <= limit);
            if limit >= 1_000 {
                assert_eq!(lines.len(), position.legal_moves().len().min(3), "{text}");
            }
        }
    }
}

#[test]
fn a_proven_line_has_the_score_of_its_first_move() {
    let mut proven = 0;
    for text in &POSITIONS[3..] {
        let position = position(text);
        let (_, lines) = search(position, 100, depth(8));
        for line in lines.iter().filter(|line| line.score.is_decisive()) {
            let next = position.after(line.pv[0]);
            if !next.has_move() {
                assert_eq!(line.score, Score::win_in(1));
                continue;
            }
            let (reply, _) = search(next, 1, depth(12));
            let is_same = reply.info.score.is_decisive()
                && (reply.info.score > Score::DRAW) == (line.score < Score::DRAW);
            assert!(is_same, "{text}: {:?} {}, then {}", line.pv[0], line.score, reply.info.score);
            proven += 1;
        }
    }
    assert!(proven >= 5, "{proven}");
}

#[test]
fn every_variant_has_lines() {
    for &variant in Variant::ALL {
        let (_, lines) = search(Position::start(variant), 4, depth(6));
        assert_eq!(lines.len(), 4, "{variant}");
    }
}

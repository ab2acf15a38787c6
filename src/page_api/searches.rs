//! What searches have found, for people.

use serde::Serialize;

use crate::analysis::{Review, SearchOutcome};
use crate::board::Move;
use crate::erased::{Game, Position};
use crate::notation::hub;
use crate::notation::pdn::{self, GameRecord};
use crate::protocol::hub::{HubLine, parse_number};
use crate::report::page::{PageGame, chances, shown};
use crate::score::Score;

use super::words::Knowledge;

/// A line that a search has found.
#[derive(Serialize)]
pub struct FoundLine {
    /// 1 for the best.
    rank: u32,
    depth: u32,
    /// For White, as people read it: `+0.35`, `+#12` for a win of White in 12 plies.
    score: String,
    /// White's chances in points, 0 to 1.
    chances: f64,
    nodes: u64,
    /// Seconds.
    time: f64,
    /// The moves with their numbers, as in PDN.
    text: String,
    /// The moves in Hub notation.
    moves: Vec<String>,
    /// The first move.
    from: Option<u8>,
    to: Option<u8>,
}

/// An `info` line.
struct Info {
    rank: u32,
    depth: u32,
    score: Score,
    nodes: u64,
    time: f64,
    line: Vec<Move>,
}

impl Info {
    /// Reads a line about a position; `None` if it is not an `info` line with a score.
    fn read(position: &Position, text: &str) -> Option<Info> {
        let line = HubLine::parse(text);
        let number = |name| line.value(name).and_then(parse_number);
        // The casts saturate.
        let score = (100.0 * number("score")?).round() as i16;
        let limit = Score::WIN.0;
        (line.word == "info").then(|| Info {
            rank: number("multipv").unwrap_or(1.0) as u32,
            depth: number("depth").unwrap_or_default() as u32,
            score: Score(score.clamp(-limit, limit)),
            nodes: number("nodes").unwrap_or_default() as u64,
            time: number("time").unwrap_or_default(),
            line: moves(*position, line.value("pv").unwrap_or_default()),
        })
    }
}

/// The moves of a line up to the first that is not legal.
fn moves(mut position: Position, text: &str) -> Vec<Move> {
    let words = text.split_whitespace();
    let moves = words.map_while(|word| {
        let mv = hub::parse_move(&position, word).ok()?;
        position = position.after(mv);
        Some(mv)
    });
    moves.collect()
}

/// What `info` lines about the last position of a game say.
pub fn lines(game: &Game, infos: &[String]) -> Vec<FoundLine> {
    let infos = infos.iter().filter_map(|text| Info::read(game.position(), text));
    infos.map(|info| found_line(game, &info)).collect()
}

fn found_line(game: &Game, info: &Info) -> FoundLine {
    let side = game.position().side();
    let first = info.line.first();
    FoundLine {
        rank: info.rank,
        depth: info.depth,
        score: shown(info.score, side),
        chances: chances(info.score, side),
        nodes: info.nodes,
        time: info.time,
        text: numbered(game, &info.line),
        moves: info.line.iter().map(|&mv| hub::format_move(mv)).collect(),
        from: first.map(|mv| mv.from),
        to: first.map(|mv| mv.to),
    }
}

/// Moves after a game, with numbers.
fn numbered(game: &Game, moves: &[Move]) -> String {
    let mut position = *game.position();
    let words = moves.iter().enumerate().map(|(index, &mv)| {
        let number = pdn::move_number(game.start(), game.plies() + index);
        let word = pdn::format_move(&position, mv);
        position = position.after(mv);
        let is_numbered = index == 0 || !number.ends_with("...");
        if is_numbered { format!("{number} {word}") } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The review of a game from the `info` lines of the search of each of its positions, the start
/// first; the last line of each rank counts.
pub fn review(
    game: &Game,
    names: &[String; 2],
    searches: &[Vec<String>],
    knowledge: &Knowledge,
) -> Result<PageGame, String> {
    let positions = game.positions();
    if searches.len() != positions.len() {
        return Err(format!("{} searches of {} positions", searches.len(), positions.len()));
    }
    let outcomes = positions.iter().zip(searches);
    let outcomes: Vec<_> = outcomes.map(|(position, infos)| outcome(position, infos)).collect();
    let review =
        Review::new(game, &outcomes, knowledge.bitbases(game.position()), knowledge.book());
    let mut record = GameRecord::from_game(game);
    for (tag, name) in ["White", "Black"].into_iter().zip(names) {
        record.tags.set(tag, name);
    }
    Ok(PageGame::new(&record, &review, true))
}

fn outcome(position: &Position, infos: &[String]) -> SearchOutcome {
    let infos: Vec<_> = infos.iter().filter_map(|text| Info::read(position, text)).collect();
    let last = |rank| infos.iter().rfind(|info| info.rank == rank);
    let moves = position.legal_moves();
    // A finished game has no search: its outcome is the score.
    let ended = position.outcome().map(|outcome| match outcome.winner {
        Some(winner) if winner == position.side() => Score::win_in(0),
        Some(_) => Score::loss_in(0),
        None => Score::DRAW,
    });
    let best = last(1);
    SearchOutcome {
        score: ended.or(best.map(|info| info.score)).unwrap_or_default(),
        depth: best.map_or(0, |info| info.depth),
        line: best.map(|info| info.line.clone()).unwrap_or_default(),
        second: last(2).map(|info| info.score),
        is_forced: moves.len() == 1,
    }
}

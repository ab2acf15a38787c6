//! The games on the live page: those in progress and the finished ones.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use crate::arena::openings::Opening;
use crate::arena::played::{GameSlot, PlayedGame, PlayedMove, Termination};
use crate::arena::referee::GameUpdate;
use crate::arena::summary::SprtSummary;
use crate::board::{Move, Side};
use crate::erased::Position;
use crate::notation::{fen, hub, pdn};
use crate::report::page::{chances, pieces, shown};

use super::report::in_hundredths;

/// Maximum number of points of the curve of a sequential test.
const MAX_POINTS: usize = 400;
/// Maximum number of moves shown of an engine's line.
const MAX_LINE: usize = 12;

/// A game in progress.
pub struct RunningGame {
    opening: String,
    opening_plies: usize,
    start: Position,
    position: Position,
    moves: Vec<PlayedMove>,
    last: Option<Move>,
    clocks: [Option<Duration>; 2],
    /// The last search of White and of Black: the root position, and the line in the engine's
    /// notation.
    lines: [Option<(Position, String)>; 2],
}

/// The course of the log-likelihood ratio of a sequential test, with its bounds.
#[derive(Clone, Serialize)]
pub struct TestCurve {
    lower: f64,
    upper: f64,
    points: Vec<f64>,
    /// The number of games from one point to the next.
    step: u64,
}

/// The finished games: the rows of the list in memory, the games in a temporary file.
pub struct FinishedGames {
    /// The rows of the list, as JSON.
    rows: Vec<String>,
    /// The offset and length of each game in the file.
    places: BTreeMap<[usize; 2], (u64, usize)>,
    file: File,
    length: u64,
}

impl RunningGame {
    /// Creates a game that starts with an opening.
    pub fn new(opening: &Opening) -> RunningGame {
        RunningGame {
            opening: opening.name.clone(),
            opening_plies: opening.game.plies(),
            start: *opening.game.start(),
            position: *opening.game.start(),
            moves: Vec::new(),
            last: None,
            clocks: [None; 2],
            lines: [None, None],
        }
    }

    /// Applies an update of the game.
    pub fn update(&mut self, update: &GameUpdate<'_>) {
        let known = self.moves.len();
        self.moves.extend_from_slice(update.moves.get(known..).unwrap_or_default());
        self.last = update.game.moves().last().copied();
        // Updates come after each move of an engine, so the previous position is the one it
        // searched.
        let before = std::mem::replace(&mut self.position, *update.game.position());
        self.clocks = update.clocks;
        if !update.pv.is_empty() {
            self.lines[before.side().index()] = Some((before, update.pv.to_owned()));
        }
    }

    /// The side that played a move.
    fn side(&self, ply: usize) -> Side {
        match ply % 2 {
            0 => self.start.side(),
            _ => self.start.side().opponent(),
        }
    }

    /// The game as JSON for the page.
    pub fn shown(&self, slot: GameSlot, names: [&str; 2]) -> serde_json::Value {
        let scored = self.moves.iter().enumerate();
        let chances: Vec<_> = scored
            .filter_map(|(ply, mv)| Some(chances(in_hundredths(mv.score?), self.side(ply))))
            .collect();
        let players = Side::ALL.map(|side| self.player(side));
        json!({
            "pair": slot.pair, "game": slot.game, "names": names, "opening": self.opening,
            "pieces": pieces(&self.position), "last": self.last.map(|mv| [mv.from, mv.to]),
            "side": self.position.side(), "plies": self.moves.len(), "chances": chances,
            "players": players,
        })
    }

    /// The clock of a player and its last search, as JSON.
    fn player(&self, side: Side) -> serde_json::Value {
        let mut moves = self.moves.iter().enumerate().skip(self.opening_plies).rev();
        let last = moves.find(|&(ply, _)| self.side(ply) == side).map(|(_, mv)| mv);
        let speed =
            last.and_then(|mv| Some(mv.nodes? as f64 / mv.time.filter(|&time| time > 0.0)?));
        json!({
            "clock": self.clocks[side.index()].map(|left| left.as_secs_f64()),
            "score": last.and_then(|mv| mv.score).map(|score| shown(in_hundredths(score), side)),
            "depth": last.and_then(|mv| mv.depth), "speed": speed,
            "line": self.lines[side.index()].as_ref().map(|(position, line)| in_pdn(position, line)),
        })
    }

    /// The moves so far as a record.
    pub fn played(&self, slot: GameSlot) -> PlayedGame {
        PlayedGame {
            slot,
            round: None,
            identities: Default::default(),
            machine: String::new(),
            date: String::new(),
            opening: self.opening.clone(),
            fen: fen::format(&self.start),
            opening_plies: self.opening_plies,
            winner: None,
            reason: Termination::Length,
            detail: String::new(),
            seconds: 0.0,
            moves: self.moves.clone(),
        }
    }
}

/// Converts a line of an engine to PDN, up to the first move that cannot be parsed.
fn in_pdn(position: &Position, line: &str) -> String {
    let mut at = *position;
    let moves: Vec<_> = line
        .split_whitespace()
        .take(MAX_LINE)
        .map_while(|text| {
            let mv = hub::parse_move_leniently(&at, text).ok()?;
            at = at.after(mv);
            Some(mv)
        })
        .collect();
    pdn::format_line(position, &moves)
}

impl TestCurve {
    /// Adds the state of the test after a number of games.
    pub fn add(curve: &mut Option<TestCurve>, test: &SprtSummary, games: u64) {
        let &SprtSummary { llr, lower, upper, .. } = test;
        let curve = curve.get_or_insert(TestCurve { lower, upper, points: Vec::new(), step: 1 });
        if !games.is_multiple_of(curve.step) {
            return;
        }
        curve.points.push(llr);
        if curve.points.len() > MAX_POINTS {
            curve.points = curve.points.iter().copied().skip(1).step_by(2).collect();
            curve.step *= 2;
        }
    }
}

impl FinishedGames {
    /// Creates an empty list.
    ///
    /// # Errors
    ///
    /// The temporary file cannot be created.
    pub fn new() -> io::Result<FinishedGames> {
        let file = tempfile::tempfile()?;
        Ok(FinishedGames { rows: Vec::new(), places: BTreeMap::new(), file, length: 0 })
    }

    /// The rows of the list as JSON, in the order in which the games ended.
    pub fn rows(&self) -> &[String] {
        &self.rows
    }

    /// Adds a game, and its row in the list as JSON.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn add(&mut self, played: &PlayedGame, row: String) -> io::Result<()> {
        let text = serde_json::to_vec(played)?;
        self.file.seek(SeekFrom::Start(self.length))?;
        self.file.write_all(&text)?;
        let place = [played.slot.pair, played.slot.game];
        self.places.insert(place, (self.length, text.len()));
        self.length += text.len() as u64;
        self.rows.push(row);
        Ok(())
    }

    /// A game by its pair and its number in the pair; `None` if it is not finished.
    pub fn game(&mut self, place: [usize; 2]) -> Option<PlayedGame> {
        let &(start, length) = self.places.get(&place)?;
        let mut text = vec![0; length];
        self.file.seek(SeekFrom::Start(start)).ok()?;
        self.file.read_exact(&mut text).ok()?;
        serde_json::from_slice(&text).ok()
    }
}

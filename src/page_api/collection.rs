//! The games in an opened file, indexed as its text arrives, then searched by player, event,
//! result, date and position.
//!
//! The index contains the header of each game and the keys of the positions of its main line. A
//! search scans all of them: 50,000 games have about 4 million positions, 32 MB.

use std::mem;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::board::Side;
use crate::book::BookMove;
use crate::erased::Position;
use crate::notation::pdn::{
    self, DateRange, GameFilter, GameHeader, GameRecord, GameText, ResultKind,
};
use crate::notation::{fen, hub};
use crate::parallel;
use crate::position::{Key, KingRun};
use crate::report::page::shown;
use crate::rules::Variant;

/// The maximum size of a file in bytes. The page learns this limit from the response to `games`.
pub const MAX_FILE: usize = 64 << 20;

/// The maximum number of games in a file.
const MAX_GAMES: usize = 200_000;

/// The maximum size of a game in bytes. A longer game is cut, so that a file without games is not
/// read again from its start whenever another part arrives.
const MAX_GAME: usize = 1 << 20;

/// The maximum number of games in a response.
const MAX_ROWS: usize = 1000;

/// The minimum size, in bytes, of the chunks of text that threads read.
const CHUNK: usize = 64 << 10;

/// The size, in bytes, at which a part of an export ends.
const EXPORT_PART: usize = 2 << 20;

/// The games in a file.
#[derive(Debug)]
pub struct Collection {
    /// The variant to assume for games whose tags don't specify one.
    variant: Variant,
    text: String,
    /// The byte offset of the text that has not been indexed yet.
    unread: usize,
    games: Vec<IndexedGame>,
    /// The positions of all games.
    keys: Vec<Key>,
}

#[derive(Debug)]
struct IndexedGame {
    /// The byte range of the game in the text.
    text: Range<usize>,
    header: GameHeader,
    variant: Variant,
    /// The start, unless it is the start position of the variant.
    start: Option<Box<Position>>,
    /// The positions of the main line, as indices into the keys.
    positions: Range<usize>,
    evaluations: Box<[Evaluation]>,
    /// Whether the game contains an error; its positions are then those before the error.
    is_broken: bool,
}

/// The evaluation of a position, from a comment in a game.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Evaluation {
    /// The number of plies before the position.
    ply: usize,
    /// The score in men, from White's point of view.
    men: f64,
}

/// A game in a part of the text.
#[derive(PartialEq, Debug)]
struct ReadGame {
    /// The byte offset at which the game ends.
    end: usize,
    has_open_comment: bool,
    header: GameHeader,
    start: Position,
    keys: Vec<Key>,
    evaluations: Box<[Evaluation]>,
    is_broken: bool,
}

/// Search criteria; empty strings match everything.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Query {
    player: String,
    event: String,
    /// `white`, `draw`, `black` or `unknown`.
    result: String,
    /// The earliest and latest dates.
    since: String,
    until: String,
    /// Only games that do not start from the start position.
    setup: bool,
}

/// The games found, starting from a requested index.
#[derive(Debug, Serialize)]
pub struct Found {
    /// The number of games found.
    count: usize,
    games: Vec<GameRow>,
}

/// A game in a list.
#[derive(Debug, Serialize)]
struct GameRow {
    /// The index of the game in the file.
    index: usize,
    /// The name of the variant.
    variant: &'static str,
    white: String,
    black: String,
    event: String,
    date: String,
    result: String,
    /// A FEN, empty for the start position.
    start: String,
    /// The length in plies.
    plies: usize,
    /// The ply at which the searched position first occurs.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    is_broken: bool,
}

/// The text of the games found, as in the file, starting from a requested index.
#[derive(Debug, Serialize)]
pub struct Exported {
    /// The index and the text of each game.
    games: Vec<(usize, String)>,
    /// The offset of the next part; `None` after the last one.
    next: Option<usize>,
}

/// The moves played in a position.
#[derive(Debug, Default, Serialize)]
pub struct Explored {
    /// The number of games that contain the position.
    games: usize,
    /// The moves, most frequent first.
    moves: Vec<ExploredMove>,
}

#[derive(Debug, Serialize)]
struct ExploredMove {
    hub: String,
    text: String,
    games: usize,
    white: usize,
    draws: usize,
    black: usize,
    /// The score for White: the mean of the evaluations after the move in the games, or else the
    /// score in the book.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<String>,
}

impl Collection {
    /// A collection without games. `variant` is assumed for games that don't specify one.
    pub fn new(variant: Variant) -> Self {
        let (text, games, keys) = (String::new(), Vec::new(), Vec::new());
        Collection { variant, text, unread: 0, games, keys }
    }

    /// The number of games.
    pub fn count(&self) -> usize {
        self.games.len()
    }

    /// Adds a part of the text. A game that may continue in the next part is indexed once that part
    /// arrives.
    ///
    /// # Errors
    ///
    /// The text is too large, or contains too many games.
    pub fn add(&mut self, part: &str, is_last: bool) -> Result<(), String> {
        if self.text.len() + part.len() > MAX_FILE {
            return Err(super::too_large("file", MAX_FILE));
        }
        self.text += part;
        let unread = &self.text[self.unread..];
        if self.games.is_empty() {
            self.variant = guess_variant(self.variant, unread, is_last);
        }
        let mut games = read_games(self.variant, unread, CHUNK);
        if !is_last {
            let first_open = games.iter().position(|game| game.has_open_comment);
            // Comments that follow in the next part may belong to the last complete game.
            let complete = first_open.unwrap_or(games.len()).saturating_sub(1);
            let end = games[..complete].last().map_or(0, |game| game.end);
            if unread.len() - end <= MAX_GAME {
                games.truncate(complete);
            }
        }
        if self.games.len() + games.len() > MAX_GAMES {
            return Err(format!("the file has more than {MAX_GAMES} games"));
        }
        self.index(games);
        Ok(())
    }

    /// Indexes games in the unread text.
    fn index(&mut self, games: Vec<ReadGame>) {
        let base = self.unread;
        for read in games {
            let before = self.keys.len();
            self.keys.extend(read.keys);
            let variant = read.start.variant();
            let is_setup = read.start != Position::start(variant);
            let text = self.unread..base + read.end;
            self.unread = text.end;
            self.games.push(IndexedGame {
                text,
                header: read.header,
                variant,
                start: is_setup.then(|| Box::new(read.start)),
                positions: before..self.keys.len(),
                evaluations: read.evaluations,
                is_broken: read.is_broken,
            });
        }
    }

    /// The games that meet the conditions and contain a position, if one is given: at most `limit`,
    /// starting at index `offset`.
    ///
    /// # Errors
    ///
    /// A condition is invalid.
    pub fn find(
        &self,
        query: &Query,
        position: Option<&Position>,
        offset: usize,
        limit: usize,
    ) -> Result<Found, String> {
        let found = self.search(query, position)?;
        let shown = found.iter().skip(offset).take(limit.min(MAX_ROWS));
        let games = shown.map(|&(index, ply)| self.row(index, position.map(|_| ply))).collect();
        Ok(Found { count: found.len(), games })
    }

    /// The text of the games that [`Collection::find`] finds, in parts.
    ///
    /// # Errors
    ///
    /// A condition is invalid.
    pub fn export(
        &self,
        query: &Query,
        position: Option<&Position>,
        offset: usize,
    ) -> Result<Exported, String> {
        let found = self.search(query, position)?;
        let mut size = 0;
        let shown = found.iter().skip(offset).take_while(|&&(index, _)| {
            let is_full = size > EXPORT_PART;
            size += self.games[index].text.len();
            !is_full
        });
        let text = |index: usize| self.text[self.games[index].text.clone()].trim().to_owned();
        let games: Vec<_> = shown.map(|&(index, _)| (index, text(index))).collect();
        let next = offset + games.len();
        Ok(Exported { games, next: (next < found.len()).then_some(next) })
    }

    /// The text of a game, and the variant to assume for it.
    ///
    /// # Errors
    ///
    /// There is no such game.
    pub fn game(&self, index: usize) -> Result<(Variant, &str), String> {
        let count = self.games.len();
        let game = self.games.get(index).ok_or_else(|| {
            format!("there is no game {}; the number of games is {count}", index + 1)
        })?;
        Ok((self.variant, &self.text[game.text.clone()]))
    }

    /// The moves played in a position, with the results of the games and the scores in the book.
    pub fn explore(&self, position: &Position, book: &[BookMove]) -> Explored {
        let moves = position.sorted_moves();
        let after: Vec<_> = moves.iter().map(|&mv| key_of(&position.after(mv))).collect();
        let mut counts = vec![[0_usize; 4]; moves.len()];
        let mut evaluations = vec![(0.0, 0_u32); moves.len()];
        let mut games = 0;
        for game in self.games.iter().filter(|game| game.variant == position.variant()) {
            let Some(ply) = self.ply_of(game, key_of(position)) else { continue };
            games += 1;
            let next = self.keys[game.positions.clone()].get(ply + 1);
            if let Some(at) = next.and_then(|next| after.iter().position(|key| key == next)) {
                counts[at][game.header.result.kind() as usize] += 1;
                if let Some(men) = game.evaluation(ply + 1) {
                    evaluations[at].0 += men;
                    evaluations[at].1 += 1;
                }
            }
        }
        let in_book = |mv| {
            let known = book.iter().find(|known| known.mv == mv)?;
            Some(shown(known.score, position.side()))
        };
        let explored =
            |((&mv, counts), &(sum, count)): ((_, &[usize; 4]), &(f64, u32))| ExploredMove {
                score: match count {
                    0 => in_book(mv),
                    _ => Some(format!("{:+.2}", sum / f64::from(count))),
                },
                hub: hub::format_move(mv),
                text: pdn::format_move(position, mv),
                games: counts.iter().sum(),
                white: counts[ResultKind::White as usize],
                draws: counts[ResultKind::Draw as usize],
                black: counts[ResultKind::Black as usize],
            };
        let mut moves: Vec<_> = moves.iter().zip(&counts).zip(&evaluations).map(explored).collect();
        moves.retain(|known| known.games > 0);
        moves.sort_by_key(|known| std::cmp::Reverse(known.games));
        Explored { games, moves }
    }

    /// The indexes of the games that meet the conditions, each with the ply of the position.
    fn search(
        &self,
        query: &Query,
        position: Option<&Position>,
    ) -> Result<Vec<(usize, usize)>, String> {
        let filter = query.filter()?;
        let ply = |game: &IndexedGame| match position {
            None => Some(0),
            Some(position) if position.variant() != game.variant => None,
            Some(position) => self.ply_of(game, key_of(position)),
        };
        let games = self.games.iter().enumerate();
        let met = games.filter(|(_, game)| {
            filter.is_met(&game.header) && (game.start.is_some() || !query.setup)
        });
        Ok(met.filter_map(|(index, game)| Some((index, ply(game)?))).collect())
    }

    fn ply_of(&self, game: &IndexedGame, key: Key) -> Option<usize> {
        self.keys[game.positions.clone()].iter().position(|&known| known == key)
    }

    fn row(&self, index: usize, ply: Option<usize>) -> GameRow {
        let IndexedGame { header, variant, start, positions, is_broken, .. } = &self.games[index];
        GameRow {
            index,
            variant: variant.name(),
            white: header.white.clone(),
            black: header.black.clone(),
            event: header.event.clone(),
            date: header.date.clone(),
            result: header.result.to_string(),
            start: start.as_deref().map(fen::format).unwrap_or_default(),
            plies: positions.len().saturating_sub(1),
            ply,
            is_broken: *is_broken,
        }
    }
}

/// Guesses the variant from the first games in a text. Unless `is_last`, the last game may be
/// incomplete.
fn guess_variant(default: Variant, text: &str, is_last: bool) -> Variant {
    let mut sample: Vec<_> = pdn::games(text).take(pdn::MAX_SAMPLE_GAMES + 1).collect();
    if !is_last {
        let first_open = sample.iter().position(GameText::has_open_comment);
        sample.truncate(first_open.unwrap_or(sample.len().saturating_sub(1)));
    }
    pdn::variant_of_games(default, sample.iter().take(pdn::MAX_SAMPLE_GAMES))
}

/// Reads the games in a text, in chunks of at least `size` bytes, on all threads. After a chunk
/// that does not end with a complete game, one thread splits the rest of the text into games.
fn read_games(variant: Variant, text: &str, size: usize) -> Vec<ReadGame> {
    let chunks = pdn::chunks(text, size);
    let read = parallel::map(chunks.len(), &|index| read_chunk(variant, chunks[index]));
    let (mut games, mut start) = (Vec::new(), 0);
    for (index, (chunk, (read, is_complete))) in chunks.iter().zip(read).enumerate() {
        if !is_complete && index + 1 < chunks.len() {
            let rest: Vec<_> = pdn::games(&text[start..]).collect();
            let read = parallel::map(rest.len(), &|index| ReadGame::read(variant, &rest[index]));
            games.extend(read.into_iter().map(|game| game.after(start)));
            break;
        }
        games.extend(read.into_iter().map(|game| game.after(start)));
        start += chunk.len();
    }
    games
}

/// The games in a chunk, and whether the next chunk can be read separately.
fn read_chunk(variant: Variant, text: &str) -> (Vec<ReadGame>, bool) {
    let (mut read, mut is_complete) = (Vec::new(), true);
    for game in pdn::games(text) {
        is_complete = game.is_complete();
        read.push(ReadGame::read(variant, &game));
    }
    let is_open = read.iter().any(|game| game.has_open_comment);
    (read, is_complete && !is_open)
}

impl IndexedGame {
    /// The evaluation after `ply` plies, in men, from White's point of view.
    fn evaluation(&self, ply: usize) -> Option<f64> {
        let at = self.evaluations.binary_search_by_key(&ply, |known| known.ply).ok()?;
        Some(self.evaluations[at].men)
    }
}

impl ReadGame {
    fn read(variant: Variant, text: &GameText) -> ReadGame {
        let (record, is_broken) = match pdn::read_any_game(variant, text, &mut Vec::new()) {
            Ok(record) => (record, false),
            Err(mut broken) => {
                let before = mem::take(&mut broken.before);
                let none = || GameRecord::new(Position::start(variant));
                (before.map_or_else(none, |record| *record), true)
            }
        };
        let mut position = record.start;
        let after = record.line.moves.iter().map(|annotated| {
            position = position.after(annotated.mv);
            key_of(&position)
        });
        let keys = std::iter::once(key_of(&record.start)).chain(after).collect();
        let moves = (1..).zip(&record.line.moves);
        let evaluations = moves
            .filter_map(|(ply, annotated)| {
                annotated.evaluation().map(|men| Evaluation { ply, men })
            })
            .collect();
        ReadGame {
            end: text.end(),
            has_open_comment: text.has_open_comment(),
            header: GameHeader::of(&record),
            start: record.start,
            keys,
            evaluations,
            is_broken,
        }
    }

    /// The same game, in a text that has `length` more bytes before it.
    fn after(self, length: usize) -> ReadGame {
        ReadGame { end: length + self.end, ..self }
    }
}

/// The key of the pieces and the side to move, without the counters of the three-king-moves rule,
/// which may differ between games.
fn key_of(position: &Position) -> Key {
    let runs = Side::ALL.map(|side| position.king_run(side));
    match runs == [KingRun::default(); 2] {
        true => position.key(),
        false => position.with_king_runs([KingRun::default(); 2]).key(),
    }
}

impl Query {
    fn filter(&self) -> Result<GameFilter, String> {
        let given = |text: &str| (!text.trim().is_empty()).then(|| text.trim().to_owned());
        let date = |text: &str| given(text).map(|text| text.parse::<DateRange>()).transpose();
        Ok(GameFilter {
            player: given(&self.player),
            event: given(&self.event),
            result: given(&self.result).map(|text| text.parse()).transpose()?,
            since: date(&self.since)?,
            until: date(&self.until)?,
            ..GameFilter::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Texts with misleading boundaries between games.
    const TRICKY: [&str; 15] = [
        "[White \"A\"]\n\n1. 32-28 { a comment\n\n[White \"B\"]\n\n goes on } 19-23 *",
        "[White \"A\"]\n\n1. 32-28 { open\n\n[White \"B\"]\n\n1. 33-28 { open as well *",
        "[White \"A\"]\n\n[Black \"B\"]\n\n1. 32-28 *\n\n[White \"C\"]\n\n*\n\n[White \"D\"]\n\n1. 31-27",
        "{ only a comment }\n\n[White \"A\"]\n\n2-0\n\n; another\n\n[White \"B\"]\n\n1. 32-28 2-0",
        "[White \"A\"]\n\n(\n\n[White \"B\"]\n\n1. 32-28 2-0 19-23 1-1\n\n[White \"C\"]\n\n1. 32-28",
        "[White \"A\"]\n\n)\n\n[White \"B\"]\n\n}\n\n[White\n\n[\n\n[White \"C\"]\n\n1. 32-28 *\n\n[",
        "1. 32-28 2-0 xyz\n\n[White \"é\"]\n\n1. 32-28 (1. 33-28\n\n[White \"B\"]\n\n1. 33-28) *",
        "[White \"A\"]\n\n1. 32-28 /W:W1\n\n[White \"B\"]\n\n% [White]\n\n[White \"\\\"C\\\\\"]\n\n1. 31-27 *",
        "1. 32-28 2-0 { [%eval 1] }\n\n; x\n\n[White \"B\"]\n\n* { y }\n\n[White \"C\"]\n\n1. 31-27",
        "* { x }\n\n[White \"A\"]\n\n1. 32-28 2-0 { open\n\n[White \"B\"]\n\n1. 33-28 } { y } *",
        "[White \"A\"]\n\n[White \"B\"]\n[Event \"1\"]\n\n{ x }\n\n[Event \"2\"]\n[White \"C\"]\n\n[Event",
        "[A \"\"]\n\n12\n\n[B \"\"]\n\n1.\n\n[C \"\"]\n[A \"\"]\n\n1. 32-28 5\n\n[A \"\"]\n\n32-28",
        "[A \"\"]\n\n2-0 (x\n\n[B \"\"]\n\n) 1. 32-28 1-1 ( ) $1\n\n[A \"\"]\n\n2-0 12\n\n[A \"\"]\n\n*",
        "\n\n[\n\n[\n\n[",
        "",
    ];

    #[test]
    fn games_are_the_same_in_pieces_of_any_size() {
        let folders = ["tests/data/games", "tests/data/games/broken"];
        let paths = folders.into_iter().flat_map(|folder| fs::read_dir(folder).unwrap());
        let paths = paths.map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
        let mut texts: Vec<_> = paths.map(|path| pdn::decode(&fs::read(path).unwrap())).collect();
        texts.extend(TRICKY.map(str::to_owned));
        // Comments left open in one text are closed in another.
        texts.push(texts.join("\n\n"));
        let mut cut = 0;
        for text in &texts {
            let whole = read_games(Variant::International, text, usize::MAX);
            for size in [1, 40, 500] {
                let chunks = pdn::chunks(text, size);
                assert_eq!(chunks.concat(), *text);
                cut += usize::from(chunks.len() > 1);
                assert_eq!(read_games(Variant::International, text, size), whole, "{size}: {text}");
            }
        }
        assert!(cut > 20, "{cut}");
    }
}

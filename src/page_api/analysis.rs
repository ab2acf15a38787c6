//! Search lines, reviews, book moves and bitbase results, formatted for display.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::analysis::{
    CONFIRMING_FACTORS, Review, SHALLOW_DEPTH, SearchOutcome, copy_to_forced, unconfirmed,
};
use crate::bitbase::MAX_PIECES;
use crate::board::{Move, Side};
use crate::book::{Book, BookMove};
use crate::engine::{self, BITBASE_DOWNLOAD_PIECES, bitbase_folder};
use crate::erased::{Bitbases, Game, Position};
use crate::notation::hub;
use crate::notation::pdn::{self, GameRecord};
use crate::protocol::hub::HubLine;
use crate::report::page::{PageGame, chances, shown};
use crate::rules::Variant;
use crate::score::Score;

/// A line of a search.
#[derive(Serialize)]
pub struct SearchLine {
    /// The rank of the line, 1 for the best.
    rank: u32,
    depth: u32,
    /// The score for White, as displayed: `+0.35`, or `+#12` if White wins in 12 moves.
    score: String,
    /// White's expected score, 0 to 1.
    chances: f64,
    nodes: u64,
    /// The time, in seconds.
    time: f64,
    /// The moves with their numbers, as in PDN.
    text: String,
    /// The moves in Hub notation.
    moves: Vec<String>,
    /// The start square of the first move.
    from: Option<u8>,
    /// The destination square of the first move.
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
    /// Reads a line about a position. Returns `None` if it is not an `info` line with a score.
    fn read(position: &Position, text: &str) -> Option<Info> {
        let line = HubLine::parse(text);
        let number = |name| line.number(name);
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

/// The moves of a line, up to the first illegal one.
fn moves(mut position: Position, text: &str) -> Vec<Move> {
    let words = text.split_whitespace();
    let moves = words.map_while(|word| {
        let mv = hub::parse_move(&position, word).ok()?;
        position = position.after(mv);
        Some(mv)
    });
    moves.collect()
}

/// Converts the `info` lines of a search that started from the last position of `game`.
pub fn lines(game: &Game, infos: &[String]) -> Vec<SearchLine> {
    let infos = infos.iter().filter_map(|text| Info::read(game.position(), text));
    infos.map(|info| search_line(game, &info)).collect()
}

fn search_line(game: &Game, info: &Info) -> SearchLine {
    let side = game.position().side();
    let first = info.line.first();
    SearchLine {
        rank: info.rank,
        depth: info.depth,
        score: shown(info.score, side),
        chances: chances(info.score, side),
        nodes: info.nodes,
        time: info.time,
        text: pdn::format_numbered_line(game.start(), game.plies(), game.position(), &info.line),
        moves: info.line.iter().map(|&mv| hub::format_move(mv)).collect(),
        from: first.map(|mv| mv.from),
        to: first.map(|mv| mv.to),
    }
}

/// The searches to repeat, with more time, before the marks of a review are final.
#[derive(Serialize)]
pub struct Confirmation {
    /// The round of confirmation, counted from 1.
    round: usize,
    /// The plies of the positions.
    plies: Vec<usize>,
    /// The factor by which the search time is multiplied, compared with the first searches.
    factor: u32,
}

/// The next searches needed to confirm the marks of a game; `None` if all are confirmed. `rounds`
/// is the number of rounds of confirmation that each position has had.
pub fn confirmation(
    game: &Game,
    searches: &[Vec<String>],
    rounds: &[usize],
) -> Result<Option<Confirmation>, String> {
    let outcomes = outcomes(game, searches)?;
    if rounds.len() != outcomes.len() {
        return Err(format!("{} rounds of {} positions", rounds.len(), outcomes.len()));
    }
    let needed = unconfirmed(game, &outcomes, rounds);
    Ok(needed.map(|(had, plies)| Confirmation {
        round: had + 1,
        plies,
        factor: CONFIRMING_FACTORS[had],
    }))
}

/// Reviews a game. `searches` contains, for each position from the start position onwards, the
/// `info` lines of its search; only the last line of each rank counts.
pub fn review(
    game: &Game,
    names: &[String; 2],
    searches: &[Vec<String>],
    resources: &GameResources,
) -> Result<PageGame, String> {
    let outcomes = outcomes(game, searches)?;
    let review =
        Review::new(game, &outcomes, resources.bitbases(game.position()), resources.book());
    let mut record = GameRecord::from_game(game);
    for (tag, name) in ["White", "Black"].into_iter().zip(names) {
        record.tags.set(tag, name);
    }
    Ok(PageGame::new(&record, &review, true))
}

/// The results of the searches. Positions with a single legal move need no search, except the last
/// position.
fn outcomes(game: &Game, searches: &[Vec<String>]) -> Result<Vec<SearchOutcome>, String> {
    let positions = game.positions();
    if searches.len() != positions.len() {
        return Err(format!("{} searches of {} positions", searches.len(), positions.len()));
    }
    let outcomes = positions.iter().zip(searches);
    let mut outcomes: Vec<_> = outcomes.map(|(position, infos)| outcome(position, infos)).collect();
    // A finished game is not searched; its result determines the score.
    if let Some((last, end)) = outcomes.last_mut().zip(game.outcome()) {
        last.line.clear();
        last.score = match end.winner {
            Some(winner) if winner == game.position().side() => Score::win_in(0),
            Some(_) => Score::loss_in(0),
            None => Score::DRAW,
        };
    }
    for (outcome, mv) in outcomes.iter_mut().zip(game.moves()) {
        if outcome.is_forced {
            outcome.line = vec![mv];
        }
    }
    copy_to_forced(&mut outcomes);
    Ok(outcomes)
}

fn outcome(position: &Position, infos: &[String]) -> SearchOutcome {
    let infos: Vec<_> = infos.iter().filter_map(|text| Info::read(position, text)).collect();
    let last = |rank| infos.iter().rfind(|info| info.rank == rank);
    let moves = position.legal_moves();
    let best = last(1);
    let first = |info: &Info| info.line.first().copied();
    let shallow = infos.iter().rfind(|info| info.rank == 1 && info.depth <= SHALLOW_DEPTH);
    SearchOutcome {
        score: best.map(|info| info.score).unwrap_or_default(),
        depth: best.map_or(0, |info| info.depth),
        line: best.map(|info| info.line.clone()).unwrap_or_default(),
        second: last(2).map(|info| info.score),
        is_obvious: shallow.and_then(first) == best.and_then(first),
        is_forced: moves.len() == 1,
    }
}

/// The book and bitbases of a variant.
#[derive(Debug)]
pub struct GameResources {
    book: Option<Book>,
    /// A folder of bitbases to use in addition to the embedded ones.
    folder: Option<PathBuf>,
    /// Opened when first needed, since a page may have to download the bitbases.
    bitbases: OnceCell<Bitbases>,
    no_bitbases: Bitbases,
}

/// The book moves and the bitbase result of a position.
#[derive(Serialize)]
pub struct PositionInfo {
    /// `None` if the bitbases do not contain the position.
    bitbases: Option<Ending>,
    /// The book moves, best first.
    book: Vec<BookMoveInfo>,
}

#[derive(Serialize)]
struct Ending {
    /// `white`, `black` or `draw`.
    winner: &'static str,
    /// The number of moves in which the winner can win, if the bitbases store distances.
    moves: Option<u8>,
}

#[derive(Serialize)]
struct BookMoveInfo {
    hub: String,
    text: String,
    /// The score for White.
    score: String,
}

impl GameResources {
    /// The embedded book and bitbases, and the bitbases in `folder`, which has a subfolder for each
    /// variant.
    pub fn new(variant: Variant, folder: Option<&Path>) -> GameResources {
        GameResources {
            book: Book::embedded(variant),
            folder: folder.map(|folder| bitbase_folder(variant, folder)),
            bitbases: OnceCell::new(),
            no_bitbases: Bitbases::none(variant),
        }
    }

    pub fn variant(&self) -> Variant {
        self.no_bitbases.variant()
    }

    pub fn book(&self) -> Option<&Book> {
        self.book.as_ref()
    }

    /// The book moves of a position, best first.
    pub fn book_moves(&self, position: &Position) -> Vec<BookMove> {
        self.book().map(|book| book.moves(position)).unwrap_or_default()
    }

    /// The bitbases; empty if `position` has too many pieces for a search to reach them.
    pub fn bitbases(&self, position: &Position) -> &Bitbases {
        if position.occupied().len() > BITBASE_DOWNLOAD_PIECES {
            return &self.no_bitbases;
        }
        self.bitbases.get_or_init(|| self.open_bitbases())
    }

    fn open_bitbases(&self) -> Bitbases {
        let mut bitbases = Bitbases::embedded(self.variant());
        for fault in self.folder.iter().flat_map(|folder| bitbases.open(folder, MAX_PIECES)) {
            log::warn!("bitbases not used: {fault}");
        }
        bitbases
    }

    /// Looks up the last position of a game in the book and the bitbases.
    pub fn position_info(&self, game: &Game) -> PositionInfo {
        let position = game.position();
        let ending =
            engine::bitbase_result(game, self.bitbases(position)).map(|(winner, plies)| Ending {
                winner: winner.map_or("draw", Side::name),
                moves: plies.map(|plies| plies.div_ceil(2)),
            });
        let book = self.book_moves(position);
        let info = |known: &BookMove| BookMoveInfo {
            hub: hub::format_move(known.mv),
            text: pdn::format_move(position, known.mv),
            score: shown(known.score, position.side()),
        };
        PositionInfo { bitbases: ending, book: book.iter().map(info).collect() }
    }
}

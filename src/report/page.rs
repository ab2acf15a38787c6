//! Reviews of games and matches as self-contained HTML pages.
//!
//! This module provides the data and all drawings of boards and pieces. The script is built from
//! modules of the page in `src/page`, so that the board, arrows, curve and moves look the same in
//! both. The page loads no external resources.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::analysis::{Chances, Mark, Review, ReviewedPly};
use crate::board::{Move, Side};
use crate::erased::Position;
use crate::notation::pdn::{self, AnnotatedMove, GameRecord};
use crate::notation::{hub, squares};
use crate::rules::Variant;
use crate::score::Score;
use crate::search::Limits;

use super::board::{self, letter};
use super::language::Language;
use super::script::{self, Module};

macro_rules! page_modules {
    ($($file:literal,)*) => { [$(($file, include_str!(concat!("../page/", $file)))),*] };
}

/// The modules of the page used in reports, each after the modules it imports.
const MODULES: &[Module] = &page_modules![
    "dom.js",
    "settings.js",
    "texts.js",
    "icons.js",
    "shapes.js",
    "tree.js",
    "accuracy.js",
    "board.js",
    "chances-chart.js",
    "game-view.js",
    "move-list.js",
    "walking.js",
    "game-viewer.js",
];
const REPORT: Module = ("report.js", include_str!("page/report.js"));

/// A page of reviewed games. `limits` are the search limits for each position.
pub fn page(games: &[(GameRecord, Review)], language: Language, limits: &Limits) -> String {
    let (title, made_by) = ("report_title", "report_made_by");
    let games = Games { games, are_judged: true };
    games.page(language, PageData { limits: limit_texts(limits), ..PageData::new(title, made_by) })
}

/// A page about a match: the results, and the games with the engines' scores.
pub fn match_page(parts: Vec<PagePart>, games: &[(GameRecord, Review)]) -> String {
    let (title, made_by) = ("match_title", "match_made_by");
    let games = Games { games, are_judged: false };
    games.page(Language::English, PageData { parts, ..PageData::new(title, made_by) })
}

/// The limits, each as the key of a message and the number to insert.
fn limit_texts(limits: &Limits) -> Vec<(&'static str, String)> {
    let time = limits.move_time.map(|time| ("limit_seconds", time.as_secs_f64().to_string()));
    let depth = limits.depth.map(|depth| ("limit_depth", depth.to_string()));
    let nodes = limits.nodes.map(|nodes| ("limit_nodes", nodes.to_string()));
    [time, depth, nodes].into_iter().flatten().collect()
}

/// The games on a page. `are_judged` is whether to show the quality of the players' moves.
struct Games<'a> {
    games: &'a [(GameRecord, Review)],
    are_judged: bool,
}

impl Games<'_> {
    /// The page with these games. `rest` contains all other data except the boards.
    fn page(&self, language: Language, rest: PageData) -> String {
        let variants = self.games.iter().map(|(record, _)| record.start.variant());
        let boards = variants.map(|variant| (variant.name(), PageBoard::new(variant))).collect();
        let game = |(record, review): &(_, _)| PageGame::new(record, review, self.are_judged);
        let data = PageData { boards, games: self.games.iter().map(game).collect(), ..rest };
        let style = concat!(include_str!("../page/base.css"), include_str!("page/report.css"));
        let script = script::joined(&[MODULES, &[REPORT]].concat());
        let parts = [
            ("{{language}}", language.code().to_owned()),
            ("{{style}}", style.to_owned()),
            ("{{texts}}", language.texts().trim_end().to_owned()),
            ("{{script}}", script),
            // Replaced last, because a game may contain any text, even a placeholder.
            ("{{data}}", script_json(&data)),
        ];
        parts.iter().fold(include_str!("page/report.html").to_owned(), |page, (place, text)| {
            page.replacen(place, text, 1)
        })
    }
}

/// The data as JSON, escaped so that it cannot close the HTML element around it.
fn script_json(data: &PageData) -> String {
    serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c")
}

/// The data of a page, for its script.
#[derive(Serialize)]
struct PageData {
    program: &'static str,
    /// The keys of the messages for the title and the footer.
    title: &'static str,
    made_by: &'static str,
    /// The limits per position, each as the key of a message and the number to insert.
    limits: Vec<(&'static str, String)>,
    /// Paragraphs and tables above the games.
    parts: Vec<PagePart>,
    /// SVG definitions of the pieces.
    pieces: String,
    /// The boards by variant.
    boards: BTreeMap<&'static str, PageBoard>,
    games: Vec<PageGame>,
}

/// A paragraph or a table above the games.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PagePart {
    /// Lines of text.
    Lines(Vec<String>),
    /// A table.
    Table {
        /// The names of the columns.
        header: Vec<String>,
        /// The cells.
        rows: Vec<Vec<String>>,
        /// The indices of the columns of text, which are left-aligned; the others have numbers.
        texts: Vec<usize>,
    },
}

/// The names of columns of text.
const TEXT_COLUMNS: &[&str] = &["engine", "pairing", "limits", "round", "winner"];

impl PagePart {
    /// A table with these columns.
    pub fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> PagePart {
        let columns = header.iter().enumerate();
        let texts = columns.filter(|(_, name)| TEXT_COLUMNS.contains(name)).map(|(index, _)| index);
        PagePart::Table {
            texts: texts.collect(),
            header: header.iter().map(|&name| name.to_owned()).collect(),
            rows: rows.into_iter().collect(),
        }
    }
}

/// A board.
#[derive(Serialize)]
pub struct PageBoard {
    /// SVG definitions of the empty board from both sides.
    drawing: String,
    size: u8,
    /// The row, the column (with White at the bottom) and the name of each square.
    squares: Vec<(u8, u8, String)>,
}

/// A game.
#[derive(Serialize)]
pub struct PageGame {
    variant: &'static str,
    names: [String; 2],
    result: String,
    /// The values of tags such as the event and the date.
    about: Vec<String>,
    /// The quality of the players' moves; `None` for a game without a review.
    players: Option<[PagePlayer; 2]>,
    /// The pieces at the start: a letter or a dot for each square.
    start: String,
    /// White's expected points at the start.
    chances: f64,
    plies: Vec<PagePly>,
}

#[derive(Serialize)]
struct PagePlayer {
    accuracy: Option<f64>,
    loss: f64,
    faults: [usize; 3],
}

/// A move, and the position after it.
#[derive(Serialize)]
struct PagePly {
    /// The move number, as in PDN: `12.` or `12...`.
    number: String,
    side: Side,
    #[serde(rename = "move")]
    mv: PageMove,
    /// The pieces after the move.
    pieces: String,
    /// The score for White after the move, as text.
    score: String,
    /// White's expected points after the move.
    chances: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<f64>,
    /// The better line.
    #[serde(skip_serializing_if = "Option::is_none")]
    better: Option<Vec<PageStep>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<String>,
    /// The comments in the record of the game.
    #[serde(skip_serializing_if = "String::is_empty")]
    said: String,
    /// The keys of the messages about the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<&'static str>,
}

/// A move in a line, and the position after it.
#[derive(Serialize)]
struct PageStep {
    /// The number, as in [`PagePly`].
    number: String,
    #[serde(rename = "move")]
    mv: PageMove,
    /// The pieces after the move.
    pieces: String,
}

/// A move.
#[derive(Serialize)]
pub struct PageMove {
    hub: String,
    /// The move, as in PDN.
    text: String,
    from: u8,
    /// The squares on which the piece lands, in order.
    way: Vec<u8>,
    captured: Vec<u8>,
}

impl PageMove {
    /// A legal move.
    pub fn new(position: &Position, mv: Move) -> PageMove {
        PageMove {
            hub: hub::format_move(mv),
            text: pdn::format_move(position, mv),
            from: mv.from,
            way: pdn::landing_squares(position, mv),
            captured: mv.captured.numbers().collect(),
        }
    }
}

/// Maximum length of a better line, in moves.
const MAX_MOVES: usize = 12;

impl PageData {
    /// A page without games. The parameters are keys of messages.
    fn new(title: &'static str, made_by: &'static str) -> PageData {
        PageData {
            program: concat!("Manoury ", env!("CARGO_PKG_VERSION")),
            title,
            made_by,
            limits: Vec::new(),
            parts: Vec::new(),
            pieces: board::piece_drawings(),
            boards: BTreeMap::new(),
            games: Vec::new(),
        }
    }
}

impl PageBoard {
    /// The board of a variant.
    pub fn new(variant: Variant) -> PageBoard {
        let grid = variant.grid();
        let square =
            |square| (grid.row(square), grid.column(square), squares::pdn_name(variant, square));
        let drawing = board::empty_boards(variant);
        PageBoard {
            drawing,
            size: grid.size,
            squares: grid.playable().numbers().map(square).collect(),
        }
    }
}

impl PageGame {
    /// A game with its review. `is_judged` is whether to include the quality of the players' moves.
    pub fn new(record: &GameRecord, review: &Review, is_judged: bool) -> PageGame {
        let tag = |name| record.tags.get(name).filter(|text| !text.is_empty() && *text != "?");
        let about = ["Event", "Site", "Round", "Date", "Opening", "Termination"]
            .map(tag)
            .into_iter()
            .flatten();
        let first = review.plies.first().map_or(review.last, |ply| ply.before);
        PageGame {
            variant: record.start.variant().name(),
            names: ["White", "Black"].map(|name| tag(name).unwrap_or("?").to_owned()),
            result: record.result().to_string(),
            about: about.map(str::to_owned).collect(),
            players: is_judged
                .then(|| [Side::White, Side::Black].map(|side| PagePlayer::new(review, side))),
            start: pieces(&record.start),
            chances: chances(first, record.start.side()),
            plies: plies(record, review),
        }
    }
}

impl PageGame {
    /// Marks the game as unfinished: it has no result and no termination.
    pub fn set_unfinished(&mut self) {
        "*".clone_into(&mut self.result);
        self.about.clear();
    }
}

impl PagePlayer {
    fn new(review: &Review, side: Side) -> PagePlayer {
        let player = review.player(side);
        PagePlayer {
            accuracy: player.accuracy.map(|percent| round(percent, 10.0)),
            loss: round(player.mean_loss, 1e4),
            faults: player.faults,
        }
    }
}

fn plies(record: &GameRecord, review: &Review) -> Vec<PagePly> {
    let mut position = record.start;
    let moves = record.line.moves.iter().zip(&review.plies).enumerate();
    moves
        .map(|(ply, (annotated, reviewed))| {
            let before = position;
            position = before.after(annotated.mv);
            PagePly {
                number: pdn::move_number(&record.start, ply),
                notes: notes(review, ply),
                better: better(record, ply, &before, reviewed),
                ..PagePly::new(&before, &position, annotated, reviewed)
            }
        })
        .collect()
}

/// The better line at a ply, if the move was a fault.
fn better(
    record: &GameRecord,
    ply: usize,
    before: &Position,
    reviewed: &ReviewedPly,
) -> Option<Vec<PageStep>> {
    let mut position = *before;
    let steps = reviewed.better.iter().take(MAX_MOVES).zip(ply..).map(|(&mv, ply)| {
        let shown = PageMove::new(&position, mv);
        position = position.after(mv);
        let number = pdn::move_number(&record.start, ply);
        PageStep { number, mv: shown, pieces: pieces(&position) }
    });
    (!reviewed.better.is_empty()).then(|| steps.collect())
}

impl PagePly {
    fn new(
        before: &Position,
        after: &Position,
        annotated: &AnnotatedMove,
        reviewed: &ReviewedPly,
    ) -> PagePly {
        let mv = annotated.mv;
        let clock = annotated.clocks().and_then(|clocks| clocks.times[reviewed.side.index()]);
        PagePly {
            number: String::new(),
            side: reviewed.side,
            mv: PageMove::new(before, mv),
            pieces: pieces(after),
            score: shown(reviewed.after, reviewed.side),
            chances: chances(reviewed.after, reviewed.side),
            mark: reviewed.mark.map(Mark::as_str),
            loss: (!reviewed.better.is_empty()).then(|| round(reviewed.loss, 100.0)),
            better: None,
            clock: clock.map(|time| {
                let seconds = time.as_secs();
                format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
            }),
            said: comments(annotated),
            notes: Vec::new(),
        }
    }
}

/// The comments on a move, without commands such as `[%clk ..]`.
fn comments(annotated: &AnnotatedMove) -> String {
    let mut said = Vec::new();
    for comment in &annotated.comments {
        let mut rest = comment.as_str();
        while let Some((before, command)) = rest.split_once("[%") {
            said.push(before.trim());
            rest = command.split_once(']').map_or("", |(_, after)| after);
        }
        said.push(rest.trim());
    }
    said.retain(|text| !text.is_empty());
    said.join(" ")
}

/// The keys of the messages about a ply.
fn notes(review: &Review, ply: usize) -> Vec<&'static str> {
    let mut notes = Vec::new();
    if review.plies.get(ply).is_some_and(|reviewed| reviewed.mark == Some(Mark::Only)) {
        notes.push("only");
    }
    if let Some(shot) = review.shot(ply) {
        notes.push(if shot.is_played { "shot" } else { "missed_shot" });
    }
    if review.leaves_book == Some(ply) {
        notes.push("book");
    }
    if let Some((first, winner)) = review.ending
        && first == ply + 1
    {
        notes.push(match winner {
            Some(Side::White) => "won_white",
            Some(Side::Black) => "won_black",
            None => "drawn",
        });
    }
    notes
}

/// The pieces of a position: a letter for each piece, and a dot for each empty square.
pub fn pieces(position: &Position) -> String {
    let squares = position.grid().playable();
    squares.numbers().map(|square| position.piece_on(square).map_or('.', letter)).collect()
}

/// Converts a score for `side` to White's point of view, and formats it: `+0.35`, `+#12` if White
/// wins in 12 moves.
pub fn shown(score: Score, side: Side) -> String {
    let score = score.for_white(side);
    let sign = if score.0 < 0 { "-" } else { "+" };
    match score.plies_to_end() {
        Some(plies) => format!("{sign}#{}", plies.div_ceil(2)),
        None if score.is_decisive() => format!("{sign}#"),
        None => format!("{}{score}", if score.0 > 0 { "+" } else { "" }),
    }
}

/// White's expected points, 0 to 1, for a score from the point of view of `side`.
pub fn chances(score: Score, side: Side) -> f64 {
    round(Chances::from_score(score.for_white(side)).points(), 1e3)
}

fn round(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
}

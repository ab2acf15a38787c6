//! Reviews of games, and matches, as a page: one HTML file without anything beside it.
//!
//! Rust provides the data and all drawings of boards and pieces; the script of the page puts pieces
//! where they belong. Nothing is loaded from elsewhere.

mod data;

pub use data::{PageBoard, PageGame, PagePart, chances, pieces, shown};

use std::collections::BTreeMap;

use crate::notation::pdn::GameRecord;
use crate::report::board;
use crate::report::language::Language;
use crate::search::Limits;

use super::review::Review;

use data::PageData;

/// A page of games and their reviews, each position of which was searched within limits.
pub fn page(games: &[(GameRecord, Review)], language: Language, limits: &Limits) -> String {
    let (title, made_by) = ("title", "made_by");
    let games = Games { games, are_judged: true };
    games.page(language, PageData { limits: named(limits), ..PageData::new(title, made_by) })
}

/// A page of a match: its results, and games with the scores that the engines gave.
pub fn match_page(parts: Vec<PagePart>, games: &[(GameRecord, Review)]) -> String {
    let (title, made_by) = ("match_title", "made_by_match");
    let games = Games { games, are_judged: false };
    games.page(Language::English, PageData { parts, ..PageData::new(title, made_by) })
}

/// Limits as names of texts and their numbers.
fn named(limits: &Limits) -> Vec<(&'static str, String)> {
    let time = limits.move_time.map(|time| ("seconds", time.as_secs_f64().to_string()));
    let depth = limits.depth.map(|depth| ("depth", depth.to_string()));
    let nodes = limits.nodes.map(|nodes| ("nodes", nodes.to_string()));
    [time, depth, nodes].into_iter().flatten().collect()
}

/// The games of a page, and whether to show how their players did.
struct Games<'a> {
    games: &'a [(GameRecord, Review)],
    are_judged: bool,
}

impl Games<'_> {
    /// The page, with what stands around the games.
    fn page(&self, language: Language, around: PageData) -> String {
        let mut boards = BTreeMap::new();
        let mut drawings = board::piece_drawings();
        for (record, _) in self.games {
            let variant = record.start.variant();
            boards.entry(variant.name()).or_insert_with(|| {
                drawings += &board::empty_boards(variant);
                PageBoard::new(variant)
            });
        }
        let game = |(record, review): &(_, _)| PageGame::new(record, review, self.are_judged);
        let data = PageData { boards, games: self.games.iter().map(game).collect(), ..around };
        let parts = [
            ("{{language}}", language.code().to_owned()),
            ("{{style}}", include_str!("page.css").to_owned()),
            ("{{drawings}}", drawings),
            ("{{texts}}", language.texts().trim_end().to_owned()),
            ("{{script}}", include_str!("page.js").to_owned()),
            // Last, because a game may contain any text.
            ("{{data}}", embedded(&data)),
        ];
        parts.iter().fold(include_str!("page.html").to_owned(), |page, (place, text)| {
            page.replacen(place, text, 1)
        })
    }
}

/// JSON that cannot end the element it is in.
fn embedded(data: &PageData) -> String {
    serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c")
}

//! Reviews as a page: one HTML file without anything beside it.
//!
//! Rust provides the data and all drawings of boards and pieces; the script of the page puts pieces
//! where they belong. Nothing is loaded from elsewhere.

mod data;

use std::collections::BTreeMap;

use crate::notation::pdn::GameRecord;
use crate::report::board;
use crate::report::language::Language;

use super::review::Review;

use data::{PageBoard, PageData, PageGame};

/// A page of games and their reviews. `limits` says how long each position was searched.
pub fn page(games: &[(GameRecord, Review)], language: Language, limits: &str) -> String {
    let mut boards = BTreeMap::new();
    let mut drawings = board::piece_drawings();
    for (record, _) in games {
        let variant = record.start.variant();
        boards.entry(variant.name()).or_insert_with(|| {
            drawings += &board::empty_boards(variant);
            PageBoard::new(variant)
        });
    }
    let data = PageData {
        program: concat!("Manoury ", env!("CARGO_PKG_VERSION")),
        limits: limits.to_owned(),
        boards,
        games: games.iter().map(|(record, review)| PageGame::new(record, review)).collect(),
    };
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

/// JSON that cannot end the element it is in.
fn embedded(data: &PageData) -> String {
    serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c")
}

//! The rounds and the places of a tournament as tables.

use crate::arena::summary::{BoardSummary, PlaceSummary, Summary};
use crate::report::page::PagePart;

/// The places and the mini-matches of all rounds; none if the match has no rounds.
pub fn parts(summary: &Summary) -> Vec<PagePart> {
    if summary.rounds.is_empty() {
        return Vec::new();
    }
    let place = |(PlaceSummary { name, points, buchholz }, place): (&PlaceSummary, usize)| {
        vec![place.to_string(), name.clone(), points.to_string(), buchholz.to_string()]
    };
    let places = summary.places.iter().zip(1..).map(place).collect();
    let rounds = summary.rounds.iter().flat_map(|round| {
        round.boards.iter().map(|board| [vec![round.name.clone()], cells(board)].concat())
    });
    let rounds = rounds.collect();
    vec![
        table(&["place", "engine", "points", "Buchholz"], places),
        table(&["round", "pairing", "result", "games", "winner"], rounds),
    ]
}

fn cells(board: &BoardSummary) -> Vec<String> {
    let BoardSummary { first, second, points: [one, two], pairs, over, winner } = board;
    let Some(second) = second else {
        return [first, "bye", "", ""].map(str::to_owned).to_vec();
    };
    // In a Swiss tournament nobody goes on.
    let winner = winner.as_deref().unwrap_or(if *over { "" } else { "playing" });
    vec![
        format!("{first} - {second}"),
        format!("{one}-{two}"),
        (2 * pairs).to_string(),
        winner.to_owned(),
    ]
}

fn table(header: &[&str], rows: Vec<Vec<String>>) -> PagePart {
    PagePart::Table { header: header.iter().map(|&name| name.to_owned()).collect(), rows }
}

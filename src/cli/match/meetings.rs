//! The places and rounds of a tournament, and the cross table.

use crate::arena::summary::{BoardSummary, EngineSummary, PairingSummary, PlaceSummary, Summary};
use crate::arena::tally::WinDrawLoss;
use crate::report::page::PagePart;

/// The places and the mini-matches of all rounds; empty if the match has no rounds.
pub fn rounds(summary: &Summary) -> Vec<PagePart> {
    if summary.rounds.is_empty() {
        return Vec::new();
    }
    let place = |(PlaceSummary { name, points, buchholz }, place): (&PlaceSummary, usize)| {
        vec![place.to_string(), name.clone(), points.to_string(), buchholz.to_string()]
    };
    let places = summary.places.iter().zip(1..).map(place);
    let rounds = summary.rounds.iter().flat_map(|round| {
        round.boards.iter().map(|board| {
            let [pairing, result, games, winner] = cells(board);
            vec![round.name.clone(), pairing, result, games, winner]
        })
    });
    vec![
        PagePart::table(&["place", "engine", "points", "Buchholz"], places),
        PagePart::table(&["round", "pairing", "result", "games", "winner"], rounds),
    ]
}

fn cells(board: &BoardSummary) -> [String; 4] {
    let BoardSummary { first, second, points: [one, two], pairs, winner, .. } = board;
    match second {
        None => [first, "bye", "", ""].map(str::to_owned),
        Some(second) => [
            format!("{first} - {second}"),
            format!("{one}-{two}"),
            (2 * pairs).to_string(),
            winner.clone().unwrap_or_default(),
        ],
    }
}

/// Maximum width of a cross table in characters, unless names would have to be shorter than
/// [`MIN_NAME_LENGTH`].
const WIDTH: usize = 80;
/// Minimum length in characters to which names in a cross table are shortened.
const MIN_NAME_LENGTH: usize = 8;
/// Maximum number of engines for which a cross table shows percentages with a decimal.
const MAX_WITH_DECIMALS: usize = 8;

/// The percentage of points that each engine scored against each of the others, in ranking order.
pub fn cross_table(summary: &Summary, ranking: &[&EngineSummary]) -> PagePart {
    let numbers: Vec<_> = (1..=ranking.len()).map(|place| place.to_string()).collect();
    let mut header = vec!["", "engine"];
    header.extend(numbers.iter().map(String::as_str));
    let decimals = usize::from(ranking.len() <= MAX_WITH_DECIMALS);
    // A cell contains a percentage, such as `57.5` or `100`, and two spaces.
    let taken = 4 + (5 + decimals) * ranking.len();
    let longest = WIDTH.saturating_sub(taken).max(MIN_NAME_LENGTH);
    let rows = ranking.iter().zip(&numbers).map(|(engine, number)| {
        let scores = ranking.iter().map(|opponent| {
            let score = score_between(summary, &engine.name, &opponent.name);
            score.map_or(String::new(), |score| format!("{:.decimals$}", 100.0 * score.share()))
        });
        let name = engine.name.chars().take(longest).collect();
        [number.clone(), name].into_iter().chain(scores).collect()
    });
    PagePart::table(&header, rows)
}

/// The score of one engine against another.
fn score_between(summary: &Summary, one: &str, two: &str) -> Option<WinDrawLoss> {
    summary.pairings.iter().find_map(|pairing| {
        match (pairing.first == one && pairing.second == two, pairing) {
            (true, _) => Some(pairing.score),
            (_, PairingSummary { first, second, score, .. }) if first == two && second == one => {
                Some(score.reversed())
            }
            _ => None,
        }
    })
}

//! The result of a match as tables.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Display;

use comfy_table::presets::NOTHING;
use comfy_table::{Attribute, Cell, CellAlignment, ContentArrangement, Table};

use crate::arena::plan::MatchPlan;
use crate::arena::stats::{Estimate, RatingRow, RatingTable, SprtVerdict};
use crate::arena::summary::{BitbaseSummary, EngineSummary, PairingSummary, SprtSummary, Summary};
use crate::arena::tally::WinDrawLoss;
use crate::report::page::PagePart;

use super::meetings;

/// The whole summary as text, with bold headers if `is_styled`.
pub fn text(plan: &MatchPlan, summary: &Summary, is_styled: bool) -> String {
    in_text(&parts(plan, summary), is_styled)
}

/// The whole summary.
pub fn parts(plan: &MatchPlan, summary: &Summary) -> Vec<PagePart> {
    let mut parts = vec![overview(plan, summary)];
    parts.extend(live(plan, summary));
    parts
}

/// The summary without the overview of the run, for a match in progress.
pub fn live(plan: &MatchPlan, summary: &Summary) -> Vec<PagePart> {
    let mut parts = meetings::rounds(summary);
    parts.push(standings(summary));
    if summary.engines.len() > 2 {
        parts.extend([cross_table(summary), superiority(&summary.ratings)]);
        parts.push(PagePart::Lines(vec![white_advantage(&summary.ratings)]));
    }
    parts.push(pairings(summary));
    parts.extend(by_bitbases(summary));
    parts.extend(tests(summary));
    parts.push(moves(plan, summary));
    parts.push(endings(summary));
    parts.extend(faults(summary));
    parts.extend(warnings(summary));
    parts
}

/// The standings of an unfinished match, styled like [`text`].
pub fn interim(summary: &Summary, is_styled: bool) -> String {
    let mut parts = meetings::rounds(summary);
    parts.push(standings(summary));
    if summary.engines.len() > 2 {
        parts.push(cross_table(summary));
    }
    parts.extend(tests(summary));
    in_text(&parts, is_styled)
}

/// Formats parts as text, with an empty line between them.
fn in_text(parts: &[PagePart], is_styled: bool) -> String {
    let texts: Vec<_> = parts
        .iter()
        .map(|part| match part {
            PagePart::Lines(lines) => lines.join("\n") + "\n",
            PagePart::Table { header, rows, texts } => table_text(header, rows, texts, is_styled),
        })
        .collect();
    texts.join("\n")
}

fn overview(plan: &MatchPlan, summary: &Summary) -> PagePart {
    let run = &summary.run;
    let repeated = if plan.schedule().openings() > run.openings { " and repeated" } else { "" };
    let skipped = match run.skipped_openings {
        0 => String::new(),
        skipped => format!(" ({skipped} games too short)"),
    };
    let mut lines = vec![
        format!("{} of {} games, {}", summary.games, summary.planned_games, summary.variant),
        format!(
            "openings: {}, {} different{skipped}{repeated}, seed {}",
            plan.openings, run.openings, plan.seed
        ),
        format!(
            "this run: {:.1} s, {:.2} games/s, {:.2} % of the time no engine was thinking",
            run.seconds,
            run.games_per_second,
            100.0 * run.overhead,
        ),
        format!("machine: {}; referee: {}", summary.machine, summary.referee),
    ];
    lines.extend(summary.engines.iter().map(|engine| {
        let EngineSummary { name, identity, settings, limits, .. } = engine;
        let known = [identity.as_deref().unwrap_or_default(), settings, limits];
        let known: Vec<_> = known.into_iter().filter(|text| !text.is_empty()).collect();
        format!("{name}: {}", known.join(", "))
    }));
    PagePart::Lines(lines)
}

/// The engines with their ratings, best first: in a tournament by place, otherwise two engines by
/// their share of points, and more by rating.
fn ranking(summary: &Summary) -> Vec<(&EngineSummary, &RatingRow)> {
    let mut engines: Vec<_> = summary.engines.iter().zip(&summary.ratings.players).collect();
    let place = |name: &str| summary.places.iter().position(|place| place.name == name);
    match engines.len() {
        _ if !summary.places.is_empty() => engines.sort_by_key(|(engine, _)| place(&engine.name)),
        0..=2 => {
            engines.sort_by(|(one, _), (two, _)| two.score.share().total_cmp(&one.score.share()))
        }
        _ => engines.sort_by(|(_, one), (_, two)| by_rating(one, two)),
    }
    engines
}

fn standings(summary: &Summary) -> PagePart {
    let header = ["engine", "games", "won", "drawn", "lost", "points", "score", "Elo", "95 %"];
    let has_ratings = summary.engines.len() > 2;
    let rows = ranking(summary).into_iter().map(|(engine, rating)| {
        let score = engine.score;
        let elo = if has_ratings { rating.elo } else { engine.elo };
        vec![
            engine.name.clone(),
            score.games().to_string(),
            score.wins.to_string(),
            score.draws.to_string(),
            score.losses.to_string(),
            score.points().to_string(),
            format!("{:.1} %", 100.0 * score.share()),
            number(elo.value, 1),
            interval(elo),
        ]
    });
    PagePart::table(&header, rows)
}

/// The ratings of all players as text, best first, with bold headers if `is_styled`.
pub fn ratings_text(ratings: &RatingTable, is_styled: bool) -> String {
    let header = ["", "engine", "games", "score", "Elo", "95 %"];
    let rows = ranked(ratings).into_iter().zip(1..).map(|(player, place)| {
        vec![
            place.to_string(),
            player.name.clone(),
            player.games.to_string(),
            player.score.map_or("-".to_owned(), |score| format!("{:.1} %", 100.0 * score)),
            number(player.elo.value, 1),
            interval(player.elo),
        ]
    });
    let advantage = PagePart::Lines(vec![white_advantage(ratings)]);
    in_text(&[PagePart::table(&header, rows), advantage], is_styled)
}

/// The players by rating; those with only a bound are above or below the others.
fn ranked(ratings: &RatingTable) -> Vec<&RatingRow> {
    let mut players: Vec<_> = ratings.players.iter().collect();
    players.sort_by(|one, two| by_rating(one, two));
    players
}

/// Puts the better player first: the one with the higher rating or, without ratings, the greater
/// share of points.
fn by_rating(one: &RatingRow, other: &RatingRow) -> Ordering {
    let place = |player: &RatingRow| match (player.elo.value, player.elo.low, player.elo.high) {
        (Some(value), ..) => (1, value),
        (None, Some(low), _) => (2, low),
        (None, None, Some(high)) => (0, high),
        (None, None, None) => (-1, 0.0),
    };
    let ((class, elo), (other_class, other_elo)) = (place(one), place(other));
    let scores = [other, one].map(|player| player.score.unwrap_or(-1.0));
    other_class.cmp(&class).then(other_elo.total_cmp(&elo)).then(scores[0].total_cmp(&scores[1]))
}

/// The likelihood, in percent, that each engine is stronger than each of the others.
fn superiority(ratings: &RatingTable) -> PagePart {
    let ranked = ranked(ratings);
    let numbers: Vec<_> = (1..=ranked.len()).map(|place| place.to_string()).collect();
    let mut header = vec!["LOS", "engine"];
    header.extend(numbers.iter().map(String::as_str));
    let index = |name: &str| ratings.players.iter().position(|player| player.name == name);
    let rows = ranked.iter().zip(&numbers).map(|(player, number)| {
        let cells = ranked.iter().map(|opponent| {
            let los = index(&opponent.name).and_then(|index| player.superiority[index]);
            los.map_or(String::new(), |los| format!("{:.0}", 100.0 * los))
        });
        [number.clone(), player.name.clone()].into_iter().chain(cells).collect()
    });
    PagePart::table(&header, rows)
}

fn white_advantage(ratings: &RatingTable) -> String {
    let elo = ratings.white_advantage;
    format!("White's advantage: {} Elo ({})", number(elo.value, 1), interval(elo))
}

fn cross_table(summary: &Summary) -> PagePart {
    let ranking: Vec<_> = ranking(summary).into_iter().map(|(engine, _)| engine).collect();
    meetings::cross_table(summary, &ranking)
}

fn pairings(summary: &Summary) -> PagePart {
    let header =
        ["pairing", "won", "drawn", "lost", "pairs 0 ½ 1 1½ 2", "Elo", "95 %", "nElo", "LOS"];
    let rows = summary.pairings.iter().map(|pairing| {
        let PairingSummary { first, second, score, pentanomial, elo, .. } = pairing;
        let PairingSummary { normalized_elo, los, .. } = pairing;
        vec![
            format!("{first} - {second}"),
            score.wins.to_string(),
            score.draws.to_string(),
            score.losses.to_string(),
            pentanomial.counts().map(|count| count.to_string()).join(" "),
            number(elo.value, 1),
            interval(*elo),
            number(normalized_elo.value, 1),
            los.map_or("-".to_owned(), |los| format!("{:.1} %", 100.0 * los)),
        ]
    });
    PagePart::table(&header, rows)
}

/// The pairings whose results by bitbases differ from those played; `None` if there are none.
fn by_bitbases(summary: &Summary) -> Option<PagePart> {
    let differ = |pairing: &&PairingSummary| pairing.by_bitbases.score != pairing.score;
    let lines: Vec<_> = summary
        .pairings
        .iter()
        .filter(differ)
        .map(
            |PairingSummary {
                 first, second, by_bitbases: BitbaseSummary { score, elo }, ..
             }| {
                let WinDrawLoss { wins, draws, losses } = score;
                format!(
                    "by bitbases: {first} - {second} +{wins} ={draws} -{losses}, Elo {} ({})",
                    number(elo.value, 1),
                    interval(*elo)
                )
            },
        )
        .collect();
    (!lines.is_empty()).then_some(PagePart::Lines(lines))
}

/// The sequential tests, one for each pairing if there are more than two engines; `None` if there
/// are none.
fn tests(summary: &Summary) -> Option<PagePart> {
    let of_pairing = |pairing: &PairingSummary| {
        let PairingSummary { first, second, sprt, .. } = pairing;
        Some(format!("{first} - {second}: {}", test(sprt.as_ref()?)))
    };
    let lines: Vec<_> = match summary.engines.len() {
        0..=2 => summary.sprt.iter().map(test).collect(),
        _ => summary.pairings.iter().filter_map(of_pairing).collect(),
    };
    (!lines.is_empty()).then_some(PagePart::Lines(lines))
}

fn test(sprt: &SprtSummary) -> String {
    let SprtSummary { test, llr, lower, upper, verdict } = sprt;
    let verdict = match verdict {
        Some(SprtVerdict::H0) => "H0 accepted",
        Some(SprtVerdict::H1) => "H1 accepted",
        None => "undecided",
    };
    format!(
        "SPRT {} ({}): LLR {llr:.2} in [{lower:.2}, {upper:.2}], {verdict}",
        test.elo(),
        test.model()
    )
}

fn moves(plan: &MatchPlan, summary: &Summary) -> PagePart {
    let header = [
        "engine", "limits", "moves", "depth", "nodes", "s/move", "nodes/s", "longest", "late",
        "latest",
    ];
    let rows = summary.engines.iter().zip(&plan.engines).map(|(engine, participant)| {
        let limit = participant.time_control.nodes.map_or(f64::INFINITY, |nodes| nodes as f64);
        // An engine that completes its iteration searches more nodes than its limit.
        let is_soft = engine.nodes.is_some_and(|nodes| nodes > limit);
        vec![
            engine.name.clone(),
            format!("{}{}", engine.limits, if is_soft { " (soft)" } else { "" }),
            engine.moves.to_string(),
            number(engine.depth, 1),
            number(engine.nodes, 0),
            number(engine.time, 4),
            number(engine.nps, 0),
            format!("{:.3}", engine.longest),
            engine.late_moves.to_string(),
            format!("{:.3}", engine.latest),
        ]
    });
    PagePart::table(&header, rows)
}

fn endings(summary: &Summary) -> PagePart {
    PagePart::Lines(vec![
        format!(
            "late: over the limit; a move late by more than {} s loses the game",
            summary.margin
        ),
        format!("ends: {}", counts(&summary.reasons)),
        format!("draws: {}", counts(&summary.draws)),
    ])
}

/// The faults of each engine; `None` if there are none.
fn faults(summary: &Summary) -> Option<PagePart> {
    let faulty = summary.engines.iter().filter(|engine| !engine.faults.is_empty());
    let lines: Vec<_> = faulty
        .map(|engine| format!("faults of {}: {}", engine.name, counts(&engine.faults)))
        .collect();
    (!lines.is_empty()).then_some(PagePart::Lines(lines))
}

/// Reasons to doubt the results; `None` if there are none.
fn warnings(summary: &Summary) -> Option<PagePart> {
    let lines: Vec<_> = summary.warnings.iter().map(|text| format!("warning: {text}")).collect();
    (!lines.is_empty()).then_some(PagePart::Lines(lines))
}

/// Lists counts, the highest first: `repetition 12; move limit 3`.
fn counts(counts: &BTreeMap<impl Display, u64>) -> String {
    let mut counts: Vec<_> = counts.iter().collect();
    counts.sort_by_key(|&(_, &count)| std::cmp::Reverse(count));
    let texts: Vec<_> = counts.iter().map(|(what, count)| format!("{what} {count}")).collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join("; ") }
}

fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.decimals$}"))
}

fn interval(estimate: Estimate) -> String {
    if estimate.low.or(estimate.high).is_none() {
        return "-".to_owned();
    }
    match (estimate.value, estimate.low, estimate.high) {
        (None, Some(low), None) => format!("above {low:.1}"),
        (None, None, Some(high)) => format!("below {high:.1}"),
        (_, low, high) => format!("{} .. {}", number(low, 1), number(high, 1)),
    }
}

/// A table at most as wide as the terminal, with texts left-aligned and numbers right-aligned.
fn table_text(header: &[String], rows: &[Vec<String>], texts: &[usize], is_styled: bool) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    let cell = |name: &String| match is_styled {
        true => Cell::new(name).add_attribute(Attribute::Bold),
        false => Cell::new(name),
    };
    if is_styled {
        table.enforce_styling();
    }
    table.set_header(header.iter().map(cell));
    table.add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        let right = if texts.contains(&index) { CellAlignment::Left } else { CellAlignment::Right };
        column.set_cell_alignment(right);
    }
    table.trim_fmt() + "\n"
}

//! Statistics of collections of games.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::board::Side;
use crate::cli::Error;
use crate::cli::args::JsonArgument;
use crate::cli::args::games::GameFilesArgument;
use crate::cli::output::{number_table, write_json};
use crate::erased::Position;
use crate::notation::pdn::{self, GameRecord};

use super::GameCounts;
use super::collect::{is_unknown, year};

/// Show statistics: results, players, events, openings and years
///
/// Tables of the most frequent players, events, openings (the first moves of games from the start
/// position) and years, with their results. The score is the percentage scored by the player, or by
/// White. Games with errors count up to the error; if there are any, the exit code is 1.
///
/// JSON: one object with the fields of `pdn count`, and the lists players, events, openings and
/// years, each of objects with name, games, won, drawn and lost (by the player, or by White).
///
/// Examples:
///   manoury pdn stats games.pdn --top 3 --plies 2
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct StatsArguments {
    #[command(flatten)]
    files: GameFilesArgument,
    /// Number of rows in each table
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Number of plies of an opening
    #[arg(long, value_name = "N", default_value_t = 4)]
    plies: usize,
    #[command(flatten)]
    json: JsonArgument,
}

/// The games of a player, an event, an opening or a year, and their results for the player or for
/// White.
#[derive(Serialize, Clone, Default, Debug)]
struct GroupCounts {
    name: String,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
}

/// Groups by name.
#[derive(Default)]
struct Groups(HashMap<String, GroupCounts>);

#[derive(Serialize, Default)]
struct CollectionStatistics {
    #[serde(flatten)]
    counts: GameCounts,
    players: Vec<GroupCounts>,
    events: Vec<GroupCounts>,
    openings: Vec<GroupCounts>,
    years: Vec<GroupCounts>,
}

/// Counts the games and prints the statistics.
pub fn stats(arguments: &StatsArguments) -> Result<(), Error> {
    let mut statistics = CollectionStatistics::default();
    let [mut players, mut events, mut years] = [(); 3].map(|()| Groups::default());
    let mut openings: BTreeMap<&str, Groups> = BTreeMap::new();
    statistics.counts.faults = arguments.files.each(&mut |game| {
        let record = game.up_to_error();
        statistics.counts.add(record.as_ref());
        let Some(record) = record else { return Ok(()) };
        let winner = record.result().winner();
        let tag = |name| record.tags.get(name).unwrap_or_default().trim();
        players.add_game(tag("White"), tag("Black"), winner);
        events.add(tag("Event"), winner, Side::White);
        let of_variant = openings.entry(record.start.variant().name()).or_default();
        of_variant.add(&opening(&record, arguments.plies), winner, Side::White);
        years.add(&year(&record), winner, Side::White);
        Ok(())
    })?;
    statistics.players = players.most_frequent(arguments.top);
    statistics.events = events.most_frequent(arguments.top);
    statistics.openings = Groups::of_variants(openings).most_frequent(arguments.top);
    statistics.years = years.most_frequent(arguments.top);
    let mut output = io::stdout().lock();
    match arguments.json.is_on() {
        true => write_json(&mut output, &statistics)?,
        false => output.write_all(statistics.text().as_bytes())?,
    }
    output.flush()?;
    Error::check_faults(statistics.counts.faults)
}

/// The first moves of a game; empty unless it begins at the start position and has enough moves.
fn opening(record: &GameRecord, plies: usize) -> String {
    let start = Position::start(record.start.variant());
    let moves: Vec<_> =
        record.line.moves.iter().take(plies).map(|annotated| annotated.mv).collect();
    match record.start == start && moves.len() == plies {
        true => pdn::format_numbered_line(&start, 0, &start, &moves),
        false => String::new(),
    }
}

impl Groups {
    /// The groups of all variants. If there are several variants, the names of the groups end with
    /// that of their variant.
    fn of_variants(variants: BTreeMap<&str, Groups>) -> Groups {
        let is_mixed = variants.len() > 1;
        let named = |variant: &str, name: String| match is_mixed {
            true => format!("{name} ({variant})"),
            false => name,
        };
        let groups = variants.into_iter().flat_map(|(variant, groups)| {
            groups.0.into_iter().map(move |(name, counts)| (named(variant, name), counts))
        });
        Groups(groups.collect())
    }

    /// Counts a game for both its players. A player's game against itself counts once, as a draw or
    /// without a result.
    fn add_game(&mut self, white: &str, black: &str, winner: Option<Option<Side>>) {
        if white == black {
            return self.add(white, winner.filter(Option::is_none), Side::White);
        }
        self.add(white, winner, Side::White);
        self.add(black, winner, Side::Black);
    }

    /// Counts a game, unless its group is unknown.
    fn add(&mut self, name: &str, winner: Option<Option<Side>>, side: Side) {
        if is_unknown(name) {
            return;
        }
        let counts = match self.0.get_mut(name) {
            Some(counts) => counts,
            None => self.0.entry(name.to_owned()).or_default(),
        };
        counts.games += 1;
        match winner {
            Some(Some(winner)) if winner == side => counts.won += 1,
            Some(Some(_)) => counts.lost += 1,
            Some(None) => counts.drawn += 1,
            None => {}
        }
    }

    /// The groups with the most games, in descending order.
    fn most_frequent(self, count: usize) -> Vec<GroupCounts> {
        let groups = self.0.into_iter().map(|(name, counts)| GroupCounts { name, ..counts });
        let mut groups: Vec<_> = groups.collect();
        groups.sort_by(|one, other| {
            other.games.cmp(&one.games).then_with(|| one.name.cmp(&other.name))
        });
        groups.truncate(count);
        groups
    }
}

impl GroupCounts {
    fn row(&self) -> Vec<String> {
        let GroupCounts { name, games, won, drawn, lost } = self;
        let known = won + drawn + lost;
        let score = match known {
            0 => String::new(),
            _ => format!("{:.1}", 100.0 * (*won as f64 + *drawn as f64 / 2.0) / known as f64),
        };
        let counts = [games, won, drawn, lost].map(u64::to_string);
        [vec![score], counts.to_vec(), vec![name.clone()]].concat()
    }
}

impl CollectionStatistics {
    fn text(&self) -> String {
        let GameCounts { games, plies, white, draws, black, unknown, .. } = self.counts;
        let share = |count: u64| 100.0 * count as f64 / games.max(1) as f64;
        let mut text = format!(
            "{} games, {:.1} plies on average: White won {:.1} %, {:.1} % drawn, Black won {:.1} %, \
             {:.1} % unknown\n",
            games,
            plies as f64 / games.max(1) as f64,
            share(white),
            share(draws),
            share(black),
            share(unknown),
        );
        let tables = [
            ("player", &self.players),
            ("event", &self.events),
            ("opening", &self.openings),
            ("year", &self.years),
        ];
        for (name, groups) in tables {
            if !groups.is_empty() {
                let header = ["score", "games", "won", "drawn", "lost", name];
                text.push('\n');
                text += &number_table(&header, groups.iter().map(GroupCounts::row));
            }
        }
        text
    }
}

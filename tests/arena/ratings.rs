//! Ratings of tournaments: of simulated players with known strengths, and of PDN files.

use std::fs;
use std::process::Command;

use manoury::arena::stats::{GamePair, RatedGames, RatingScale, Ratings, elo_to_score};
use manoury::game::GameResult;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// The true strengths, with the mean 0.
const STRENGTHS: [f64; 6] = [-180.0, -90.0, -30.0, 20.0, 110.0, 170.0];
/// What the first move is worth in the simulation.
const ADVANTAGE: f64 = 25.0;
/// The pairs of games of each pairing.
const PAIRS: u64 = 40;

/// White's result if its expected score is `score` and few games are decisive by chance.
fn play(score: f64, random: &mut Xoshiro256PlusPlus) -> GameResult {
    let draws = 1.2 * score.min(1.0 - score);
    match random.random::<f64>() {
        number if number < score - draws / 2.0 => GameResult::Win,
        number if number < score + draws / 2.0 => GameResult::Draw,
        _ => GameResult::Loss,
    }
}

/// A round robin. Some openings are better for White, so the games of a pair are correlated.
fn tournament(random: &mut Xoshiro256PlusPlus) -> RatedGames {
    let mut games = RatedGames::default();
    let players = STRENGTHS.len();
    for second in 1..players {
        for first in 0..second {
            let [one, other] = [first, second].map(|player| STRENGTHS[player]);
            let lead = one - other;
            for _ in 0..PAIRS {
                let opening = ADVANTAGE + random.random_range(-60.0..60.0);
                let results = [
                    play(elo_to_score(lead + opening), random),
                    play(elo_to_score(opening - lead), random).reversed(),
                ];
                games.add(GamePair { players: [first, second], results: results.map(Some) }, 1);
            }
        }
    }
    games
}

#[test]
fn intervals_contain_the_true_strengths() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let (mut inside, mut advantages, mut tournaments) = (0, 0, 0);
    for _ in 0..100 {
        let games = tournament(&mut random);
        let ratings = Ratings::new(&games, STRENGTHS.len(), RatingScale::Average(0.0)).unwrap();
        let is_inside = |elo: manoury::arena::stats::Estimate, strength: f64| {
            elo.low.unwrap() <= strength && strength <= elo.high.unwrap()
        };
        let found = ratings.players.iter().zip(STRENGTHS);
        inside += found.filter(|&(&elo, strength)| is_inside(elo, strength)).count();
        advantages += usize::from(is_inside(ratings.white_advantage, ADVANTAGE));
        tournaments += STRENGTHS.len();
    }
    println!("{inside} of {tournaments} ratings and {advantages} of 100 advantages are inside");
    // 95 % of 600 is 570; three standard deviations are 16.
    assert!((554..=586).contains(&inside), "{inside}");
    assert!((88..=100).contains(&advantages), "{advantages}");
}

/// A game as a file has it.
fn pdn(white: &str, black: &str, result: &str) -> String {
    format!(
        "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. 32-28 {result}\n\n"
    )
}

#[test]
fn rates_the_players_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    let mut text = String::new();
    for round in 0..10 {
        let result = ["2-0", "1-1", "1/2-1/2"][round % 3];
        text += &(pdn("Anne", "Ben", result) + &pdn("Ben", "Anne", "1-1"));
        text += &(pdn("Champion", "Anne", "1-0") + &pdn("Ben", "Champion", "0-2"));
    }
    text += &(pdn("Anne", "?", "2-0") + &pdn("Anne", "Ben", "*"));
    fs::write(&path, text).unwrap();
    let rate = |arguments: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_manoury"));
        command.args(["match", "--rate"]).arg(&path).args(arguments.split_whitespace());
        let output = command.output().unwrap();
        let texts = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code(), texts)
    };
    let (code, [table, notes]) = rate("--anchor Ben=1500");
    assert_eq!(code, Some(0), "{notes}");
    assert!(notes.contains("games without a result or a name: 2"), "{notes}");
    let rows: Vec<Vec<&str>> =
        table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[1][..6], ["1", "Champion", "20", "100.0", "%", "-"], "{table}");
    assert!(rows[1][6] == "above" && rows[1][7].parse::<f64>().unwrap() > 1700.0, "{table}");
    assert!(rows[2][1] == "Anne" && rows[2][5].parse::<f64>().unwrap() > 1550.0, "{table}");
    assert_eq!(rows[3][1..], ["Ben", "30", "26.7", "%", "1500.0", "1500.0", "..", "1500.0"]);
    let (_, [json, _]) = rate("--json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["players"][2]["name"], "Champion");
    assert!(json["players"][0]["superiority"][1].as_f64().unwrap() > 0.9, "{json}");
    for (arguments, complaint) in [
        ("--anchor Carl=1500", "no player \"Carl\""),
        ("--anchor Champion=2000", "the anchor has no rating"),
        ("--anchor 2000", "expected NAME=ELO"),
        ("--average nan", "expected a number, such as 0.5"),
    ] {
        let (code, [_, notes]) = rate(arguments);
        assert!(code == Some(2) && notes.contains(complaint), "{arguments}: {notes}");
    }
}

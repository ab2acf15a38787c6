//! `manoury bitbase probe`: what positions are worth.

use std::io::{self, Write};

use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use serde::Serialize;

use crate::bitbase::{Bitbases, Value, Verdict};
use crate::board::Move;
use crate::cli::Error;
use crate::cli::positions::Positions;
use crate::game::Game;
use crate::movegen;
use crate::notation::{fen, hub};
use crate::position::Position;
use crate::rules::{Rules, VariantVisitor};

use super::place::Place;

/// Tell what positions are worth, and each of their moves
///
/// Values are for the side to move, those of moves too: a winning move has the value `win`. With them
/// are the plies to the end of the game, counted from the position itself. What no bitbase tells is
/// `unknown`. Then come the best line, and whether the winner also wins with the limits of moves that
/// the rules have (25, 16 and 5 in international draughts), counted from the position on. With `-`, one
/// line a position: its value and its moves with theirs, the best first.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    positions: Positions,
    #[command(flatten)]
    place: Place,
    /// One JSON object a position: variant, fen, value ("win", "draw", "loss" or null), plies (null for
    /// a draw, and where no file tells), in_time (whether the winner wins before the rules say draw; null
    /// for a draw, and where it is not known), line (the moves to the end; empty for a draw, and where
    /// they are not known) and moves, the best first, each with move, value and plies
    #[arg(long)]
    json: bool,
}

/// What is known about a position.
#[derive(Serialize)]
struct Answer {
    variant: &'static str,
    fen: String,
    #[serde(flatten)]
    end: End,
    in_time: Option<bool>,
    line: Vec<String>,
    moves: Vec<MoveAnswer>,
}

#[derive(Serialize)]
struct MoveAnswer {
    r#move: String,
    #[serde(flatten)]
    end: End,
}

/// How the game ends.
#[derive(Serialize)]
struct End {
    value: Option<String>,
    plies: Option<u8>,
    #[serde(skip)]
    verdict: Option<Verdict>,
}

impl End {
    fn new(verdict: Option<Verdict>) -> Self {
        End {
            value: verdict.map(|verdict| verdict.value.to_string()),
            plies: verdict.and_then(|verdict| verdict.plies),
            verdict,
        }
    }

    fn text(&self) -> String {
        self.verdict.map_or("unknown".to_owned(), |verdict| verdict.to_string())
    }
}

impl Answer {
    fn new<R: Rules>(position: &Position<R>, bitbases: &Bitbases<R>) -> Self {
        let mut moves = movegen::legal_moves(position).to_vec();
        moves.sort_by_cached_key(|mv| mv.numbers());
        let mut moves: Vec<_> =
            moves.into_iter().map(|mv| MoveAnswer::new(position, mv, bitbases)).collect();
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.end.verdict));
        let line = bitbases.line(position).unwrap_or_default();
        Answer {
            variant: R::VARIANT.name(),
            fen: fen::format(position),
            end: End::new(bitbases.verdict(position)),
            in_time: bitbases.wins_in_time(&Game::new(*position)),
            line: line.into_iter().map(hub::format_move).collect(),
            moves,
        }
    }
}

impl MoveAnswer {
    fn new<R: Rules>(
        position: &Position<R>,
        mv: Move<R::Geometry>,
        bitbases: &Bitbases<R>,
    ) -> Self {
        let verdict = bitbases.verdict(&position.after(mv)).map(Verdict::before);
        MoveAnswer { r#move: hub::format_move(mv), end: End::new(verdict) }
    }
}

/// Prints the values.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.positions.game.variant.visit(Prober(arguments))
}

struct Prober<'a>(&'a Arguments);

impl VariantVisitor for Prober<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Arguments { positions, place, json } = self.0;
        let bitbases = place.open::<R>()?;
        let mut output = io::stdout().lock();
        positions.each::<R>(|position| {
            let answer = Answer::new(position, &bitbases);
            if *json {
                writeln!(output, "{}", serde_json::to_string(&answer)?)?;
            } else if positions.is_batch() {
                writeln!(output, "{}", line(&answer))?;
            } else {
                writeln!(output, "{}", page(&answer))?;
            }
            Ok(())
        })
    }
}

fn line(answer: &Answer) -> String {
    let moves = answer.moves.iter().map(|mv| format!(", {} {}", mv.r#move, mv.end.text()));
    answer.end.text() + &moves.collect::<String>()
}

/// What the draw rules make of a win.
fn in_time(answer: &Answer) -> &'static str {
    let is_decided = answer.end.verdict.is_some_and(|verdict| verdict.value != Value::Draw);
    match answer.in_time {
        Some(true) => ", before the rules say draw",
        Some(false) => ", but the rules say draw before",
        None if is_decided => ", if the rules do not say draw before",
        None => "",
    }
}

fn page(answer: &Answer) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    for mv in &answer.moves {
        table.add_row([mv.r#move.clone(), mv.end.text()]);
    }
    let end = format!("{}{}", answer.end.text(), in_time(answer));
    let line = if answer.line.is_empty() { vec![] } else { vec![answer.line.join(" ")] };
    [vec![end], line, vec![table.trim_fmt()]].concat().join("\n")
}

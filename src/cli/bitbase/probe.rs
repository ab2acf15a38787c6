//! `manoury bitbase probe`: what positions are worth.

use std::io::{self, Write};

use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use serde::Serialize;

use crate::bitbase::{Bitbases, Verdict};
use crate::board::Move;
use crate::cli::Error;
use crate::cli::positions::Positions;
use crate::movegen;
use crate::notation::{fen, hub};
use crate::position::Position;
use crate::rules::{Rules, VariantVisitor};

use super::place::Place;

/// Tell what positions are worth, and each of their moves
///
/// Values are for the side to move, those of moves too: a winning move has the value `win`. With them
/// are the plies to the end of the game, counted from the position itself. What no bitbase tells is
/// `unknown`. With `-`, one line a position: its value and its moves with theirs, the best first.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    positions: Positions,
    #[command(flatten)]
    place: Place,
    /// One JSON object a position: variant, fen, value ("win", "draw", "loss" or null), plies (null for
    /// a draw, and where no file tells) and moves, the best first, each with move, value and plies
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
        let end = End::new(bitbases.verdict(position));
        Answer { variant: R::VARIANT.name(), fen: fen::format(position), end, moves }
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

fn page(answer: &Answer) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    for mv in &answer.moves {
        table.add_row([mv.r#move.clone(), mv.end.text()]);
    }
    format!("{}\n{}", answer.end.text(), table.trim_fmt())
}

//! `manoury moves`: lists legal moves.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::board::{Geometry, Move};
use crate::movegen;
use crate::notation::{fen, hub};
use crate::position::Position;
use crate::rules::{Rules, VariantVisitor};

use super::Error;
use super::positions::Positions;

/// List the legal moves of a position
///
/// Moves are in Hub notation (32-28; 28x19x23 for a capture from 28 to 19 over 23), sorted as
/// numbers, one a line; a finished game has no line. With `-`, one line a position: its moves
/// separated by blanks, an empty line for a finished game.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    positions: Positions,
    /// One JSON object a position: variant, fen, moves (each with move, from, to, captured)
    #[arg(long)]
    json: bool,
}

/// The legal moves of a position, as JSON.
#[derive(Serialize)]
struct Listing {
    variant: &'static str,
    fen: String,
    moves: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    r#move: String,
    from: u8,
    to: u8,
    captured: Vec<u8>,
}

/// Prints the moves.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.positions.game.variant.visit(Lister(arguments))
}

struct Lister<'a>(&'a Arguments);

impl VariantVisitor for Lister<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let mut output = io::stdout().lock();
        let Arguments { positions, json } = self.0;
        positions.each::<R>(|position| {
            let moves = sorted_moves(position);
            if *json {
                let listing = listing(position, &moves);
                writeln!(output, "{}", serde_json::to_string(&listing)?)?;
                return Ok(());
            }
            let moves: Vec<_> = moves.into_iter().map(hub::format_move).collect();
            if positions.is_batch() {
                writeln!(output, "{}", moves.join(" "))?;
                return Ok(());
            }
            for mv in moves {
                writeln!(output, "{mv}")?;
            }
            Ok(())
        })
    }
}

fn sorted_moves<R: Rules>(position: &Position<R>) -> Vec<Move<R::Geometry>> {
    let mut moves = movegen::legal_moves(position).to_vec();
    moves.sort_by_cached_key(|mv| mv.numbers());
    moves
}

fn listing<R: Rules>(position: &Position<R>, moves: &[Move<R::Geometry>]) -> Listing {
    Listing {
        variant: R::VARIANT.name(),
        fen: fen::format(position),
        moves: moves.iter().copied().map(entry).collect(),
    }
}

fn entry<G: Geometry>(mv: Move<G>) -> Entry {
    let (from, to, captured) = mv.numbers();
    Entry { r#move: hub::format_move(mv), from, to, captured }
}

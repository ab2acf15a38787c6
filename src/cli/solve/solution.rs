//! Solutions of problems as text and as JSON.

use std::iter;
use std::sync::Arc;

use serde::Serialize;

use crate::analysis::problems::{
    Dual, MoveVerdict, Problem, Proof, ProofEnd, ProofStep, Solution, SolutionCheck,
};
use crate::board::Move;
use crate::cli::output::colour;
use crate::erased::Position;
use crate::notation::pdn::{self, move_number};
use crate::notation::{fen, hub};

/// A problem and its solution.
#[derive(Serialize)]
pub struct SolutionReport {
    number: usize,
    variant: &'static str,
    fen: String,
    goal: String,
    status: Option<&'static str>,
    keys: Vec<String>,
    unique: Option<&'static str>,
    plies: Option<u32>,
    line: Vec<String>,
    end: Option<&'static str>,
    duals: Vec<FoundDual>,
    tries: Vec<TriedMove>,
    stated: Option<&'static str>,
    stated_ply: Option<usize>,
}

#[derive(Serialize)]
struct FoundDual {
    ply: usize,
    moves: Vec<String>,
}

#[derive(Serialize)]
struct TriedMove {
    r#move: String,
    status: &'static str,
    plies: Option<u32>,
    score: Option<f64>,
    depth: Option<u32>,
}

impl SolutionReport {
    /// Creates the report on a problem; `number` is the number of the problem in the file.
    pub fn new(number: usize, problem: &Problem, solution: &Solution) -> SolutionReport {
        let spelled = |mv: Move| hub::format_move(mv);
        let proof = solution.proof();
        let position = problem.game.position();
        let dual = |Dual { ply, moves }: &Dual| FoundDual {
            ply: *ply,
            moves: moves.iter().copied().map(spelled).collect(),
        };
        let (stated, stated_ply) = match solution.stated {
            None => (None, None),
            Some(SolutionCheck::Holds) => (Some("holds"), None),
            Some(SolutionCheck::Likely) => (Some("likely"), None),
            Some(SolutionCheck::NotSeen(ply)) => (Some("not seen"), Some(ply)),
            Some(SolutionCheck::Fails(ply)) => (Some("fails"), Some(ply)),
        };
        SolutionReport {
            number,
            variant: position.variant().name(),
            fen: fen::format(position),
            goal: problem.goal.to_string(),
            status: solution.verdicts.first().map(|(_, verdict)| status(verdict)),
            keys: solution.keys().map(spelled).collect(),
            unique: unique(solution),
            plies: proof.map(|proof| proof.plies),
            line: solution.line(problem.goal).into_iter().map(spelled).collect(),
            end: proof.map(|proof| end(proof.end)),
            duals: solution.duals.iter().map(dual).collect(),
            tries: solution.verdicts.iter().map(TriedMove::new).collect(),
            stated,
            stated_ply,
        }
    }

    /// The report as text, with the tree up to `tree` plies if given.
    pub fn text(&self, problem: &Problem, solution: &Solution, tree: Option<usize>) -> String {
        let position = problem.game.position();
        let side = colour(position.side());
        let mut text = format!("{}. {side} to move, {}: {}\n", self.number, self.goal, self.fen);
        let mut line = |name: &str, value: String| text += &format!("   {name:<9} {value}\n");
        line("key", key(position, solution));
        if let Some(unique) = self.unique {
            line("unique", in_words(position, solution, unique));
        }
        let moves = solution.line(problem.goal);
        if !moves.is_empty() {
            line("line", pdn::format_numbered_line(position, 0, position, &moves));
        }
        if let Some(proof) = solution.proof() {
            if let Some(plies) = tree {
                let rows = TreeText::rows(position, proof, plies);
                let names = iter::once("tree").chain(iter::repeat(""));
                names.zip(rows).for_each(|(name, row)| line(name, row));
            }
            for dual in &solution.duals {
                line("dual", dual_in_words(position, &moves, dual));
            }
        }
        if let Some(stated) = solution.stated {
            line("stated", stated_in_words(position, problem, stated));
        }
        text
    }
}

impl TriedMove {
    fn new((mv, verdict): &(Move, MoveVerdict)) -> TriedMove {
        let seen = verdict.score();
        TriedMove {
            r#move: hub::format_move(*mv),
            status: status(verdict),
            plies: verdict.proof().map(|proof| proof.plies),
            score: seen.map(|seen| f64::from(seen.score.0) / 100.0),
            depth: seen.map(|seen| seen.depth),
        }
    }
}

fn status(verdict: &MoveVerdict) -> &'static str {
    match verdict {
        MoveVerdict::Proven(_) => "proven",
        MoveVerdict::Likely(_) => "likely",
        MoveVerdict::Open(_) => "open",
        MoveVerdict::Refuted => "refuted",
    }
}

/// Whether there is only one key, and whether that is proven; `None` without a key.
fn unique(solution: &Solution) -> Option<&'static str> {
    match solution.keys().count() + solution.likely_keys().count() {
        0 => None,
        1 if solution.others().all(|(_, verdict)| *verdict == MoveVerdict::Refuted) => {
            Some("proven")
        }
        1 => Some("seen"),
        _ => Some("no"),
    }
}

fn key(position: &Position, solution: &Solution) -> String {
    let Some((mv, verdict)) = solution.verdicts.first() else {
        return "none, the game is over".to_owned();
    };
    let mv = first_move(position, *mv);
    match verdict {
        MoveVerdict::Proven(proof) => {
            let end = match proof.end {
                ProofEnd::Over => "to the end of the game",
                ProofEnd::Bitbases => "with bitbases",
                ProofEnd::Repetition => "to a repetition",
                ProofEnd::Gain => "of captures",
            };
            format!("{mv}, proven: at most {} plies, {end}", proof.plies)
        }
        MoveVerdict::Likely(_) => format!("{mv}, likely: {}", seen_in_words(verdict)),
        MoveVerdict::Open(_) => {
            format!("not found; {mv} comes closest: {}", seen_in_words(verdict))
        }
        MoveVerdict::Refuted => "none: proven that no move reaches the goal".to_owned(),
    }
}

fn seen_in_words(verdict: &MoveVerdict) -> String {
    match (verdict, verdict.score()) {
        (_, Some(seen)) => {
            format!("{:+.2} at depth {}", f64::from(seen.score.0) / 100.0, seen.depth)
        }
        (MoveVerdict::Refuted, None) => "does not reach the goal".to_owned(),
        (_, None) => "too many positions to try".to_owned(),
    }
}

fn in_words(position: &Position, solution: &Solution, unique: &str) -> String {
    match unique {
        "proven" => "yes, proven".to_owned(),
        "seen" => solution.others().next().map_or("yes".to_owned(), |(mv, verdict)| {
            let mv = first_move(position, *mv);
            format!("yes, as far as searched; next {mv}: {}", seen_in_words(verdict))
        }),
        _ => {
            let others = solution.keys().skip(1).map(|mv| first_move(position, mv));
            let likely = solution.likely_keys().map(|mv| first_move(position, mv) + " (likely)");
            format!("no, also {}", others.chain(likely).collect::<Vec<_>>().join(", "))
        }
    }
}

/// The first move of a problem, with its number.
fn first_move(position: &Position, mv: Move) -> String {
    format!("{} {}", move_number(position, 0), pdn::format_move(position, mv))
}

fn dual_in_words(start: &Position, line: &[Move], Dual { ply, moves }: &Dual) -> String {
    let position = line[..*ply].iter().fold(*start, |position, &mv| position.after(mv));
    let spelled = |mv: Move| pdn::format_move(&position, mv);
    let others: Vec<_> = moves.iter().copied().map(spelled).collect();
    format!("{} {}: also {}", move_number(start, *ply), spelled(line[*ply]), others.join(", "))
}

fn stated_in_words(start: &Position, problem: &Problem, stated: SolutionCheck) -> String {
    let at = |ply: usize| {
        let before = &problem.stated[..ply];
        let position = before.iter().fold(*start, |position, &mv| position.after(mv));
        format!("{} {}", move_number(start, ply), pdn::format_move(&position, problem.stated[ply]))
    };
    match stated {
        SolutionCheck::Holds => "holds".to_owned(),
        SolutionCheck::Likely => "likely holds, but is not fully proven".to_owned(),
        SolutionCheck::NotSeen(ply) => format!("not confirmed: {}", at(ply)),
        SolutionCheck::Fails(ply) => format!("does not hold: {} does not reach the goal", at(ply)),
    }
}

/// A proof tree as rows of text. A row continues while there is only one reply; if there are
/// several, each reply starts a new row below.
pub struct TreeText<'a> {
    start: &'a Position,
    /// Maximum number of plies in a line.
    plies: usize,
    rows: Vec<String>,
}

/// The number of columns by which replies are indented.
const INDENT: usize = 3;

impl TreeText<'_> {
    /// The rows of a proof for the position `start`, up to `plies` plies.
    pub fn rows(start: &Position, proof: &Proof, plies: usize) -> Vec<String> {
        let mut text = TreeText { start, plies, rows: Vec::new() };
        text.attack(start, 0, proof, String::new());
        text.rows
    }

    /// Adds a move by the solving side, and the moves that follow; `row` is the text of the row so
    /// far.
    fn attack(&mut self, position: &Position, ply: usize, proof: &Proof, row: String) {
        let ProofStep::Move(mv, replies) = &proof.step else {
            return self.rows.push(format!("{row} ({})", end(proof.end)));
        };
        if ply >= self.plies {
            return self.rows.push(row + " ..");
        }
        let gap = if row.trim().is_empty() { "" } else { " " };
        let number = move_number(self.start, ply);
        let row = format!("{row}{gap}{number} {}", pdn::format_move(position, *mv));
        let position = position.after(*mv);
        match &replies[..] {
            [] => self.rows.push(row),
            [only] => self.reply(&position, ply + 1, only, row + " "),
            several => {
                let indent = row.len() - row.trim_start().len() + INDENT;
                self.rows.push(row);
                for reply in several {
                    self.reply(&position, ply + 1, reply, " ".repeat(indent));
                }
            }
        }
    }

    /// Adds a reply, and the moves that follow it.
    fn reply(
        &mut self,
        position: &Position,
        ply: usize,
        (mv, next): &(Move, Arc<Proof>),
        row: String,
    ) {
        let row = row + &pdn::format_move(position, *mv);
        self.attack(&position.after(*mv), ply + 1, next, row);
    }
}

/// The name of the event with which a line of a proof ends.
pub fn end(end: ProofEnd) -> &'static str {
    match end {
        ProofEnd::Over => "game",
        ProofEnd::Bitbases => "bitbases",
        ProofEnd::Repetition => "repetition",
        ProofEnd::Gain => "gain",
    }
}

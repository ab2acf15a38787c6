//! `manoury solve`: solves problems.

mod solution;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::analysis::problems::{Goal, Problem, Solver, SolverPool};
use crate::cli::Error;
use crate::cli::args::games::GameFileArguments;
use crate::cli::args::positions::PositionsArguments;
use crate::cli::args::{
    BitbasesArgument, JsonArgument, LimitArguments, SearchThreadsArgument, TableArgument,
    WeightsArgument,
};
use crate::cli::output::{plural, print_stderr, write_json};
use crate::cli::output_file;
use crate::cli::progress::ProgressBar;
use crate::engine::{Engine, EngineOptions, Resources};
use crate::erased::Game;
use crate::notation::pdn;
use crate::rules::Variant;
use crate::runtime::interrupt::on_ctrl_c;
use crate::search::{Control, Limits};
use crate::storage;

use solution::SolutionReport;

/// Solve problems: positions in which the side to move has to reach a goal
///
/// A problem is a position, or a game in a PDN file: its FEN is the position, its moves are the
/// stated solution, and its `Goal` tag is the goal (without the tag: a draw if that is the result,
/// otherwise a win). With --ply, the position is the one after that many plies of the game. Goals:
///
///   win       the side to move wins
///   draw      it does not lose
///   win-in-N  it wins in at most N of its own moves, the last of which ends the game
///   gain-N    it wins at least N men by forcing captures, a shot or an exchange of at most 15
///             plies; a king counts as three
///
/// Each answer states what is proven. A win or a draw is proven if every reply to every move in the
/// tree has an answer, up to the end of the game, a bitbase position or, for a draw, a repetition.
/// A win in N is proven by trying all moves. An unproven result can be likely, according to a score
/// that is shown with its depth: at least 3 men for a win, at least -0.5 for a draw. Without
/// --goal, positions are searched for a win.
///
/// The answer consists of the key; the other moves that also solve the problem or are likely to
/// (second solutions), or else the best other move and the result of its search; the line with the
/// longest resistance, up to its last capture; duals, which are later moves of that line with
/// alternatives that also work, up to the first with four alternatives; and whether the stated
/// solution holds. Duals are searched with a tenth of the nodes. The exit code is 1 if a stated
/// solution is not confirmed, or if none is stated and none is found.
///
/// JSON, one object per problem: number, variant, fen, goal ("win in 2" is the option's win-in-2),
/// status ("proven", "likely", "open" or "refuted", of the best move), keys (a list of moves),
/// unique ("proven", "seen" if the searches found no other key, or "no" if another move solves it
/// or is likely to; null without a key), plies (of the longest line, or null), line (a list of
/// moves), end ("game", "bitbases", "repetition" or "gain", or null), duals (each with ply and
/// moves), tries (each move with move, status, plies, score and depth, null where unknown) and
/// stated ("holds", "likely", "not seen", "fails", or null) with stated_ply (where it fails, or
/// null).
///
/// Examples:
///   manoury solve --fen W:W27,32,37,38,48:B5,6,17,18 --goal gain-1
///   manoury solve --fen W:WK28:BK5 --goal win-in-2 --tree 3
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    #[command(flatten)]
    positions: PositionsArguments,
    #[command(flatten)]
    file: GameFileArguments,
    /// The goal of all problems: win, draw, win-in-N or gain-N
    #[arg(long, value_name = "GOAL")]
    goal: Option<Goal>,
    /// Show the tree of the solution up to this many plies
    #[arg(long, value_name = "PLIES")]
    tree: Option<usize>,
    /// Write the problems to this new file, with their tags and the trees of their solutions as moves
    /// and variations, up to --tree plies or 20. Without a confirmed solution the result is `*`
    #[arg(long, value_name = "OUT.pdn")]
    pdn: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "pdn")]
    force: bool,
    #[command(flatten)]
    threads: SearchThreadsArgument,
    #[command(flatten)]
    table: TableArgument,
    #[command(flatten)]
    folder: BitbasesArgument,
    #[command(flatten)]
    weights: WeightsArgument,
    #[command(flatten)]
    json: JsonArgument,
    #[command(
        flatten,
        next_help_heading = "Limits: time per problem; nodes and depth per move tried [default: 500,000 nodes]"
    )]
    limits: LimitArguments,
}

/// The number of nodes for each move, if no limit is given.
const DEFAULT_NODES: u64 = 500_000;
/// The default length, in plies, of the trees written as PDN.
const PDN_PLIES: usize = 20;

/// Solves the problems and prints the solutions.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let control = Control::new();
    let handle = control.clone();
    on_ctrl_c(move || handle.stop())?;
    arguments.check_output()?;
    let (problems, faults) = arguments.problems()?;
    let (numbers, problems): (Vec<_>, Vec<_>) = problems.into_iter().unzip();
    let mut out = Vec::new();
    let mut unsolved = 0;
    let bar = ProgressBar::new(problems.len() as u64, 0, "problems");
    let pool = SolverPool {
        make_solver: &|variant| arguments.solver(variant),
        threads: arguments.threads.count(),
        control: &control,
    };
    pool.solve(&problems, &mut |index, solution| {
        let problem = &problems[index];
        let solved = SolutionReport::new(numbers[index], problem, solution);
        unsolved += usize::from(!solution.is_confirmed());
        if arguments.pdn.is_some() {
            out.push(problem.record(solution, arguments.tree.unwrap_or(PDN_PLIES)));
        }
        bar.output(|output| match arguments.json.is_on() {
            true => write_json(output, &solved).map_err(io::Error::other),
            false => output.write_all(solved.text(problem, solution, arguments.tree).as_bytes()),
        })?;
        bar.set(index as u64 + 1, String::new());
        Ok(())
    })?;
    bar.finish();
    if let Some(path) = &arguments.pdn {
        let text: String = out.iter().map(|record| pdn::write_game(record) + "\n").collect();
        storage::write_atomically(path, |file| file.write_all(text.as_bytes()))
            .map_err(storage::with_path(path))?;
    }
    match (control.is_stopped(), unsolved) {
        (true, _) => Err(Error::interrupted(false)),
        (false, 0) => Error::check_faults(faults),
        (false, unsolved) => Err(Error::No(format!(
            "{} of {}",
            unsolved,
            plural(problems.len(), "problem not solved", "problems not solved")
        ))),
    }
}

/// A problem and its number in the file, from 1.
type Numbered = (usize, Problem);

impl Arguments {
    /// Checks that the output file can be written, and replaces neither the input nor, unless
    /// requested, another file.
    fn check_output(&self) -> Result<(), Error> {
        let Some(path) = &self.pdn else { return Ok(()) };
        output_file::check_new(path, self.force)?;
        let input = self.file.file.as_ref();
        input.map_or(Ok(()), |input| output_file::check_distinct(path, input, "the problems"))
    }

    /// The problems, and the number of games with errors. Reports the errors on standard error.
    fn problems(&self) -> Result<(Vec<Numbered>, usize), Error> {
        let of = |game: Game| Problem::new(game, self.goal.unwrap_or(Goal::Win));
        let default = self.positions.variant();
        let Some(path) = &self.file.file else {
            self.file.check_ply()?;
            let mut problems = Vec::new();
            self.positions.each(|position| {
                problems.push((problems.len() + 1, of(Game::from_position(*position))));
                Ok(())
            })?;
            return Ok((problems, 0));
        };
        if self.file.ply.is_some() {
            let game = self.file.read(default)?;
            return Ok((game.map(|game| (1, of(game))).into_iter().collect(), 0));
        }
        let (games, mut faults) =
            self.file.games(path, &self.file.encoding.text_of(path)?, default)?;
        let mut problems = Vec::new();
        for game in games {
            match Problem::from_record(&game.record) {
                Ok(problem) => {
                    let goal = self.goal.unwrap_or(problem.goal);
                    problems.push((game.number, Problem { goal, ..problem }));
                }
                Err(error) => {
                    faults += 1;
                    print_stderr(format_args!(
                        "{}, game {}, Goal tag: {error}",
                        path.display(),
                        game.number
                    ));
                }
            }
        }
        Ok((problems, faults))
    }

    fn solver(&self, variant: Variant) -> Result<Solver, Error> {
        let resources = Resources {
            bitbases: self.folder.open(variant)?,
            evaluation: self.weights.open(variant)?,
            book: None,
        };
        let options = EngineOptions { tt_size: self.table.tt_size, ..EngineOptions::default() };
        let limits = self.limits.or(Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() });
        Ok(Solver::new(Engine::with_resources(variant, resources, options), limits))
    }
}

//! `manoury analyze`: the best lines of positions.

mod games;
mod lines;
mod reviewed;

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use crossbeam_channel::Receiver;

use crate::cli::Error;
use crate::cli::args::games::{GameFileArguments, up_to};
use crate::cli::args::positions::PositionsArguments;
use crate::cli::args::{
    EngineBitbaseArguments, JsonArgument, LimitArguments, SearchThreadsArgument, TableArgument,
    WeightsArgument,
};
use crate::cli::error::number;
use crate::cli::output::{OutputFormat, report_faults};
use crate::cli::output_file;
use crate::engine::{Engine, EngineOptions, Resources, limits};
use crate::erased::Game;
use crate::notation::pdn;
use crate::report::language::Language;
use crate::rules::Variant;
use crate::runtime::interrupt::on_ctrl_c;
use crate::search::{Control, Limits};

use lines::{Analysis, AnalysisLine, LiveTable};

/// Find the best lines of a position, or review games
///
/// The position is given as FEN or in Hub notation (by default, it is the start position),
/// optionally followed by moves, or as a ply of a game in a PDN file.
///
/// The search ends at the first of the limits --depth, --time and --nodes (by default, after one
/// second), or when searching deeper cannot change the result. Ctrl-C ends it early and shows the
/// lines found so far. On a terminal the lines are also shown during the search.
///
/// For each line: its rank, depth in plies, score, nodes, seconds, nodes per second, and the moves
/// as players write them (32-28, 28x19, c3-d4). Scores are in men, for the side to move; 99.93 is a
/// win in 7 plies, -99.94 a loss in 6. If a line leads to a forced win or loss, an extra `end`
/// column shows it: `win in 4 plies`. When a search is stopped early, lines not yet searched to the
/// last depth are shown at their previous depth. With `-`, prints one line per position, or
/// --multipv lines, without the `end` column; each position is searched independently of the
/// others.
///
/// With a PDN file and no --ply, all its games, or the one selected by --game, are reviewed: each
/// position is searched on all threads up to the limits (by default, for 0.2 seconds). The time is
/// converted to a number of nodes at the measured speed, so that a second review on an idle machine
/// usually gives the same marks; a position takes 0.7 to 1.4 times the time. For each player, the
/// review shows the accuracy in percent, as lichess.org computes it; the mean points lost per move,
/// where a win is 1 point; inaccuracies (?!), mistakes (?) and blunders (??), which cost at least
/// 0.05, 0.1 and 0.2 points. The positions before and after a move that may deserve such a mark are
/// searched again, up to ten times as long, before it is marked. A `!` marks the only good move,
/// unless it is a capture or a search of 5 plies also finds it. Forced moves, which have no legal
/// alternative, do not count. Games with errors are reviewed up to the error, which is reported;
/// the exit code is then 1.
///
/// JSON, one object per position: variant, fen, result and lines. `result` is null, or for a
/// finished game an object with winner ("white" or "black") and reason. `lines` is a list, the best
/// first, of objects with rank, depth, mean_depth (of the leaves), score, win_in and loss_in (plies
/// to the forced end of the game, or null), nodes, time, nps, and pv, a list of moves in Hub
/// notation (28x19x23 is a capture from 28 to 19 over 23). For a game: number, variant, white,
/// black, result, players (of White and Black: accuracy, mean_loss, inaccuracies, mistakes,
/// blunders), leaves_book (the first ply after which the book has no moves, or null), ending (the
/// first ply that the bitbases cover and the winner from there, or null), shots (each with ply,
/// played, gain in men, and line), and moves, each with move, before and after (scores in men for
/// the side making the move), loss, forced, mark, better (a list of moves) and depth.
///
/// Examples:
///   manoury analyze --moves "32-28 19-23 28x19 14x23" --depth 15
///   manoury analyze games.pdn --game 1 --annotate annotated.pdn --report report.html
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    #[command(flatten)]
    positions: PositionsArguments,
    #[command(flatten)]
    file: GameFileArguments,
    /// Moves played from the position, such as "32-28 19-23"
    #[arg(long, value_name = "MOVES", conflicts_with = "file")]
    moves: Option<String>,
    /// Number of lines, each with a different first move; fewer if the position has fewer moves
    #[arg(
        long,
        value_name = "K",
        default_value_t = 1,
        value_parser = number::<u32>(1..=limits::MAX_MULTIPV.into())
    )]
    multipv: u32,
    #[command(flatten)]
    threads: SearchThreadsArgument,
    #[command(flatten)]
    table: TableArgument,
    #[command(flatten)]
    bitbases: EngineBitbaseArguments,
    #[command(flatten)]
    weights: WeightsArgument,
    #[command(flatten)]
    json: JsonArgument,
    #[command(flatten, next_help_heading = "Limits per position")]
    limits: LimitArguments,
    #[command(flatten, next_help_heading = "Reviews of games")]
    review: ReviewArguments,
}

/// The options for the output files of reviews.
#[derive(Args, Debug)]
struct ReviewArguments {
    /// Write the games with scores, marks and better lines to this new file; those of an earlier
    /// review are replaced
    #[arg(long, value_name = "OUT.pdn", requires = "file", conflicts_with = "ply")]
    annotate: Option<PathBuf>,
    /// Write an HTML report to this new file, with boards to click through, score curves and
    /// turning points
    #[arg(long, value_name = "OUT.html", requires = "file", conflicts_with = "ply")]
    report: Option<PathBuf>,
    /// Language of the report: en, fr or nl
    #[arg(long, value_name = "CODE", default_value = "en")]
    language: Language,
    /// Write the shots of the games, played or missed, to this new file as problems: position, goal
    /// and solution. A shot is the only good move of a position; it sacrifices more men than the
    /// next move wins back, in order to capture more after any reply
    #[arg(long, value_name = "OUT.pdn", requires = "file", conflicts_with = "ply")]
    shots: Option<PathBuf>,
    /// Overwrite existing output files
    #[arg(long, requires = "file", conflicts_with = "ply")]
    force: bool,
    /// Log the reviews to this file; after an interruption, the same command resumes from it
    #[arg(long, value_name = "FILE", requires = "file", conflicts_with = "ply")]
    log: Option<PathBuf>,
}

impl ReviewArguments {
    /// Checks that all output files can be written, and that no existing file would be overwritten
    /// unless requested or written twice. The report and the shots never replace `input`, the games
    /// themselves.
    fn check(&self, input: &Path) -> Result<(), Error> {
        let files = [&self.annotate, &self.report, &self.shots].into_iter().flatten();
        let files: Vec<&Path> = files.map(PathBuf::as_path).collect();
        output_file::check_one_each(&files)?;
        files.iter().try_for_each(|path| output_file::check_new(path, self.force))?;
        let mut others = [&self.report, &self.shots].into_iter().flatten();
        others.try_for_each(|path| output_file::check_distinct(path, input, "the games"))
    }

    /// Checks that the annotated games do not replace `input`, which contains more than they do.
    fn check_partial(&self, input: &Path) -> Result<(), Error> {
        let lost = "games that are not reviewed, or reviewed only up to an error,";
        let annotate = self.annotate.as_ref();
        annotate.map_or(Ok(()), |path| output_file::check_distinct(path, input, lost))
    }
}

/// The time per position if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Runs the analysis and prints the results.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let control = Control::new();
    let handle = control.clone();
    let interrupt = on_ctrl_c(move || handle.stop())?;
    if let (Some(path), None) = (&arguments.file.file, arguments.file.ply) {
        if arguments.multipv > 1 {
            let message = "--multipv needs a position: choose one of the game with --ply";
            return Err(Error::usage(message));
        }
        return games::run(arguments, path, &control);
    }
    match arguments.game()? {
        Some(game) => arguments.analyze_game(&game, &control),
        None => arguments.analyze_positions(&control, &interrupt),
    }
}

fn analyze(
    engine: &mut Engine,
    game: &Game,
    limits: Limits,
    control: &Control,
    live: &LiveTable,
) -> Analysis {
    let position = game.position();
    if let Some(outcome) = game.outcome() {
        return Analysis::of_finished(position, outcome);
    }
    // Otherwise the result would depend on the positions searched before.
    engine.new_game();
    engine.set_game(game.clone());
    let mut lines = BTreeMap::new();
    engine.go(limits, control, &mut |info| {
        lines.insert(info.rank, AnalysisLine::new(position, info));
        live.show(lines.values());
    });
    Analysis::new(position, lines.into_values().collect())
}

impl Arguments {
    /// The game whose last position is analyzed; `None` if positions are given without a game.
    fn game(&self) -> Result<Option<Game>, Error> {
        let Some(moves) = &self.moves else {
            return self.file.read(self.positions.variant());
        };
        let mut game = Game::from_position(self.positions.only()?);
        for word in moves.split_whitespace() {
            // Skips a move number, as in `1.32-28`.
            let text = word.rsplit('.').next().unwrap_or_default();
            if !text.is_empty() {
                let fault =
                    |error| Error::Input(format!("--moves, ply {}: {error}", game.plies() + 1));
                let mv = pdn::parse_move(game.position(), text).map_err(fault)?;
                game.play(mv);
            }
        }
        let game = up_to(game, self.file.ply);
        game.map(Some).map_err(|played| Error::Input(format!("--moves has {played}")))
    }

    fn analyze_game(&self, game: &Game, control: &Control) -> Result<(), Error> {
        let mut engine = self.engine(game.variant())?;
        let form = self.positions.output_format(self.json.is_on());
        self.analyze_one(&mut engine, game, control, form)
    }

    fn analyze_positions(&self, control: &Control, interrupt: &Receiver<()>) -> Result<(), Error> {
        let mut engine = self.engine(self.positions.variant())?;
        let form = self.positions.output_format(self.json.is_on());
        if form == OutputFormat::Rows && io::stdout().is_terminal() {
            writeln!(io::stdout(), "{}", lines::header())?;
        }
        self.positions.each_until(interrupt, |position| {
            self.analyze_one(&mut engine, &Game::from_position(*position), control, form)
        })
    }

    fn analyze_one(
        &self,
        engine: &mut Engine,
        game: &Game,
        control: &Control,
        form: OutputFormat,
    ) -> Result<(), Error> {
        let live = LiveTable::new(form == OutputFormat::Page && io::stdout().is_terminal());
        let analysis = analyze(engine, game, self.limits.or_time(DEFAULT_TIME), control, &live);
        live.finish();
        form.print(&analysis)
    }

    fn engine(&self, variant: Variant) -> Result<Engine, Error> {
        let options = self.options();
        let resources = Resources::new(variant, &options, self.weights.open(variant)?, None)?;
        let mut engine = Engine::with_resources(variant, resources, options);
        report_faults(&mut engine);
        Ok(engine)
    }

    fn options(&self) -> EngineOptions {
        EngineOptions {
            threads: self.threads.count(),
            tt_size: self.table.tt_size,
            multipv: self.multipv,
            bb_size: self.bitbases.bb_size as usize,
            bb_dir: self.bitbases.bb_dir.clone(),
            ..EngineOptions::default()
        }
    }
}

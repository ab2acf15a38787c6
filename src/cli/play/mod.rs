//! `manoury play`: a game in the terminal.

mod console;
mod game;
mod screen;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rand::TryRng;
use rand::rngs::SysRng;

use crate::arena::time_control::{EngineClock, TimeSettings};
use crate::board::Side;
use crate::cli::Error;
use crate::cli::args::positions::PositionArguments;
use crate::cli::args::{ColorArgument, EngineArguments, StrengthArguments};
use crate::cli::output_file;
use crate::engine::{Level, Strength};

use console::Console;
use game::{Players, TerminalGame};
use screen::Screen;

/// Play a game against the engine in the terminal
///
/// Type moves in any usual form: 32-28, 28x19, 3228, or c3-d4 in games that name squares by
/// letters; if a capture is ambiguous, you are asked which one you mean. `help` lists the other
/// commands: hint, score, takeback, flip, save, draw?, resign and more. Ctrl-C makes the engine
/// stop thinking and move. At the end the game is printed as PDN.
///
/// The higher the level, the more nodes the engine searches; the lower, the more freely it chooses
/// at random among good moves. It overlooks what people overlook: long combinations before short
/// ones, and quiet moves far from your last move. Levels limit nodes, not time, so they are equally
/// strong on any machine. Level 14 is full strength, on the clock or at one second per move. Without
/// --level and --elo, the engine plays at level 5, or with a clock (--time or --move-time) at full
/// strength.
///
/// With --elo the strength can lie between two levels. The scale is specific to this program and
/// cannot be compared with human ratings; its steps are close to the differences measured in matches
/// between neighbouring levels in international draughts, with full strength at 100,000 nodes per
/// move (200 Elo is a score of 76 %). Frisian draughts starts with a stronger level 1, because fewer
/// of its games are drawn:
///
///   level     1    2    3    4    5    6    7    8    9   10   11   12   13   14
///   Elo     500  700  870 1090 1260 1500 1660 1820 1990 2170 2340 2520 2690 2860
///
/// Examples:
///   manoury play --level 3
///   manoury play --side black --time 600 --inc 5 --pdn games.pdn
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// Your side
    #[arg(long, value_enum, value_name = "SIDE", default_value_t = SideChoice::White)]
    side: SideChoice,
    /// Your name in the PDN
    #[arg(long, default_value = "Player")]
    name: String,
    /// Append the game to this file
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    /// Show pieces as letters instead of Unicode symbols: w and b for men, W and B for kings
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    color: ColorArgument,
    #[command(flatten, next_help_heading = "Clocks")]
    clock: ClockArguments,
    #[command(flatten, next_help_heading = "The engine")]
    strength: StrengthArguments,
    #[command(flatten)]
    engine: EngineArguments,
    /// Random seed for the engine's choices and for `--side random`
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// The side of the player.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum SideChoice {
    White,
    Black,
    /// White or Black at random.
    #[value(alias = "lot")]
    Random,
}

/// Time limits.
#[derive(Args, Debug)]
struct ClockArguments {
    /// Seconds per move of the engine
    #[arg(long, value_name = "S")]
    move_time: Option<f64>,
    /// Seconds per game for each side
    #[arg(long, value_name = "S")]
    time: Option<f64>,
    /// Seconds added before each move
    #[arg(long, value_name = "S", requires = "time")]
    inc: Option<f64>,
}

/// The default level of a game without a clock.
const DEFAULT_LEVEL: u8 = 5;

/// Plays a game.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { position, side, engine, color, .. } = arguments;
    let start = position.read()?;
    arguments.pdn.as_deref().map_or(Ok(()), output_file::check_appendable)?;
    let clock = arguments.clock.clock()?;
    let strength = arguments.strength.strength().unwrap_or(match clock {
        Some(_) => Strength::FULL,
        None => Level::new(DEFAULT_LEVEL).map(Strength::from).unwrap_or_default(),
    });
    let side = side.side(arguments.seed);
    let engine = engine.engine(start.variant(), strength, arguments.seed)?;
    let console = Console::open()?;
    let screen = Screen::new(arguments.ascii, color.is_on(), side, Console::is_terminal());
    let players = Players { person: side, name: arguments.name.clone(), strength };
    let mut game = TerminalGame::new(start, players, engine, clock, console, screen);
    game.run()?;
    game.conclude(arguments.pdn.as_deref())
}

impl SideChoice {
    fn side(self, seed: Option<u64>) -> Side {
        match self {
            SideChoice::White => Side::White,
            SideChoice::Black => Side::Black,
            SideChoice::Random => {
                let random = seed.or_else(|| SysRng.try_next_u64().ok()).unwrap_or_default();
                Side::ALL[(random % 2) as usize]
            }
        }
    }
}

impl ClockArguments {
    /// The clock for each side; `None` if no limits are given.
    fn clock(&self) -> Result<Option<EngineClock>, Error> {
        let settings = TimeSettings {
            move_time: self.move_time,
            time: self.time.map(Into::into),
            increment: self.inc,
            ..TimeSettings::default()
        };
        if settings == TimeSettings::default() {
            return Ok(None);
        }
        let control = settings.resolve().map_err(Error::usage)?;
        Ok(Some(EngineClock::new(control)))
    }
}

//! `manoury dxp`: plays games over the DamExchange protocol.

mod series;
mod source;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::board::Side;
use crate::cli::Error;
use crate::cli::args::positions::PositionArguments;
use crate::cli::args::{EngineArguments, StrengthArguments};
use crate::cli::error::number;
use crate::cli::output_file;
use crate::protocol::dxp::{DxpOptions, GameOffer, GameRequest, Message};
use crate::runtime::interrupt::on_ctrl_c;

use series::{GameSeries, ScoreTally};
use source::Address;

/// The timeout for a connected program to request a game, long enough for a person to choose one.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);

/// The number of squares on the boards that DXP supports.
const SQUARES: u8 = 50;

/// Plays until all games are played, the opponent leaves, or Ctrl-C is pressed.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let variant = arguments.offer.position.variant();
    if variant.grid().squares() != SQUARES {
        let what =
            format!("DXP only supports boards with {SQUARES} squares, unlike that of {variant}");
        return Err(Error::Input(what));
    }
    arguments.pdn.as_deref().map_or(Ok(()), output_file::check_appendable)?;
    let offer = offer(&arguments.offer)?;
    let options = options(arguments);
    check(&offer, &options)?;
    let strength = arguments.strength.strength().unwrap_or_default();
    let engine = arguments.engine.engine(variant, strength, None)?;
    let series = GameSeries { arguments, offer, options, engine, tally: ScoreTally::default() };
    series.run(&on_ctrl_c(|| {})?)
}

fn offer(offer: &OfferArguments) -> Result<GameOffer, Error> {
    let start = offer.position.read()?;
    Ok(GameOffer { side: offer.side, time: offer.minutes, moves: offer.moves, start })
}

fn options(arguments: &Arguments) -> DxpOptions {
    let DxpOptionArguments { name, chat, no_takeback, move_time } = &arguments.options;
    let is_listening = arguments.connection.connect.is_none();
    DxpOptions {
        name: name.clone(),
        chat: chat.clone(),
        move_time: *move_time,
        allows_takeback: !no_takeback,
        request_timeout: is_listening.then_some(REQUEST_TIMEOUT),
    }
}

/// Checks that all messages can be formatted.
fn check(offer: &GameOffer, options: &DxpOptions) -> Result<(), Error> {
    let request = Message::Request(GameRequest {
        name: options.name.clone(),
        follower: Side::White,
        time: offer.time,
        moves: offer.moves,
        position: None,
    });
    let chat = options.chat.iter().cloned().map(Message::Chat);
    for message in chat.chain([request]) {
        message
            .format()
            .map_err(|error| Error::Input(format!("cannot be sent over DXP: {error}")))?;
    }
    Ok(())
}

/// Play against other programs over DamExchange (DXP)
///
/// One program listens and the other connects; one is the initiator, which requests games, and the
/// other the follower. Without options the engine listens on this machine as the follower and plays
/// one opponent after another until Ctrl-C.
///
/// The initiator decides on the time, the number of moves, the sides and the start position. If the
/// connection is lost, the game ends with an unknown result; a listening engine then waits for the
/// next connection, and a connecting one reconnects. A program that connects during a game receives
/// a chat message asking it to wait. Tested with Scan 2.0, Moby Dam and pydraughts.
///
/// Prints one line per game: its number, the names, the result, the number of plies, and how it
/// ended. The last line is `games=N wins=N draws=N losses=N unknown=N`, from the engine's point of
/// view. Chat and invalid messages go to standard error. The exit code is 1 if games were aborted
/// because the opponent violated the protocol or the connection was lost.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    pub connection: ConnectionArguments,
    #[command(flatten)]
    pub offer: OfferArguments,
    #[command(flatten)]
    pub options: DxpOptionArguments,
    #[command(flatten)]
    pub engine: EngineArguments,
    #[command(flatten)]
    pub strength: StrengthArguments,
    /// Append every game to this file
    #[arg(long, value_name = "FILE")]
    pub pdn: Option<PathBuf>,
}

/// The examples at the end of the help.
const EXAMPLES: &str = "Examples:
  manoury dxp --listen 0.0.0.0
  manoury dxp --connect 127.0.0.1 --games 2 --minutes 0.1 --pdn dxp.pdn";

/// The options for the connection.
#[derive(Args, Debug)]
pub struct ConnectionArguments {
    /// Wait for other programs to connect; to accept connections from other machines, ADDR must be
    /// 0.0.0.0 or this machine's address in their network [default: 127.0.0.1:27531]
    #[arg(long, value_name = "ADDR", conflicts_with = "connect")]
    pub listen: Option<Address>,
    /// Connect to a program that listens: HOST, HOST:PORT or :PORT
    #[arg(long, value_name = "ADDR")]
    pub connect: Option<Address>,
    /// Seconds to keep trying to connect
    #[arg(
        long,
        alias = "patience",
        value_name = "S",
        default_value = "60",
        value_parser = seconds
    )]
    pub connect_timeout: Duration,
    /// Request games [default with --connect]
    #[arg(long, conflicts_with = "follower")]
    pub initiator: bool,
    /// Wait for requests from the other program [default with --listen]
    #[arg(long)]
    pub follower: bool,
    /// Number of games [default: one as initiator, any number as follower]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..))]
    pub games: Option<u32>,
}

/// The game to request as initiator.
#[derive(Args, Debug)]
pub struct OfferArguments {
    /// Minutes per side for the whole game, up to 999, in steps of 1 (0.1 below 10, 0.01 below 1);
    /// 0 for no limit
    #[arg(long, value_name = "M", default_value = "5", value_parser = minutes)]
    pub minutes: Duration,
    /// Number of moves per side after which the game ends; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u32>(..=999))]
    pub moves: u32,
    /// The engine's side in the first game, white or black; sides alternate after each game
    #[arg(long, value_name = "SIDE", default_value = "white", value_parser = side)]
    pub side: Side,
    #[command(flatten)]
    pub position: PositionArguments,
}

/// Names, chat and takebacks.
#[derive(Args, Debug)]
pub struct DxpOptionArguments {
    /// The name of the engine, at most 32 characters
    #[arg(long, default_value = concat!("Manoury ", env!("CARGO_PKG_VERSION")))]
    pub name: String,
    /// Send this at the start of each game; may be repeated
    #[arg(long, value_name = "TEXT")]
    pub chat: Vec<String>,
    /// Do not let the opponent take back moves
    #[arg(long)]
    pub no_takeback: bool,
    /// Seconds per move in games without a time limit
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds)]
    pub move_time: Duration,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected seconds, such as 0.5".to_owned())?;
    let time = Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())?;
    if time.is_zero() { Err("expected more than 0 seconds".to_owned()) } else { Ok(time) }
}

fn minutes(text: &str) -> Result<Duration, String> {
    let minutes: f64 = text.parse().map_err(|_| "expected minutes, such as 5 or 0.5".to_owned())?;
    // A hundredth of a minute is 600 ms.
    let hundredths = (minutes * 100.0).round();
    let is_exact = (minutes * 100.0 - hundredths).abs() < 1e-6;
    let step = match hundredths {
        ..100.0 => 1.0,
        ..1000.0 => 10.0,
        _ => 100.0,
    };
    if !is_exact || !(0.0..=99_900.0).contains(&hundredths) || hundredths % step != 0.0 {
        let what = "expected 0 to 999 minutes, in steps of 1 (0.1 below 10, 0.01 below 1)";
        return Err(what.to_owned());
    }
    Ok(Duration::from_millis(600) * hundredths as u32)
}

fn side(text: &str) -> Result<Side, String> {
    match text {
        "white" => Ok(Side::White),
        "black" => Ok(Side::Black),
        _ => Err("expected white or black".to_owned()),
    }
}

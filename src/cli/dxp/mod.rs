//! `manoury dxp`: the engine over DamExchange.

mod arguments;
mod series;
mod source;
mod tally;

pub use arguments::Arguments;

use std::io;

use crossbeam_channel::Receiver;

use crate::board::Side;
use crate::door::Position;
use crate::engine::{BookOptions, Engine, Knowledge, Options};
use crate::protocol::dxp::{GameRequest, Manners, Message, Wish};
use crate::rules::Variant;

use super::Error;
use super::notice::tell_faults;
use arguments::{EngineArguments, MannersArguments, Wishes};
use series::GameSeries;
use tally::ScoreTally;

/// The squares of the boards that DXP supports.
const SQUARES: u8 = 50;

/// Plays until all games are played, the opponent leaves, or Ctrl-C is pressed.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let variant = arguments.wishes.positions.variant();
    if variant.grid().squares() != SQUARES {
        let what = format!("DXP has boards of {SQUARES} squares, not that of {variant}");
        return Err(Error::Input(what));
    }
    let wish = wish(&arguments.wishes)?;
    let manners = manners(&arguments.manners);
    check(&wish, &manners)?;
    let engine = engine(variant, &arguments.engine)?;
    let series = GameSeries { arguments, wish, manners, engine, tally: ScoreTally::default() };
    series.run(&on_ctrl_c()?)
}

fn wish(wishes: &Wishes) -> Result<Wish, Error> {
    if wishes.positions.is_batch() {
        return Err(Error::Input("one position is wanted, not -".to_owned()));
    }
    let mut start = Position::start(wishes.positions.variant());
    wishes.positions.each(|position| {
        start = *position;
        Ok(())
    })?;
    Ok(Wish { side: wishes.side, time: wishes.minutes, moves: wishes.moves, start })
}

fn manners(arguments: &MannersArguments) -> Manners {
    let MannersArguments { name, chat, no_takeback, move_time } = arguments;
    Manners {
        name: name.clone(),
        chat: chat.clone(),
        move_time: *move_time,
        goes_back: !no_takeback,
    }
}

/// Checks that all messages can be formatted.
fn check(wish: &Wish, manners: &Manners) -> Result<(), Error> {
    let request = Message::Request(GameRequest {
        name: manners.name.clone(),
        follower: Side::White,
        time: wish.time,
        moves: wish.moves,
        position: None,
    });
    let chat = manners.chat.iter().cloned().map(Message::Chat);
    for message in chat.chain([request]) {
        message.format().map_err(|error| Error::Input(format!("DXP cannot say it: {error}")))?;
    }
    Ok(())
}

fn engine(variant: Variant, arguments: &EngineArguments) -> Result<Engine, Error> {
    let EngineArguments { threads, table, bb_size, weights, book, no_book } = arguments;
    let options = Options {
        threads: usize::from(*threads),
        tt_size: table.tt_size,
        bb_size: *bb_size as usize,
        book: (!no_book).then(BookOptions::default),
        ..Options::default()
    };
    let book = if *no_book { None } else { book.open(variant)? };
    let knowledge = Knowledge::new(variant, &options, weights.open(variant)?, book);
    let mut engine = Engine::with(variant, knowledge, options);
    tell_faults(&mut engine);
    Ok(engine)
}

/// A channel that receives a message when Ctrl-C is pressed.
fn on_ctrl_c() -> Result<Receiver<()>, Error> {
    let (sender, stop) = crossbeam_channel::bounded(1);
    let signal = move || {
        // A message that is already waiting is enough.
        let _ = sender.try_send(());
    };
    ctrlc::set_handler(signal).map_err(io::Error::other)?;
    Ok(stop)
}

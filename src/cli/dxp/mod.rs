//! `manoury dxp`: the engine over DamExchange.

mod arguments;
mod club;
mod door;
mod tally;

pub use arguments::Arguments;

use std::io;

use crossbeam_channel::Receiver;

use crate::board::{Geometry, Side};
use crate::engine::{BookOptions, Engine, Knowledge, Options};
use crate::position::Position;
use crate::protocol::dxp::{GameRequest, Manners, Message, Wish};
use crate::rules::{Rules, VariantVisitor};

use super::Error;
use arguments::{EngineArguments, MannersArguments, Wishes};
use club::Club;
use tally::Tally;

/// Plays until the games are played, the opponent has left, or Ctrl-C.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.wishes.positions.game.variant.visit(Playing(arguments))
}

struct Playing<'a>(&'a Arguments);

impl VariantVisitor for Playing<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let arguments = self.0;
        if R::Geometry::SQUARES != 50 {
            let what = format!("DXP has boards of 50 squares, not that of {}", R::VARIANT);
            return Err(Error::Input(what));
        }
        let wish = wish::<R>(&arguments.wishes)?;
        let manners = manners(&arguments.manners);
        check(&wish, &manners)?;
        let engine = engine::<R>(&arguments.engine)?;
        let club = Club { arguments, wish, manners, engine, tally: Tally::default() };
        club.run(&on_ctrl_c()?)
    }
}

fn wish<R: Rules>(wishes: &Wishes) -> Result<Wish<R>, Error> {
    if wishes.positions.is_batch() {
        return Err(Error::Input("one position is wanted, not -".to_owned()));
    }
    let mut start = Position::start();
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

/// Whether everything can be said.
fn check<R: Rules>(wish: &Wish<R>, manners: &Manners) -> Result<(), Error> {
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

fn engine<R: Rules>(arguments: &EngineArguments) -> Result<Engine<R>, Error> {
    let EngineArguments { threads, table, bb_size, weights, book, no_book } = arguments;
    let options = Options {
        threads: usize::from(*threads),
        tt_size: table.tt_size,
        bb_size: *bb_size as usize,
        book: (!no_book).then(BookOptions::default),
        ..Options::default()
    };
    let book = if *no_book { None } else { book.open()? };
    let knowledge = Knowledge::new(&options, weights.open()?, book);
    Ok(Engine::with(knowledge, options))
}

/// Something that Ctrl-C puts a word into from now on.
fn on_ctrl_c() -> Result<Receiver<()>, Error> {
    let (sender, stop) = crossbeam_channel::bounded(1);
    let signal = move || {
        // One word is enough.
        let _ = sender.try_send(());
    };
    ctrlc::set_handler(signal).map_err(io::Error::other)?;
    Ok(stop)
}

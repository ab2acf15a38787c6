//! `manoury dxp`: the engine over DamExchange.

mod arguments;
mod series;
mod source;
mod tally;

pub use arguments::Arguments;

use crate::board::Side;
use crate::protocol::dxp::{DxpOptions, GameOffer, GameRequest, Message};

use super::Error;
use super::ctrl_c::on_ctrl_c;
use arguments::{DxpOptionArgs, OfferArgs};
use series::GameSeries;
use tally::ScoreTally;

/// The squares of the boards that DXP supports.
const SQUARES: u8 = 50;

/// Plays until all games are played, the opponent leaves, or Ctrl-C is pressed.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let variant = arguments.wishes.position.variant();
    if variant.grid().squares() != SQUARES {
        let what = format!("DXP has boards of {SQUARES} squares, not that of {variant}");
        return Err(Error::Input(what));
    }
    let wish = wish(&arguments.wishes)?;
    let manners = manners(&arguments.manners);
    check(&wish, &manners)?;
    let level = arguments.strength.level.unwrap_or_default();
    let engine = arguments.engine.engine(variant, level, None)?;
    let series = GameSeries { arguments, wish, manners, engine, tally: ScoreTally::default() };
    series.run(&on_ctrl_c()?)
}

fn wish(wishes: &OfferArgs) -> Result<GameOffer, Error> {
    let start = wishes.position.read()?;
    Ok(GameOffer { side: wishes.side, time: wishes.minutes, moves: wishes.moves, start })
}

fn manners(arguments: &DxpOptionArgs) -> DxpOptions {
    let DxpOptionArgs { name, chat, no_takeback, move_time } = arguments;
    DxpOptions {
        name: name.clone(),
        chat: chat.clone(),
        move_time: *move_time,
        allows_takeback: !no_takeback,
    }
}

/// Checks that all messages can be formatted.
fn check(wish: &GameOffer, manners: &DxpOptions) -> Result<(), Error> {
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

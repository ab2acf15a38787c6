//! Games with one opponent after the other.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use crossbeam_channel::Receiver;

use crate::cli::Error;
use crate::cli::notice::notice;
use crate::engine::Engine;
use crate::notation::pdn;
use crate::protocol::dxp::{
    Connection, Finished, Line, Manners, Next, NoGame, Note, PORT, Session, Wish,
};
use crate::rules::Rules;

use super::arguments::{Arguments, Meeting};
use super::door::{Address, Door};
use super::tally::Tally;

/// Where games are played, one after the other.
pub struct Club<'a, R: Rules> {
    pub arguments: &'a Arguments,
    /// The next game to ask for.
    pub wish: Wish<R>,
    pub manners: Manners,
    pub engine: Engine<R>,
    pub tally: Tally,
}

impl<R: Rules> Club<'_, R> {
    /// Plays until the games are played, the opponent has left, or the user wants to stop.
    pub fn run(mut self, stop: &Receiver<()>) -> Result<(), Error> {
        let door = self.door()?;
        let result = self.open(&door, stop);
        writeln!(io::stdout().lock(), "{}", self.tally)?;
        result?;
        match self.tally.broken() {
            0 => Ok(()),
            games => Err(Error::No(format!("games broken off: {games}"))),
        }
    }

    fn door(&self) -> Result<Door, Error> {
        let Meeting { listen, connect, patience, .. } = &self.arguments.meeting;
        if let Some(address) = connect {
            return Ok(Door::Calling(address.clone(), *patience));
        }
        let standard = || Address { host: "127.0.0.1".to_owned(), port: PORT };
        let door = Door::listen(&listen.clone().unwrap_or_else(standard))?;
        if let Door::Listening(listener) = &door {
            notice(format_args!("listening at {}", listener.local_addr()?));
        }
        Ok(door)
    }

    fn is_initiator(&self) -> bool {
        let Meeting { connect, initiator, follower, .. } = &self.arguments.meeting;
        *initiator || (connect.is_some() && !follower)
    }

    /// How many games are to be played; `None`: any number.
    fn games(&self) -> Option<u32> {
        self.arguments.meeting.games.or(self.is_initiator().then_some(1))
    }

    /// Plays with whoever comes, up to the end.
    fn open(&mut self, door: &Door, stop: &Receiver<()>) -> Result<(), Error> {
        while self.games().is_none_or(|games| self.tally.games() < games) {
            let Some(stream) = door.next(stop)? else { return self.stopped() };
            let before = self.tally.broken();
            let Some(end) = self.receive(Connection::new(stream)?, stop)? else { break };
            let is_calling = matches!(door, Door::Calling(..));
            match end {
                NoGame::Stopped => return self.stopped(),
                NoGame::Refused(what) if is_calling => {
                    return Err(Error::No(format!("the opponent refuses: {what}")));
                }
                // One who has called and was left calls again only if a game was broken off.
                NoGame::Lost if is_calling && self.tally.broken() == before => break,
                NoGame::Quit if is_calling => break,
                NoGame::Refused(_) | NoGame::Lost | NoGame::Quit => {}
            }
        }
        self.missing()
    }

    /// Plays all games of a connection; why there is no other one, `None` if none is wanted.
    fn receive(
        &mut self,
        connection: Connection,
        stop: &Receiver<()>,
    ) -> Result<Option<NoGame>, Error> {
        let is_initiator = self.is_initiator();
        let wanted = self.games();
        let mut tell = tell;
        let line = Line::new(connection, stop, &mut tell);
        let mut session = Session::new(&mut self.engine, line, &self.manners);
        loop {
            let is_last = wanted.is_some_and(|games| self.tally.games() + 1 >= games);
            let next = if is_last { Next::Quit } else { Next::AnotherGame };
            let played = match is_initiator {
                true => session.ask(&self.wish, next),
                false => session.follow(next),
            };
            let (finished, next) = match played {
                Ok(played) => played,
                Err(no_game) => return Ok(Some(no_game)),
            };
            self.wish.side = self.wish.side.opponent();
            self.tally.add(&finished);
            report(&finished, self.tally.games(), self.arguments.pdn.as_deref())?;
            match next {
                _ if is_last => return Ok(None),
                Ok(()) => {}
                Err(no_game) => return Ok(Some(no_game)),
            }
        }
    }

    fn stopped(&self) -> Result<(), Error> {
        // One who only follows is meant to be stopped.
        match self.games() {
            Some(_) => Err(Error::No("interrupted".to_owned())),
            None => Ok(()),
        }
    }

    fn missing(&self) -> Result<(), Error> {
        match self.games().is_some_and(|games| self.tally.games() < games) {
            true => Err(Error::No("the opponent has left".to_owned())),
            false => Ok(()),
        }
    }
}

fn tell(note: Note) {
    match note {
        Note::Chat(text) => notice(format_args!("chat: {text}")),
        Note::Ignored(what) => notice(format_args!("ignored: {what}")),
    }
}

/// Prints how a game has ended, and keeps it.
fn report<R: Rules>(game: &Finished<R>, number: u32, file: Option<&Path>) -> Result<(), Error> {
    let [white, black] = &game.names;
    let (result, plies) = (game.result(), game.game.moves().len());
    let mut output = io::stdout().lock();
    writeln!(output, "{number}. {white} - {black} {result} {plies} plies, {}", game.ending)?;
    output.flush()?;
    if let Some(path) = file {
        let keep = || {
            let mut file = OpenOptions::new().create(true).append(true).open(path)?;
            file.write_all((pdn::write_game(&game.record()) + "\n").as_bytes())
        };
        keep().map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        })?;
    }
    Ok(())
}

//! A series of games against one or more opponents in turn, and its score.

use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use crossbeam_channel::Receiver;

use crate::cli::Error;
use crate::cli::output::print_stderr;
use crate::engine::Engine;
use crate::notation::pdn;
use crate::protocol::dxp::{
    AfterGame, DxpConnection, DxpEnd, DxpGame, DxpOptions, DxpSession, GameOffer, MessageStream,
    NoGame, Note, PORT, PlayedGame,
};
use crate::storage;

use super::source::{Acceptor, Address, ConnectionSource};
use super::{Arguments, ConnectionArguments};

/// A series of games, over any number of connections.
pub struct GameSeries<'a> {
    pub arguments: &'a Arguments,
    /// The next game to request.
    pub offer: GameOffer,
    pub options: DxpOptions,
    pub engine: Engine,
    pub tally: ScoreTally,
}

impl GameSeries<'_> {
    /// Plays until all games are played, the opponent leaves, or the user wants to stop.
    pub fn run(mut self, stop: &Receiver<()>) -> Result<(), Error> {
        let source = self.source()?;
        let result = self.play_all(&source, stop);
        writeln!(io::stdout().lock(), "{}", self.tally)?;
        result?;
        match self.tally.broken() {
            0 => Ok(()),
            games => Err(Error::No(format!("games aborted: {games}"))),
        }
    }

    fn source(&self) -> Result<ConnectionSource, Error> {
        let ConnectionArguments { listen, connect, connect_timeout, .. } =
            &self.arguments.connection;
        if let Some(address) = connect {
            return Ok(ConnectionSource::Calling(address.clone(), *connect_timeout));
        }
        let standard = || Address { host: "127.0.0.1".to_owned(), port: PORT };
        let acceptor = Acceptor::listen(&listen.clone().unwrap_or_else(standard))?;
        print_stderr(format_args!("listening on {}", acceptor.address()));
        Ok(ConnectionSource::Listening(acceptor))
    }

    fn is_initiator(&self) -> bool {
        let ConnectionArguments { connect, initiator, follower, .. } = &self.arguments.connection;
        *initiator || (connect.is_some() && !follower)
    }

    /// The number of games to play; `None` for no limit.
    fn games(&self) -> Option<u32> {
        self.arguments.connection.games.or(self.is_initiator().then_some(1))
    }

    /// Plays on each connection in turn.
    fn play_all(&mut self, source: &ConnectionSource, stop: &Receiver<()>) -> Result<(), Error> {
        while self.games().is_none_or(|games| self.tally.games() < games) {
            let Some(stream) = source.next(stop)? else { return self.stopped() };
            let before = self.tally.broken();
            let Some(end) = self.play_on(MessageStream::new(stream)?, stop)? else { break };
            let is_calling = matches!(source, ConnectionSource::Calling(..));
            match end {
                NoGame::Stopped => return self.stopped(),
                NoGame::Refused(what) if is_calling => {
                    return Err(Error::No(what.to_owned()));
                }
                // After losing a connection, the connecting side reconnects only if a game was
                // aborted.
                NoGame::Lost if is_calling && self.tally.broken() == before => break,
                NoGame::Quit if is_calling => break,
                NoGame::Refused(_) | NoGame::Lost | NoGame::Quit => {}
            }
        }
        self.missing()
    }

    /// Plays games on a connection. Returns the reason no further game can be played, or `None`
    /// once all games have been played.
    fn play_on(
        &mut self,
        connection: MessageStream,
        stop: &Receiver<()>,
    ) -> Result<Option<NoGame>, Error> {
        let is_initiator = self.is_initiator();
        let wanted = self.games();
        let mut on_note = report_note;
        let connection = DxpConnection::new(connection, stop, &mut on_note);
        let mut session = DxpSession::new(&mut self.engine, connection, &self.options);
        loop {
            let is_last = wanted.is_some_and(|games| self.tally.games() + 1 >= games);
            let next = if is_last { AfterGame::Quit } else { AfterGame::AnotherGame };
            let played = match is_initiator {
                true => session.offer_game(&self.offer, next),
                false => session.accept_game(next),
            };
            let PlayedGame { game, next } = match played {
                Ok(round) => round,
                Err(no_game) => return Ok(Some(no_game)),
            };
            self.offer.side = self.offer.side.opponent();
            self.tally.add(&game);
            report(&game, self.tally.games(), self.arguments.pdn.as_deref())?;
            match next {
                _ if is_last => return Ok(None),
                Ok(()) => {}
                Err(no_game) => return Ok(Some(no_game)),
            }
        }
    }

    fn stopped(&self) -> Result<(), Error> {
        // If the number of games is unlimited, being stopped is the normal way to end.
        match self.games() {
            Some(_) => Err(Error::interrupted(false)),
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

fn report_note(note: Note) {
    match note {
        Note::Chat(text) => print_stderr(format_args!("chat: {text}")),
        Note::Ignored(what) => print_stderr(format_args!("ignored: {what}")),
    }
}

/// Prints how a game ended, and appends it to the PDN file.
fn report(game: &DxpGame, number: u32, file: Option<&Path>) -> Result<(), Error> {
    let [white, black] = &game.names;
    let (result, plies) = (game.points(), game.game.plies());
    let mut output = io::stdout().lock();
    writeln!(output, "{number}. {white} - {black} {result} {plies} plies, {}", game.ending())?;
    output.flush()?;
    if let Some(path) = file {
        let keep = || {
            let mut file = OpenOptions::new().create(true).append(true).open(path)?;
            file.write_all((pdn::write_game(&game.record()) + "\n").as_bytes())
        };
        keep().map_err(storage::with_path(path))?;
    }
    Ok(())
}

/// The number of games by result, from the point of view of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ScoreTally {
    wins: u32,
    draws: u32,
    losses: u32,
    unknown: u32,
    /// The number of aborted games, which are also counted by result.
    broken: u32,
}

impl ScoreTally {
    /// Counts a game.
    pub fn add(&mut self, game: &DxpGame) {
        let count = match game.winner() {
            Some(Some(side)) if side == game.side => &mut self.wins,
            Some(Some(_)) => &mut self.losses,
            Some(None) => &mut self.draws,
            None => &mut self.unknown,
        };
        *count += 1;
        self.broken += u32::from(matches!(game.end, DxpEnd::Violation(_) | DxpEnd::Lost));
    }

    /// The total number of games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses + self.unknown
    }

    /// The number of games aborted by a protocol violation or a lost connection.
    pub fn broken(&self) -> u32 {
        self.broken
    }
}

impl fmt::Display for ScoreTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScoreTally { wins, draws, losses, unknown, .. } = self;
        write!(
            f,
            "games={} wins={wins} draws={draws} losses={losses} unknown={unknown}",
            self.games()
        )
    }
}

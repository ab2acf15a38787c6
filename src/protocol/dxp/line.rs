//! What a session hears and says.

use std::io;
use std::time::Duration;

use crossbeam_channel::{Receiver, after, never, select_biased};

use super::Message;
use super::connection::{Arrival, Connection};

/// What a session must see to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A message, no chat.
    Message(Message),
    /// The connection is gone.
    Closed,
    /// The user of this program wants to stop.
    Stopped,
    /// Nothing has come in time.
    Silence,
}

/// What is only to be told to the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// What the opponent has said.
    Chat(String),
    /// What it has sent that means nothing, or nothing at this time.
    Ignored(String),
}

/// A connection, with an ear for the user.
pub struct Line<'a> {
    connection: Connection,
    stop: &'a Receiver<()>,
    notes: &'a mut dyn FnMut(Note),
}

impl<'a> Line<'a> {
    /// Talks through a connection. Something in `stop` is the user's wish to stop.
    pub fn new(
        connection: Connection,
        stop: &'a Receiver<()>,
        notes: &'a mut dyn FnMut(Note),
    ) -> Self {
        Line { connection, stop, notes }
    }

    /// Sends a message.
    ///
    /// # Errors
    ///
    /// The connection is gone, or the message cannot be written.
    pub fn send(&mut self, message: &Message) -> io::Result<()> {
        self.connection.send(message)
    }

    /// Tells the user of a message that means nothing at this time.
    pub fn ignore(&mut self, message: &Message) {
        (self.notes)(Note::Ignored(format!("{message:?}, which means nothing now")));
    }

    /// Waits, not longer than `patience` if there is any limit. Chat and nonsense go to the user.
    pub fn listen(&mut self, patience: Option<Duration>) -> Event {
        let end = patience.map_or_else(never, after);
        self.listen_until(&end).unwrap_or(Event::Silence)
    }

    /// Waits until something must be seen to, or until `end` has something or is given up: `None`
    /// then.
    pub fn listen_until<T>(&mut self, end: &Receiver<T>) -> Option<Event> {
        loop {
            let arrival = select_biased! {
                recv(self.stop) -> _ => return Some(Event::Stopped),
                recv(self.connection.arrivals()) -> arrival => arrival,
                recv(end) -> _ => return None,
            };
            match arrival {
                Err(_) => return Some(Event::Closed),
                Ok(Arrival::Message(Message::Chat(text))) => (self.notes)(Note::Chat(text)),
                Ok(Arrival::Message(message)) => return Some(Event::Message(message)),
                Ok(Arrival::Nonsense(what)) => (self.notes)(Note::Ignored(what)),
            }
        }
    }
}

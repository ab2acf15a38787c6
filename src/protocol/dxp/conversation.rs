//! A connection as a session uses it: events to handle, and notes for the user.

use std::io;
use std::time::Duration;

use crossbeam_channel::{Receiver, after, never, select_biased};

use super::Message;
use super::connection::{Incoming, MessageStream};

/// An event that a session has to handle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DxpEvent {
    /// A message other than chat.
    Message(Message),
    /// The connection is closed.
    Closed,
    /// The user of this program wants to stop.
    Stopped,
    /// Nothing arrived in time.
    Timeout,
}

/// Something to show to the user that needs no handling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// Chat from the opponent.
    Chat(String),
    /// A description of something from the opponent that is invalid, or unexpected at this point.
    Ignored(String),
}

/// A connection that passes chat on as notes and can be interrupted by the user.
pub struct DxpConnection<'a> {
    connection: MessageStream,
    stop: &'a Receiver<()>,
    notes: &'a mut dyn FnMut(Note),
}

impl<'a> DxpConnection<'a> {
    /// A conversation over a connection. A message in `stop` means that the user wants to stop.
    pub fn new(
        connection: MessageStream,
        stop: &'a Receiver<()>,
        notes: &'a mut dyn FnMut(Note),
    ) -> Self {
        DxpConnection { connection, stop, notes }
    }

    /// Sends a message.
    ///
    /// # Errors
    ///
    /// The connection is closed, or the message cannot be formatted.
    pub fn send(&mut self, message: &Message) -> io::Result<()> {
        self.connection.send(message)
    }

    /// Notes a message that is unexpected at this point.
    pub fn ignore(&mut self, message: &Message) {
        (self.notes)(Note::Ignored(format!("{message:?}, which means nothing now")));
    }

    /// Waits for an event, at most for `patience`; `None` for no limit. Chat and invalid messages
    /// become notes.
    pub fn listen(&mut self, patience: Option<Duration>) -> DxpEvent {
        let end = patience.map_or_else(never, after);
        self.listen_until(&end).unwrap_or(DxpEvent::Timeout)
    }

    /// Waits for an event; `None` if `end` receives a message or is disconnected first.
    pub fn listen_until<T>(&mut self, end: &Receiver<T>) -> Option<DxpEvent> {
        loop {
            let arrival = select_biased! {
                recv(self.stop) -> _ => return Some(DxpEvent::Stopped),
                recv(self.connection.arrivals()) -> arrival => arrival,
                recv(end) -> _ => return None,
            };
            match arrival {
                Err(_) => return Some(DxpEvent::Closed),
                Ok(Incoming::Message(Message::Chat(text))) => (self.notes)(Note::Chat(text)),
                Ok(Incoming::Message(message)) => return Some(DxpEvent::Message(message)),
                Ok(Incoming::Nonsense(what)) => (self.notes)(Note::Ignored(what)),
            }
        }
    }
}

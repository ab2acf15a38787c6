//! The other program, controlled message by message.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use manoury::erased::Game;
use manoury::notation::hub;
use manoury::protocol::dxp::{END, Message, MoveMessage};

use crate::dxp::program::PATIENCE;

/// The other end of a connection.
pub struct Peer(TcpStream);

impl Peer {
    /// Connects to a program that listens.
    pub fn connect(address: &str) -> Peer {
        Peer::new(TcpStream::connect(address).unwrap())
    }

    /// Waits for a program to connect.
    pub fn accept(listener: &TcpListener) -> Peer {
        listener.set_nonblocking(true).unwrap();
        let began = Instant::now();
        loop {
            if let Ok((stream, _)) = listener.accept() {
                stream.set_nonblocking(false).unwrap();
                return Peer::new(stream);
            }
            assert!(began.elapsed() < PATIENCE, "no program connects");
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn new(stream: TcpStream) -> Peer {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Peer(stream)
    }

    /// Sends a text as a message.
    pub fn say(&mut self, text: &str) {
        self.0.write_all(&[text.as_bytes(), &[END]].concat()).unwrap();
    }

    /// The next message; `None` at the end of the connection.
    pub fn hear(&mut self) -> Option<String> {
        let mut bytes = Vec::new();
        loop {
            let mut byte = [0];
            match self.0.read(&mut byte) {
                Ok(1) if byte[0] != END => bytes.push(byte[0]),
                Ok(1) => return Some(String::from_utf8(bytes).unwrap()),
                Ok(_) => return None,
                Err(error) => panic!("it says nothing: {error}"),
            }
        }
    }

    /// Checks that the next message is `text`.
    pub fn expect(&mut self, text: &str) {
        assert_eq!(self.hear().as_deref(), Some(text));
    }

    /// Requests a game in which the program plays the side `W` or `Z`. `end` is the end of the
    /// message: the time, the moves and the position.
    pub fn ask(&mut self, side: char, end: &str) {
        self.say(&format!("R01{:32}{side}{end}", "Peer"));
        self.accepted();
    }

    /// Waits until the game is accepted.
    pub fn accepted(&mut self) {
        let answer = self.hear().unwrap();
        assert!(answer.starts_with("AManoury ") && answer.ends_with('0'), "{answer}");
    }

    /// Receives a move, which must be legal, and plays it.
    pub fn take_move(&mut self, game: &mut Game) {
        let text = self.hear().unwrap();
        let Ok(Message::Move(mv)) = Message::parse(text.as_bytes()) else {
            panic!("no move: {text}");
        };
        game.play(hub::parse_move_leniently(game.position(), &mv.to_hub()).unwrap());
    }

    /// Plays a move and sends it.
    pub fn make_move(&mut self, game: &mut Game, text: &str) {
        game.play(hub::parse_move(game.position(), text).unwrap());
        let message = Message::Move(MoveMessage::from_hub(text, 0).unwrap());
        self.say(&message.format().unwrap());
    }

    /// Plays the first legal move and sends it.
    pub fn make_any_move(&mut self, game: &mut Game) {
        let mv = game.position().legal_moves()[0];
        self.make_move(game, &hub::format_move(mv));
    }
}

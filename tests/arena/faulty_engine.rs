//! An engine with faults, for the tests of the arena: `faulty_engine MODE [PORT [MILLISECONDS]]`.
//!
//! It plays the legal move with the lowest numbers. Each mode has one fault; with an unknown mode
//! the engine has none. It connects to PORT and holds the connection while it is alive, so that a
//! test can see when it has ended.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{self, BufRead, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{self, Command, Stdio};
use std::thread;
use std::time::Duration;

use manoury::board::Side;
use manoury::erased::Position;
use manoury::notation;
use manoury::protocol::dxp::{
    self, Acceptance, EndReason, GameRequest, Message, MoveMessage, TakebackAnswer,
};
use manoury::protocol::hub::HubLine;
use manoury::rules::Variant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |index: usize| arguments.get(index).map(String::as_str).unwrap_or_default();
    let life = argument(1).parse().ok().map(|port: u16| TcpStream::connect(("127.0.0.1", port)));
    let mode = argument(0);
    match mode {
        "sleep" => sleep_for_ever(),
        "hub1" => hub1(),
        "dxp-server" => dxp_follower(accept(argument(2))),
        "dxp-client" => dxp_follower(TcpStream::connect(address(argument(2))).unwrap()),
        _ => hub2(mode, argument(1), argument(2)),
    }
    drop(life);
}

fn sleep_for_ever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(60));
    }
}

/// Writes a line. A line that cannot be written is not a fault of this engine.
fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

fn lines() -> impl Iterator<Item = String> {
    io::stdin().lock().lines().map_while(Result::ok)
}

fn flood(line: &str) -> ! {
    let text = format!("{line}\n").repeat(1000);
    let mut output = io::stdout();
    while output.write_all(text.as_bytes()).is_ok() {}
    sleep_for_ever()
}

#[allow(clippy::zombie_processes)]
fn spawn_child(port: &str) {
    let program = std::env::current_exe().unwrap();
    // It holds this engine's standard output and is never waited for.
    let child = Command::new(program).args(["sleep", port]).stdin(Stdio::null()).spawn();
    std::mem::forget(child.unwrap());
}

// Hub 2

fn hub2(mode: &str, port: &str, milliseconds: &str) {
    match mode {
        "exit-at-start" => process::exit(3),
        "abort-at-start" => process::abort(),
        "silent" => sleep_for_ever(),
        "flood-at-start" => flood("hello"),
        "slow-start" => thread::sleep(Duration::from_millis(milliseconds.parse().unwrap())),
        "child" => spawn_child(port),
        "child-holds-output" => {
            spawn_child(port);
            thread::sleep(Duration::from_millis(50));
            process::exit(3);
        }
        _ => {}
    }
    let mut position = Position::start(Variant::International);
    let mut levels = Vec::new();
    let mut threads = 1;
    let mut lines = lines();
    while let Some(text) = lines.next() {
        let line = HubLine::parse(&text);
        match line.word.as_str() {
            "hub" => {
                say("id name=Faulty version=1.0");
                if mode != "no-params" {
                    say("param name=variant value=normal type=enum values=\"normal bt\"");
                    say("param name=threads value=1 type=int min=1 max=9");
                }
                say("wait");
            }
            "init" => {
                if matches!(mode, "never-ready" | "error-at-init") {
                    say("error message=\"no memory\"");
                }
                if mode != "never-ready" {
                    say("ready");
                }
            }
            "ping" if mode != "no-pong" => say("pong"),
            "set-param" if line.value("name") == Some("threads") => {
                threads = line.value("value").unwrap().parse().unwrap();
                if threads > 4 && mode == "refuses-five" {
                    say("error message=\"only 4 cores\"");
                }
            }
            "level" => levels.push(text),
            "pos" => position = read_position(&line),
            "go" => {
                say(&format!("info depth=3 score=0.25 nodes=77 pv=\"{}\"", levels.join(" | ")));
                levels.clear();
                let mode = if threads > 4 && mode == "at-most-four" { "illegal" } else { mode };
                go(mode, &position, &mut lines);
            }
            "quit" if mode == "ignores-quit" => sleep_for_ever(),
            "quit" => return,
            _ => {}
        }
    }
    if mode == "ignores-quit" {
        sleep_for_ever();
    }
}

fn go(mode: &str, position: &Position, lines: &mut impl Iterator<Item = String>) {
    let done = match first_move(position) {
        Some(mv) => format!("done move={mv}"),
        None => "done".to_owned(),
    };
    match mode {
        "exit" => process::exit(3),
        "abort" => process::abort(),
        "hang" => sleep_for_ever(),
        "illegal" => say("done move=1-50"),
        "empty" => say("done"),
        "complains" => {
            say("error message=\"bad position\"");
            say("done");
        }
        "flood" => flood("info depth=1"),
        "flood-without-lines" => while io::stdout().write_all(&[b'x'; 1000]).is_ok() {},
        "flood-when-idle" => {
            say(&done);
            flood("info depth=1");
        }
        "dawdle" => {
            thread::sleep(Duration::from_millis(2));
            say(&done);
        }
        "late" => {
            thread::sleep(Duration::from_millis(300));
            say(&done);
        }
        "after-stop" => {
            let is_stopped = lines.any(|line| line == "stop");
            assert!(is_stopped);
            say(&done);
        }
        "twice" => {
            say(&done);
            say("done move=50-1");
        }
        _ => say(&done),
    }
}

fn read_position(pos: &HubLine) -> Position {
    let position =
        notation::hub::parse_position(Variant::International, pos.value("pos").unwrap()).unwrap();
    let moves = pos.value("moves").unwrap_or_default().split_whitespace();
    moves.fold(position, |position, mv| play(&position, mv))
}

fn play(position: &Position, mv: &str) -> Position {
    position.after(notation::hub::parse_move(position, mv).unwrap())
}

fn first_move(position: &Position) -> Option<String> {
    position.sorted_moves().first().copied().map(notation::hub::format_move)
}

// Hub 1

fn hub1() {
    let mut position = Position::start(Variant::International);
    let mut limits = Vec::new();
    let mut settings = Vec::new();
    for line in lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line.as_str(), ""));
        match word {
            "hub" => {
                say("name Faulty 1");
                say("wait");
            }
            "set" => settings.push(rest.to_owned()),
            "init" => {
                if settings.iter().any(|setting| setting.starts_with("refused")) {
                    say("error no memory");
                }
                say("ready");
            }
            "ping" => say("pong"),
            "pos" if rest.starts_with(['w', 'b']) => {
                let text = rest[..1].to_uppercase() + &rest[1..];
                position = notation::hub::parse_position(Variant::International, &text).unwrap();
                limits.clear();
            }
            "pos" => say("error bad position"),
            "move" => position = play(&position, rest),
            "time" | "level" | "depth" => limits.push(line),
            "go" => {
                let words = [settings.join(","), limits.join(",")].join(" ");
                say(&format!("info 9 7.5 -25 1234 0.50 2.5 {words}"));
                say(&format!("move {} 1-7", first_move(&position).unwrap()));
            }
            "quit" => return,
            _ => {}
        }
    }
}

// DXP: chat messages from the arena select the modes.

fn address(port: &str) -> (&str, u16) {
    ("127.0.0.1", port.parse().unwrap())
}

fn accept(port: &str) -> TcpStream {
    // Makes the arena retry for a while.
    thread::sleep(Duration::from_millis(50));
    TcpListener::bind(address(port)).unwrap().accept().unwrap().0
}

struct Follower {
    stream: TcpStream,
    /// The chat messages received.
    modes: Vec<String>,
    side: Side,
    position: Position,
    is_playing: bool,
}

fn dxp_follower(stream: TcpStream) {
    let position = Position::start(Variant::International);
    let mut follower =
        Follower { stream, modes: Vec::new(), side: Side::White, position, is_playing: false };
    while let Some(message) = follower.receive() {
        match message {
            Message::Chat(mode) => follower.modes.push(mode),
            Message::Request(request) => follower.begin(&request),
            Message::Move(mv) => {
                follower.position = play(&follower.position, &mv.to_hub());
                follower.answer();
            }
            Message::End { next: dxp::AfterGame::Quit, .. } => return,
            Message::End { reason, next } => follower.end(reason, next),
            _ => {}
        }
    }
    // A closed connection must not end this program.
    sleep_for_ever();
}

impl Follower {
    fn has(&self, mode: &str) -> bool {
        self.modes.iter().any(|known| known == mode)
    }

    fn receive(&mut self) -> Option<Message> {
        let mut bytes = Vec::new();
        loop {
            let mut byte = [0];
            match self.stream.read(&mut byte) {
                Ok(1) if byte[0] != dxp::END => bytes.push(byte[0]),
                Ok(1) => return Some(Message::parse(&bytes).unwrap()),
                _ => return None,
            }
        }
    }

    fn send(&mut self, message: &Message) {
        self.send_text(&message.format().unwrap());
    }

    fn send_text(&mut self, text: &str) {
        let bytes = [text.as_bytes(), &[dxp::END]].concat();
        let _ = self.stream.write_all(&bytes);
    }

    fn begin(&mut self, request: &GameRequest) {
        // Leftovers of another game, which the arena must ignore.
        self.send(&Message::Chat("stale messages follow".to_owned()));
        self.send_text("M0000010600");
        self.send_text("E10");
        if self.has("silent") {
            return;
        }
        let answer = if self.has("refuse") { Acceptance::NotThisGame } else { Acceptance::Accepts };
        self.side = request.follower;
        self.position = match &request.position {
            None => Position::start(Variant::International),
            Some(text) => {
                notation::PositionLetters::DXP.parse(Variant::International, text).unwrap()
            }
        };
        self.is_playing = true;
        self.send(&Message::Accept { name: "Follower".to_owned(), answer });
        if self.position.side() == self.side {
            self.answer();
        }
    }

    fn answer(&mut self) {
        if self.has("close") {
            process::exit(4);
        }
        if self.has("hang") {
            return;
        }
        if self.has("nonsense") {
            return self.send_text("nonsense");
        }
        if self.has("back") {
            self.send(&Message::Takeback { number: 1, side: self.side });
            let answer = self.receive();
            assert_eq!(answer, Some(Message::TakebackAnswer(TakebackAnswer::Unable)));
        }
        let reason = match () {
            () if self.has("resign") => EndReason::Resigns,
            () if self.has("draw") => EndReason::Draw,
            () if self.has("win") => EndReason::HasWon,
            () => {
                let Some(mv) = first_move(&self.position) else {
                    return self.say_end(EndReason::Resigns);
                };
                self.position = play(&self.position, &mv);
                return self.send(&Message::Move(MoveMessage::from_hub(&mv, 7).unwrap()));
            }
        };
        self.say_end(reason);
    }

    fn say_end(&mut self, reason: EndReason) {
        self.is_playing = false;
        self.send(&Message::End { reason, next: dxp::AfterGame::AnotherGame });
    }

    fn end(&mut self, reason: EndReason, next: dxp::AfterGame) {
        // An acknowledgement of this engine's own end needs no acknowledgement.
        if std::mem::take(&mut self.is_playing) {
            self.send(&Message::Chat(format!("the arena says {reason:?}")));
            self.send(&Message::End { reason: EndReason::Unknown, next });
        }
    }
}

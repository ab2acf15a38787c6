//! A game in a pseudo-terminal: lines are edited, boards replace each other.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};

/// How long to wait for output.
const PATIENCE: Duration = Duration::from_secs(30);

/// The program in a terminal.
struct Terminal {
    child: Child,
    keyboard: File,
    output: Receiver<Vec<u8>>,
    shown: String,
}

impl Terminal {
    fn start(arguments: &str) -> Terminal {
        let size = Winsize { ws_row: 40, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        let pty = openpty(&size, None).unwrap();
        let end = || Stdio::from(pty.slave.try_clone().unwrap());
        let child = Command::new(env!("CARGO_BIN_EXE_manoury"))
            .args(arguments.split_whitespace())
            .env("TERM", "xterm-256color")
            .env_remove("NO_COLOR")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .unwrap();
        let keyboard = File::from(pty.master);
        let mut screen = keyboard.try_clone().unwrap();
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The read fails when the program has ended.
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Terminal { child, keyboard, output, shown: String::new() }
    }

    /// Waits for a text and forgets everything up to it.
    fn expect(&mut self, text: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(place) = self.shown.find(text) {
                let rest = self.shown.split_off(place + text.len());
                return std::mem::replace(&mut self.shown, rest);
            }
            let wait = until.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(wait) {
                Ok(bytes) => self.shown += &String::from_utf8_lossy(&bytes),
                Err(_) => panic!("no {text:?} in {:?}", self.shown),
            }
        }
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_game_in_a_terminal() {
    let mut terminal = Terminal::start("play --level 1 --seed 1 --tt-size 16");
    let first = terminal.expect("your move: ");
    assert!(first.contains("\x1b[2J"), "the screen is cleared: {first:?}");
    assert!(first.contains("\x1b[48;5;94m") || first.contains("48;5;94"), "in colours: {first:?}");
    // A typing error is corrected with backspace.
    terminal.press("32-29\x7f8\r");
    terminal.expect("Manoury level 1: ");
    terminal.expect("your move: ");
    terminal.press("takeback\r");
    terminal.expect("your move: ");
    // Two lines up in the history is the move.
    terminal.press("\x1b[A\x1b[A\r");
    terminal.expect("1. 32-28");
    terminal.expect("your move: ");
    // Ctrl-C at the prompt stops the game; the PDN is there.
    terminal.press("\x03");
    terminal.expect("Stopped without a result");
    terminal.expect("[Event \"Game at the terminal\"]");
    assert_eq!(terminal.child.wait().unwrap().code(), Some(0));
}

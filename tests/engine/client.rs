//! A Hub client that controls the real program line by line.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// A timeout that only a program that hangs can exceed.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The program and its pipes.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Option<ChildStderr>,
}

impl Client {
    /// Starts the program in a folder other than its own.
    pub fn start(arguments: &[&str]) -> Client {
        let mut program = Command::new(env!("CARGO_BIN_EXE_manoury"));
        program.args(arguments);
        Client::of(program)
    }

    /// Starts the program by a command.
    pub fn of(mut command: Command) -> Client {
        let mut child = command
            .current_dir(std::env::temp_dir())
            .env_remove("MANOURY_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        Client { input: child.stdin.take(), errors: child.stderr.take(), child, lines }
    }

    /// The process id of the program.
    #[cfg(unix)]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes unchanged.
    pub fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// Ends the program's input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// The next line of the program; `None` after a timeout or the end of the output.
    pub fn line(&self, patience: Duration) -> Option<String> {
        self.lines.recv_timeout(patience).ok()
    }

    /// The next line whose first word is `word`; other lines are skipped.
    pub fn line_of(&self, word: &str) -> String {
        loop {
            let line = self.line(PATIENCE);
            let line = line.unwrap_or_else(|| panic!("no line {word}"));
            if line.split(' ').next() == Some(word) {
                return line;
            }
        }
    }

    /// Waits until the program ends by itself. Returns its exit code and its standard error; `None`
    /// after a timeout.
    pub fn end(&mut self, patience: Duration) -> Option<(i32, String)> {
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().unwrap() {
                let mut errors = String::new();
                self.errors.take().unwrap().read_to_string(&mut errors).unwrap();
                return Some((status.code().unwrap_or(-1), errors));
            }
            thread::sleep(Duration::from_millis(1));
        }
        None
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It has already ended unless a test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

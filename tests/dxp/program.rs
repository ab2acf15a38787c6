//! A running `manoury dxp`.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A timeout that only a program that hangs can exceed.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A running program.
pub struct Program {
    child: Child,
    errors: BufReader<ChildStderr>,
}

/// The output of a program that has ended, and its exit code.
pub struct Left {
    pub output: String,
    pub errors: String,
    pub code: Option<i32>,
}

impl Program {
    /// Starts the program with a small transposition table.
    pub fn start(arguments: &[&str]) -> Program {
        let mut child = Command::new(env!("CARGO_BIN_EXE_manoury"))
            .args(["dxp", "--tt-size", "16"])
            .args(arguments)
            .env_remove("MANOURY_LOG")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let errors = BufReader::new(child.stderr.take().unwrap());
        Program { child, errors }
    }

    /// Starts the program as a listener. Returns it with its address.
    pub fn listen(arguments: &[&str]) -> (Program, String) {
        let mut program = Program::start(&[&["--listen", "127.0.0.1:0"], arguments].concat());
        let mut line = String::new();
        program.errors.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").expect(&line).to_owned();
        (program, address)
    }

    /// Sends a signal: `INT` or `TERM`.
    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// Waits until the program ends by itself.
    pub fn wait(mut self) -> Left {
        let began = Instant::now();
        let code = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status.code(),
                None => thread::sleep(Duration::from_millis(10)),
            }
            assert!(began.elapsed() < PATIENCE, "it does not end");
        };
        let (mut output, mut errors) = (String::new(), String::new());
        self.child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
        self.errors.read_to_string(&mut errors).unwrap();
        Left { output, errors, code }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It has already ended unless a test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

//! A running `manoury serve`, and its clients.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tungstenite::client::IntoClientRequest;
use tungstenite::{Error, Message, WebSocket};

/// A timeout that only a program that hangs can exceed.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The token of the servers here.
const TOKEN: &str = "secret";

/// A running server.
pub struct Server {
    child: Child,
    /// As `127.0.0.1:1234`.
    pub address: String,
}

impl Server {
    /// Starts a server at a free port, with engines that need little.
    pub fn start(arguments: &[&str]) -> Server {
        let mut child = command(&["--port", "0", "--token", TOKEN])
            .args(["--threads", "1", "--tt-size", "16"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("http://").expect(&line).split('/').next().unwrap();
        assert_eq!(line, format!("http://{address}/?token={TOKEN}\n"));
        Server { child, address: address.to_owned() }
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The answer to a request without a body, whole.
    pub fn ask(&self, head: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(head.replace("HERE", &self.address).as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// The answer to a request for a path.
    pub fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: HERE\r\n\r\n"))
    }

    /// A session.
    pub fn connect(&self) -> Client {
        self.try_connect().unwrap()
    }

    /// A session, unless it is refused.
    pub fn try_connect(&self) -> Result<Client, Error> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let address = format!("ws://{}/engine?token={TOKEN}", self.address);
        let request = address.into_client_request()?;
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Client(socket)),
            Err(tungstenite::HandshakeError::Failure(error)) => Err(error),
            Err(error) => panic!("{error}"),
        }
    }

    /// Sends a signal, and returns the exit code that follows.
    #[cfg(unix)]
    pub fn end(mut self, signal: &str) -> Option<i32> {
        let id = self.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        until("the server ends", || self.child.try_wait().unwrap()).code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program, to be started as a server.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_manoury"));
    command.arg("serve").args(arguments).env_remove("MANOURY_LOG");
    command
}

/// Waits for a result.
pub fn until<T>(what: &str, mut result: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(result) = result() {
            return result;
        }
        assert!(began.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// A client in a session.
pub struct Client(pub WebSocket<TcpStream>);

impl Client {
    pub fn say(&mut self, line: &str) {
        self.0.send(Message::text(line)).unwrap();
    }

    /// The next message that is not a ping.
    pub fn hear(&mut self) -> Result<Message, Error> {
        loop {
            match self.0.read() {
                Ok(Message::Ping(_)) => {}
                other => return other,
            }
        }
    }

    /// The lines up to one that begins with a word, with that.
    pub fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.hear().unwrap().into_text().unwrap().to_string();
            let is_last = line.split(' ').next() == Some(word);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    /// The last line of [`Client::until`].
    pub fn answer(&mut self, line: &str, word: &str) -> String {
        self.say(line);
        self.until(word).pop().unwrap()
    }
}

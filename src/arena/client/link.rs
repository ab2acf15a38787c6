//! The connection to a DXP engine.

use std::io::{self, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::arena::interrupt::Interrupt;
use crate::arena::spec::EngineSpec;
use crate::protocol::dxp::{self, Message};

use super::inbox::Inbox;
use super::output::Output;
use super::process::Process;
use super::{Fault, Occasion, after};

/// What stands for the port in the arguments of an engine.
const PLACEHOLDER: &str = "{port}";

/// The pause between two attempts to reach an engine that starts.
const RETRY: Duration = Duration::from_millis(10);

/// How long one attempt, or the sending of one message, may take.
const ATTEMPT: Duration = Duration::from_secs(2);

/// The pause after a message that the engine has not answered: some engines drop the second of two
/// messages that arrive together.
const PAUSE: Duration = Duration::from_millis(50);

/// A connection, and the engine's process if it was started here.
pub struct Link {
    stream: TcpStream,
    output: Output,
    /// When the last message was sent, if the engine has sent none since.
    unanswered: Option<Instant>,
}

impl Link {
    /// Starts the engine, unless it runs elsewhere, and connects with it.
    ///
    /// # Errors
    ///
    /// [`Fault::Unsuitable`]: it cannot be started. [`Fault::NoStart`]: there is no connection in
    /// time, or its port is taken.
    pub fn open(spec: &EngineSpec, occasion: &Occasion) -> Result<Link, Fault> {
        let deadline = after(Instant::now(), spec.start_limit);
        let (process, stream) =
            if spec.dxp.is_server { connect } else { listen }(spec, &occasion.interrupt, deadline)?;
        let refused = |error: io::Error| Fault::NoStart(format!("no way to talk to it: {error}"));
        // Windows hands the listener's mode on.
        stream.set_nonblocking(false).map_err(refused)?;
        stream.set_nodelay(true).map_err(refused)?;
        stream.set_write_timeout(Some(ATTEMPT)).map_err(refused)?;
        let input = stream.try_clone().map_err(refused)?;
        let inbox = Inbox::open(input, dxp::END).map_err(refused)?;
        Ok(Link {
            stream,
            output: Output::new(process, inbox, occasion.interrupt.clone()),
            unanswered: None,
        })
    }

    /// Sends a message, not too soon after the last one; when it was sent.
    ///
    /// # Errors
    ///
    /// [`Fault::Crash`]: the connection is gone. [`Fault::Protocol`]: the message cannot be written.
    pub fn send(&mut self, message: &Message) -> Result<Instant, Fault> {
        let text = message.format().map_err(|error| Fault::Protocol(error.to_string()))?;
        if let Some(last) = self.unanswered {
            thread::sleep(PAUSE.saturating_sub(last.elapsed()));
        }
        let now = Instant::now();
        self.unanswered = Some(now);
        let bytes = [text.as_bytes(), &[dxp::END]].concat();
        match self.stream.write_all(&bytes) {
            Ok(()) => Ok(now),
            Err(_) => Err(self.output.crash("connection")),
        }
    }

    /// The next message and when it came; `None` if there is none until the deadline.
    ///
    /// # Errors
    ///
    /// [`Fault::Crash`], [`Fault::Flood`]; [`Fault::Protocol`]: something that is no message.
    pub fn receive(&mut self, deadline: Instant) -> Result<Option<(Message, Instant)>, Fault> {
        let Some(arrival) = self.output.receive(deadline)? else {
            return Ok(None);
        };
        self.unanswered = None;
        let message = Message::parse(&arrival.bytes);
        let message = message.map_err(|error| Fault::Protocol(error.to_string()))?;
        Ok(Some((message, arrival.at)))
    }

    /// Begins a question: the engine may send as much as for any other.
    ///
    /// # Errors
    ///
    /// [`Fault::Flood`]: it has sent too much without being asked.
    pub fn begin(&mut self) -> Result<(), Fault> {
        self.output.begin()
    }

    /// Waits until the engine's process ends by itself, but not for long.
    pub fn wait(&mut self, patience: Duration) {
        self.output.wait(patience);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // The thread that reads has the connection, too. It may be closed already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

type Connected = (Option<Process>, TcpStream);

/// Connects to an engine that listens.
fn connect(
    spec: &EngineSpec,
    interrupt: &Interrupt,
    deadline: Instant,
) -> Result<Connected, Fault> {
    let mut port = port(spec);
    if !spec.command.is_empty() {
        // Another engine that listens there would take the connection.
        port = bind("127.0.0.1", port)?.1;
    }
    let mut process = start(spec, port)?;
    let host = spec.dxp.host.as_str();
    let stream = retry(&mut process, interrupt, deadline, || {
        let left = deadline.saturating_duration_since(Instant::now()).max(RETRY);
        dxp::dial(host, port, left.min(ATTEMPT))
    })
    .map_err(|what| no_start(interrupt, format!("no connection to {host}:{port}: {what}")))?;
    Ok((process, stream))
}

/// Waits for an engine that connects.
fn listen(spec: &EngineSpec, interrupt: &Interrupt, deadline: Instant) -> Result<Connected, Fault> {
    // An engine from elsewhere may come from any machine.
    let address = if spec.command.is_empty() { "0.0.0.0" } else { "127.0.0.1" };
    let (listener, port) = bind(address, port(spec))?;
    listener.set_nonblocking(true).map_err(|error| Fault::NoStart(error.to_string()))?;
    let mut process = start(spec, port)?;
    let stream =
        retry(&mut process, interrupt, deadline, || listener.accept().map(|(stream, _)| stream))
            .map_err(|what| {
                no_start(interrupt, format!("it does not connect to port {port}: {what}"))
            })?;
    Ok((process, stream))
}

/// The port to use; 0 for any free one.
fn port(spec: &EngineSpec) -> u16 {
    let is_told = spec.command.iter().any(|word| word.contains(PLACEHOLDER));
    spec.dxp.port.unwrap_or(if is_told { 0 } else { dxp::PORT })
}

fn bind(address: &str, port: u16) -> Result<(TcpListener, u16), Fault> {
    let listener = TcpListener::bind((address, port));
    listener
        .and_then(|listener| listener.local_addr().map(|address| (listener, address.port())))
        .map_err(|error| Fault::NoStart(format!("port {port} cannot be used: {error}")))
}

fn start(spec: &EngineSpec, port: u16) -> Result<Option<Process>, Fault> {
    if spec.command.is_empty() {
        return Ok(None);
    }
    let port = port.to_string();
    let command: Vec<_> =
        spec.command.iter().map(|word| word.replace(PLACEHOLDER, &port)).collect();
    Process::start(&command, spec.dir.as_deref(), Stdio::null()).map(Some)
}

/// Tries until there is a connection, the process has ended, or the time is up.
fn retry(
    process: &mut Option<Process>,
    interrupt: &Interrupt,
    deadline: Instant,
    mut attempt: impl FnMut() -> io::Result<TcpStream>,
) -> Result<TcpStream, String> {
    loop {
        let error = match attempt() {
            Ok(stream) => return Ok(stream),
            Err(error) => error,
        };
        if let Some(how) = process.as_mut().and_then(Process::end) {
            return Err(how);
        }
        if interrupt.is_set() {
            return Err("interrupted".to_owned());
        }
        if Instant::now() >= deadline {
            let is_waiting = error.kind() == io::ErrorKind::WouldBlock;
            return Err(if is_waiting { "not in time".to_owned() } else { error.to_string() });
        }
        thread::sleep(RETRY);
    }
}

/// Nobody's fault if the match was interrupted meanwhile.
fn no_start(interrupt: &Interrupt, what: String) -> Fault {
    if interrupt.is_set() { Fault::Interrupted } else { Fault::NoStart(what) }
}

//! The connection to a DXP engine.

use std::io::{self, Write};
use std::iter;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use rand::TryRng;
use rand::rngs::SysRng;

use crate::arena::spec::EngineSpec;
use crate::protocol::dxp::{self, Message};
use crate::runtime::interrupt::Interrupt;

use super::channels::TextReceiver;
use super::process::{EngineOutput, Process};
use super::{EngineFault, MatchContext, after};

/// The placeholder for the port in the arguments of an engine.
const PLACEHOLDER: &str = "{port}";

/// The ports for engines that listen. No system gives them out as free ports, so until the engine
/// listens, no other program gets the same one, and no attempt to connect to it connects to itself.
const ENGINE_PORTS: Range<u16> = 12_000..27_000;

/// The number of engine ports to try before any free port is used.
const PORT_ATTEMPTS: usize = 20;

/// Maximum time to connect to a program on this machine. Windows takes seconds to refuse.
const PROBE_TIMEOUT: Duration = Duration::from_millis(50);

/// The interval between attempts to connect to an engine that is starting.
const RETRY_INTERVAL: Duration = Duration::from_millis(10);

/// Maximum time for one attempt to connect, or for sending one message.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(2);

/// The pause between an unanswered message and the next one. Some engines drop the second of two
/// messages that arrive together.
const PAUSE: Duration = Duration::from_millis(50);

/// A connection, and the engine's process if the arena started it.
pub struct DxpStream {
    stream: TcpStream,
    output: EngineOutput,
    /// When the last message was sent to the engine; `None` if the engine has sent a message since.
    unanswered: Option<Instant>,
}

impl DxpStream {
    /// Starts the engine, unless it runs elsewhere, and connects to it or, if it is the client,
    /// waits for it to connect. Fails with [`EngineFault::Unsuitable`] if the engine cannot be
    /// started, and with [`EngineFault::NoStart`] if there is no connection in time or the port is
    /// taken.
    pub fn open(spec: &EngineSpec, context: &MatchContext) -> Result<DxpStream, EngineFault> {
        let deadline = after(Instant::now(), spec.start_limit);
        let (process, stream) =
            if spec.dxp.is_server { connect } else { listen }(spec, context, deadline)?;
        let refused =
            |error: io::Error| EngineFault::NoStart(format!("cannot communicate: {error}"));
        // On Windows, a connection inherits the non-blocking mode of its listener.
        stream.set_nonblocking(false).map_err(refused)?;
        stream.set_nodelay(true).map_err(refused)?;
        stream.set_write_timeout(Some(ATTEMPT_TIMEOUT)).map_err(refused)?;
        let input = stream.try_clone().map_err(refused)?;
        let receiver = TextReceiver::open(input, dxp::END).map_err(refused)?;
        Ok(DxpStream {
            stream,
            output: EngineOutput::new(process, receiver, context),
            unanswered: None,
        })
    }

    /// Sends a message, after a pause if the last one is unanswered. Returns the time of sending.
    /// Fails with [`EngineFault::Crash`] if the connection is lost, and with
    /// [`EngineFault::Protocol`] if the message cannot be encoded.
    pub fn send(&mut self, message: &Message) -> Result<Instant, EngineFault> {
        let text = message.format().map_err(|error| EngineFault::Protocol(error.to_string()))?;
        if let Some(last) = self.unanswered {
            thread::sleep(PAUSE.saturating_sub(last.elapsed()));
        }
        let now = Instant::now();
        self.unanswered = Some(now);
        self.output.note_sent(&text, now);
        let bytes = [text.as_bytes(), &[dxp::END]].concat();
        match self.stream.write_all(&bytes) {
            Ok(()) => Ok(now),
            Err(_) => Err(self.output.crash("connection")),
        }
    }

    /// The next message and its time of arrival; `None` if none arrives before the deadline. Fails
    /// with [`EngineFault::Protocol`] if the message is invalid.
    pub fn receive(
        &mut self,
        deadline: Instant,
    ) -> Result<Option<(Message, Instant)>, EngineFault> {
        let Some(text) = self.output.receive(deadline)? else {
            return Ok(None);
        };
        self.unanswered = None;
        let message = Message::parse(&text.bytes);
        let message = message.map_err(|error| EngineFault::Protocol(error.to_string()))?;
        Ok(Some((message, text.at)))
    }

    /// Starts a request: resets the engine's output budget. Fails with [`EngineFault::Flood`] if
    /// the engine has sent too much since its last answer.
    pub fn start_request(&mut self) -> Result<(), EngineFault> {
        self.output.start_request()
    }

    /// Waits up to `patience` for the engine's process to end by itself.
    pub fn wait(&mut self, patience: Duration) {
        self.output.wait(patience);
    }
}

impl Drop for DxpStream {
    fn drop(&mut self) {
        // The reading thread has a clone of the stream, so dropping this one would not close the
        // connection. Shutting down fails if the connection is already closed.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

type Connected = (Option<Process>, TcpStream);

/// Connects to an engine that listens.
fn connect(
    spec: &EngineSpec,
    context: &MatchContext,
    deadline: Instant,
) -> Result<Connected, EngineFault> {
    let interrupt = &context.interrupt;
    let mut port = port(spec);
    if !spec.command.is_empty() {
        port = free_port(port)?;
    }
    let mut process = start(spec, context, port)?;
    let host = spec.dxp.host.as_str();
    let stream = retry(&mut process, interrupt, deadline, || {
        let left = deadline.saturating_duration_since(Instant::now()).max(RETRY_INTERVAL);
        dxp::connect(host, port, left.min(ATTEMPT_TIMEOUT))
    })
    .map_err(|what| no_start(interrupt, format!("no connection to {host}:{port}: {what}")))?;
    Ok((process, stream))
}

/// Waits for an engine to connect to the arena.
fn listen(
    spec: &EngineSpec,
    context: &MatchContext,
    deadline: Instant,
) -> Result<Connected, EngineFault> {
    let interrupt = &context.interrupt;
    // An engine that runs elsewhere may connect from any machine.
    let address = if spec.command.is_empty() { "0.0.0.0" } else { "127.0.0.1" };
    let (listener, port) = bind(address, port(spec))?;
    listener.set_nonblocking(true).map_err(|error| EngineFault::NoStart(error.to_string()))?;
    let mut process = start(spec, context, port)?;
    let stream =
        retry(&mut process, interrupt, deadline, || listener.accept().map(|(stream, _)| stream))
            .map_err(|what| {
                no_start(interrupt, format!("it did not connect to port {port}: {what}"))
            })?;
    Ok((process, stream))
}

/// The port to use; 0 for any free port.
fn port(spec: &EngineSpec) -> u16 {
    let has_placeholder = spec.command.iter().any(|word| word.contains(PLACEHOLDER));
    spec.dxp.port.unwrap_or(if has_placeholder { 0 } else { dxp::PORT })
}

/// The port for an engine that is to listen, or one of [`ENGINE_PORTS`] for 0. Nothing listens on it:
/// another program listening on it would receive the connection.
fn free_port(port: u16) -> Result<u16, EngineFault> {
    let mut random = iter::repeat_with(random_port).take(PORT_ATTEMPTS).flatten();
    match (port == 0).then(|| random.find(|&port| is_free(port))).flatten() {
        Some(port) => Ok(port),
        None if port == 0 => bind("127.0.0.1", port).map(|(_, port)| port),
        None if is_free(port) => Ok(port),
        None => Err(EngineFault::NoStart(format!("another program listens on port {port}"))),
    }
}

/// Whether no program listens on a port of this machine. Listening on it to find out would be wrong:
/// a process that another thread starts meanwhile inherits the listener until it executes its
/// program. The engine could then not listen, and the arena would connect to a port that nobody
/// serves.
fn is_free(port: u16) -> bool {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    match TcpStream::connect_timeout(&address, PROBE_TIMEOUT) {
        // An attempt can connect to itself.
        Ok(stream) => stream.local_addr().ok() == Some(address),
        Err(_) => true,
    }
}

/// One of [`ENGINE_PORTS`]; `None` if the system has no random numbers.
fn random_port() -> Option<u16> {
    let count = u32::from(ENGINE_PORTS.end - ENGINE_PORTS.start);
    let number = SysRng.try_next_u32().ok()?;
    Some(ENGINE_PORTS.start + (number % count) as u16)
}

fn bind(address: &str, port: u16) -> Result<(TcpListener, u16), EngineFault> {
    let listener = TcpListener::bind((address, port));
    listener
        .and_then(|listener| listener.local_addr().map(|address| (listener, address.port())))
        .map_err(|error| EngineFault::NoStart(format!("port {port} cannot be used: {error}")))
}

fn start(
    spec: &EngineSpec,
    context: &MatchContext,
    port: u16,
) -> Result<Option<Process>, EngineFault> {
    if spec.command.is_empty() {
        return Ok(None);
    }
    let port = port.to_string();
    let command: Vec<_> =
        spec.command.iter().map(|word| word.replace(PLACEHOLDER, &port)).collect();
    let cores = context.cores.as_ref();
    Process::start(&command, spec.dir.as_deref(), Stdio::null(), cores).map(Some)
}

/// Retries until there is a connection, the process has ended, the match is interrupted, or the
/// deadline has passed.
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
            return Err(if is_waiting { "timed out".to_owned() } else { error.to_string() });
        }
        thread::sleep(RETRY_INTERVAL);
    }
}

/// The fault of an engine that could not be reached, unless the match was interrupted.
fn no_start(interrupt: &Interrupt, what: String) -> EngineFault {
    if interrupt.is_set() { EngineFault::Interrupted } else { EngineFault::NoStart(what) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_of_engines_are_free_and_not_given_out_by_the_system() {
        for _ in 0..20 {
            let port = free_port(0).unwrap();
            assert!(ENGINE_PORTS.contains(&port), "{port}");
            let (_taken, _) = bind("127.0.0.1", port).unwrap();
            assert!(matches!(free_port(port), Err(EngineFault::NoStart(_))));
        }
    }
}

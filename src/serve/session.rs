//! A session of Hub over a WebSocket.

use std::io;
use std::net::TcpStream;
use std::time::Duration;

use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::WebSocketConfig;

use crate::engine::default_bitbase_folder;
use crate::page_api::PageApi;
use crate::protocol::hub::{LineBuilder, run_bounded};

use super::incoming::Incoming;
use super::outgoing::Outgoing;
use super::terms::ServerConfig;

/// The most bytes of a message. A game of a thousand moves takes 10 kB.
const LONGEST_MESSAGE: usize = 256 << 10;

/// After how much silence a client is asked whether it is there, and then given up.
pub const HEARTBEAT: Duration = Duration::from_secs(20);

/// What is said before the WebSocket begins, for the client's key.
pub fn greeting(key: &str) -> String {
    format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {}\r\n\r\n",
        derive_accept_key(key.as_bytes())
    )
}

/// Speaks Hub, and answers questions, until the client says `quit` or is gone. `early` is what the
/// client has already sent.
///
/// # Errors
///
/// The connection has failed.
pub fn run(stream: &TcpStream, early: Vec<u8>, terms: &ServerConfig) -> io::Result<()> {
    stream.set_read_timeout(Some(HEARTBEAT))?;
    let outgoing = Outgoing::new(stream.try_clone()?, config());
    let desk = PageApi::with_bitbases(terms.bitbases.clone().or_else(default_bitbase_folder));
    let incoming = Incoming::new(
        stream.try_clone()?,
        early,
        config(),
        outgoing.clone(),
        desk,
        settings(terms),
    );
    let result = run_bounded(terms.max_search_time, incoming, outgoing.clone());
    outgoing.close();
    result
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .max_message_size(Some(LONGEST_MESSAGE))
        .max_frame_size(Some(LONGEST_MESSAGE))
}

/// What the engine is told before the client's first line.
fn settings(terms: &ServerConfig) -> String {
    let set = |name: &str, value: String| {
        LineBuilder::new("set-param").field("name", name).field("value", value).to_string()
    };
    let folder = terms.bitbases.as_ref().map(|folder| folder.display().to_string());
    let lines = [
        Some(set("threads", terms.threads.to_string())),
        Some(set("tt-size", terms.tt_size.to_string())),
        folder.map(|folder| set("bb-dir", folder)),
    ];
    lines.into_iter().flatten().map(|line| line + "\n").collect()
}

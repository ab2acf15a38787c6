//! Answers over HTTP to all but the opening of a WebSocket.

use std::io::{self, Write};

use super::files::File;

/// The status of an answer: its number and its name.
pub type Status = (u16, &'static str);

/// The request is not HTTP.
pub const BAD_REQUEST: Status = (400, "Bad Request");
/// The client may not have this.
pub const FORBIDDEN: Status = (403, "Forbidden");
/// There is no such file.
pub const NOT_FOUND: Status = (404, "Not Found");
/// The server only has things to get.
pub const METHOD_NOT_ALLOWED: Status = (405, "Method Not Allowed");
/// Here is a WebSocket.
pub const UPGRADE_REQUIRED: Status = (426, "Upgrade Required");
/// Too much is asked for.
pub const SERVICE_UNAVAILABLE: Status = (503, "Service Unavailable");

/// What the page may do: load its own files, and talk to this server.
const POLICY: &str = "default-src 'self'; connect-src 'self' ws:; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: Status,
    kind: &'static str,
    body: Vec<u8>,
}

impl Answer {
    /// A file of the page.
    pub fn file(file: &File) -> Answer {
        Answer { status: (200, "OK"), kind: file.kind, body: file.contents.to_vec() }
    }

    /// The page itself, whose engine is a socket.
    pub fn page(html: String) -> Answer {
        Answer { status: (200, "OK"), kind: "text/html; charset=utf-8", body: html.into_bytes() }
    }

    /// A refusal with a sentence for people.
    pub fn refusal(status: Status, sentence: impl Into<String>) -> Answer {
        let body = format!("{}\n", sentence.into()).into_bytes();
        Answer { status, kind: "text/plain; charset=utf-8", body }
    }

    /// The sentence of a refusal.
    #[cfg(test)]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Writes the answer, after which the connection closes.
    ///
    /// # Errors
    ///
    /// The client is gone, or does not read.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let Answer { status: (number, name), kind, body } = self;
        let head = format!(
            "HTTP/1.1 {number} {name}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
             Cache-Control: no-cache\r\nContent-Security-Policy: {POLICY}\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Connection: close\r\n\r\n",
            body.len()
        );
        output.write_all(&[head.as_bytes(), body].concat())?;
        output.flush()
    }
}

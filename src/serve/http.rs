//! HTTP requests, and all responses except the WebSocket handshake.

use std::io::{self, Read, Write};
use std::time::Duration;

use crate::instant::Instant;

use super::files::{File, media_type};

/// The maximum size of a request's head in bytes.
const MAX_HEAD: usize = 16 << 10;

/// The maximum number of header fields of a request; browsers send about twenty.
const MAX_FIELDS: usize = 64;

/// The timeout for reading a request and for writing a response.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// A request, reduced to the parts of its head that the server needs.
#[derive(PartialEq, Eq, Debug)]
pub struct Request {
    /// Whether the method is GET or HEAD.
    pub is_get: bool,
    /// Whether the method is HEAD, which requests a response without its body.
    pub is_head: bool,
    /// The path, such as `/main.js`.
    pub path: String,
    /// The token in the query; empty if there is none.
    pub token: String,
    /// The host that the client addresses, with the port.
    pub host: String,
    /// The site of the page that sent the request; `None` if a program sent it.
    pub origin: Option<String>,
    /// The WebSocket key, if the client requests a WebSocket.
    pub key: Option<String>,
    /// The bytes read after the head.
    pub rest: Vec<u8>,
}

/// The reason no request could be read.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The input is not HTTP, or has more fields or longer fields than any browser sends.
    #[error("not an HTTP request: {0}")]
    Invalid(String),
    /// The client has closed the connection, or is too slow.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Request {
    /// Reads a request from a stream whose reads time out.
    ///
    /// # Errors
    ///
    /// The client has closed the connection, is too slow, or does not send an HTTP request.
    pub fn read(stream: &mut impl Read) -> Result<Request, RequestError> {
        let end = Instant::now() + TIMEOUT;
        let mut bytes = Vec::new();
        loop {
            let mut part = [0; 2048];
            let length = stream.read(&mut part)?;
            if length == 0 || Instant::now() > end {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
            bytes.extend_from_slice(&part[..length]);
            if let Some(request) = Request::parse(&bytes)? {
                return Ok(request);
            }
            if bytes.len() > MAX_HEAD {
                let message = format!("the request head is longer than {MAX_HEAD} bytes");
                return Err(RequestError::Invalid(message));
            }
        }
    }

    /// Parses the request at the start of `bytes`; `None` if it is incomplete.
    ///
    /// # Errors
    ///
    /// The bytes are not an HTTP request.
    pub fn parse(bytes: &[u8]) -> Result<Option<Request>, RequestError> {
        let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
        let mut head = httparse::Request::new(&mut fields);
        let status = head.parse(bytes).map_err(|error| RequestError::Invalid(error.to_string()))?;
        let httparse::Status::Complete(length) = status else {
            return Ok(None);
        };
        let field = |name: &str| {
            let mut same =
                head.headers.iter().filter(|field| field.name.eq_ignore_ascii_case(name));
            same.next().map(|field| String::from_utf8_lossy(field.value).trim().to_owned())
        };
        let target = head.path.unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let is_websocket = |upgrade: String| upgrade.eq_ignore_ascii_case("websocket");
        let is_upgrade = field("upgrade").is_some_and(is_websocket);
        let is_head = head.method == Some("HEAD");
        Ok(Some(Request {
            is_get: is_head || head.method == Some("GET"),
            is_head,
            path: path.to_owned(),
            token: token(query).to_owned(),
            host: field("host").unwrap_or_default(),
            origin: field("origin"),
            key: field("sec-websocket-key").filter(|_| is_upgrade && !is_head),
            rest: bytes[length..].to_vec(),
        }))
    }
}

/// The token of a query. Tokens need no escapes.
fn token(query: &str) -> &str {
    query.split('&').find_map(|part| part.strip_prefix("token=")).unwrap_or_default()
}

/// A status code with its name.
pub type Status = (u16, &'static str);

/// The request is not HTTP.
pub const BAD_REQUEST: Status = (400, "Bad Request");
/// The client has no access.
pub const FORBIDDEN: Status = (403, "Forbidden");
/// There is no such file.
pub const NOT_FOUND: Status = (404, "Not Found");
/// Only GET and HEAD are supported.
pub const METHOD_NOT_ALLOWED: Status = (405, "Method Not Allowed");
/// Only WebSockets are supported here.
pub const UPGRADE_REQUIRED: Status = (426, "Upgrade Required");
/// All sessions are in use.
pub const SERVICE_UNAVAILABLE: Status = (503, "Service Unavailable");

/// The content security policy: the page may load its own files and open WebSockets.
const POLICY: &str = "default-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// A response.
#[derive(Debug)]
pub struct Response {
    /// The status code with its name.
    pub status: Status,
    media_type: &'static str,
    body: Vec<u8>,
}

impl Response {
    /// A file of the page.
    pub fn file(file: &File) -> Response {
        let body = file.contents.to_vec();
        Response { status: (200, "OK"), media_type: file.media_type, body }
    }

    /// A text file, by name and contents.
    pub fn text_file(name: &str, text: &str) -> Response {
        let body = text.as_bytes().to_vec();
        Response { status: (200, "OK"), media_type: media_type(name), body }
    }

    /// JSON data.
    pub fn json(text: String) -> Response {
        Response { status: (200, "OK"), media_type: "application/json", body: text.into_bytes() }
    }

    /// The page itself.
    pub fn page(html: String) -> Response {
        let media_type = "text/html; charset=utf-8";
        Response { status: (200, "OK"), media_type, body: html.into_bytes() }
    }

    /// An error, with a human-readable explanation.
    pub fn error(status: Status, explanation: impl Into<String>) -> Response {
        let body = format!("{}\n", explanation.into()).into_bytes();
        Response { status, media_type: "text/plain; charset=utf-8", body }
    }

    /// The explanation of an error.
    #[cfg(test)]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Writes the response. The connection must be closed afterwards.
    ///
    /// # Errors
    ///
    /// The client has closed the connection, or does not read.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        output.write_all(&[self.head().as_bytes(), &self.body].concat())?;
        output.flush()
    }

    /// Writes the response to a request, without the body if that was not requested.
    ///
    /// # Errors
    ///
    /// The same as for [`Response::write`].
    pub fn write_for(&self, request: &Request, output: &mut impl Write) -> io::Result<()> {
        if !request.is_head {
            return self.write(output);
        }
        output.write_all(self.head().as_bytes())?;
        output.flush()
    }

    fn head(&self) -> String {
        let Response { status: (code, name), media_type, body } = self;
        format!(
            "HTTP/1.1 {code} {name}\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\n\
             Cache-Control: no-cache\r\nContent-Security-Policy: {POLICY}\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Connection: close\r\n\r\n",
            body.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "GET /engine?a=1&token=abc HTTP/1.1\r\nHost: localhost:8555\r\n\
        origin: http://localhost:8555\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n\
        Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\nSec-WebSocket-Version: 13\r\n\r\n";

    #[test]
    fn parses_a_request() {
        let text = [HEAD, "more"].concat();
        let request = Request::parse(text.as_bytes()).unwrap().unwrap();
        let expected = Request {
            is_get: true,
            is_head: false,
            path: "/engine".to_owned(),
            token: "abc".to_owned(),
            host: "localhost:8555".to_owned(),
            origin: Some("http://localhost:8555".to_owned()),
            key: Some("x3JJHMbDL1EzLkh9GBhXDw==".to_owned()),
            rest: b"more".to_vec(),
        };
        assert_eq!(request, expected);
    }

    #[test]
    fn waits_for_a_complete_head() {
        for length in 0..HEAD.len() {
            assert!(Request::parse(&HEAD.as_bytes()[..length]).unwrap().is_none(), "{length}");
        }
    }

    #[test]
    fn rejects_other_input() {
        for text in ["hub\n", "GET / HTTP/9.1\r\n\r\n", "GET / HTTP/1.1\r\nHost\r\n\r\n"] {
            assert!(Request::parse(text.as_bytes()).is_err(), "{text:?}");
        }
        let endless = [b"GET / HTTP/1.1\r\nA: ".to_vec(), vec![b'a'; 1 << 20]].concat();
        let error = Request::read(&mut endless.as_slice()).unwrap_err();
        assert!(error.to_string().contains("longer"), "{error}");
        assert!(Request::read(&mut &b"GET /"[..]).is_err());
    }
}

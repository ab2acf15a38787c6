//! The head of an HTTP request: what the server wants to know of it.

use std::io::{self, Read};
use std::time::Duration;

use crate::instant::Instant;

/// The most bytes of a head.
const LONGEST_HEAD: usize = 16 << 10;

/// The most header fields of a request; browsers send about twenty.
const MAX_FIELDS: usize = 64;

/// How long a client may take to send a head.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A request.
#[derive(PartialEq, Eq, Debug)]
pub struct Request {
    /// Whether the method is GET.
    pub is_get: bool,
    /// The path, such as `/main.js`.
    pub path: String,
    /// The token in the address; empty if there is none.
    pub token: String,
    /// The host that the client believes to talk to, with the port.
    pub host: String,
    /// The site whose page asks; `None` where a program does.
    pub origin: Option<String>,
    /// The key of a WebSocket, if one is to be opened.
    pub key: Option<String>,
    /// What was read after the head.
    pub rest: Vec<u8>,
}

/// Why there is no request.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// It is no HTTP, or has more or longer fields than any browser sends.
    #[error("this is no HTTP request: {0}")]
    Invalid(String),
    /// The client has gone, or takes too long.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Request {
    /// Reads a request from a stream whose reads end in time.
    ///
    /// # Errors
    ///
    /// The client is gone, slow, or says something else.
    pub fn read(stream: &mut impl Read) -> Result<Request, RequestError> {
        let end = Instant::now() + PATIENCE;
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
            if bytes.len() > LONGEST_HEAD {
                let message = format!("its head is longer than {LONGEST_HEAD} bytes");
                return Err(RequestError::Invalid(message));
            }
        }
    }

    /// The request at the start of bytes; `None` if more are needed.
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
        let (path, query) = head
            .path
            .unwrap_or_default()
            .split_once('?')
            .unwrap_or((head.path.unwrap_or_default(), ""));
        let is_upgrade =
            field("upgrade").is_some_and(|wanted| wanted.eq_ignore_ascii_case("websocket"));
        Ok(Some(Request {
            is_get: head.method == Some("GET"),
            path: path.to_owned(),
            token: token(query).to_owned(),
            host: field("host").unwrap_or_default(),
            origin: field("origin"),
            key: field("sec-websocket-key").filter(|_| is_upgrade),
            rest: bytes[length..].to_vec(),
        }))
    }
}

/// The token of a query. Tokens need no escapes.
fn token(query: &str) -> &str {
    query.split('&').find_map(|part| part.strip_prefix("token=")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "GET /engine?a=1&token=abc HTTP/1.1\r\nHost: localhost:8555\r\n\
        origin: http://localhost:8555\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n\
        Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\nSec-WebSocket-Version: 13\r\n\r\n";

    #[test]
    fn reads_a_request() {
        let text = [HEAD, "more"].concat();
        let request = Request::parse(text.as_bytes()).unwrap().unwrap();
        let expected = Request {
            is_get: true,
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
    fn waits_for_the_rest_of_a_head() {
        for length in 0..HEAD.len() {
            assert!(Request::parse(&HEAD.as_bytes()[..length]).unwrap().is_none(), "{length}");
        }
    }

    #[test]
    fn refuses_what_is_no_request() {
        for text in ["hub\n", "GET / HTTP/9.1\r\n\r\n", "GET / HTTP/1.1\r\nHost\r\n\r\n"] {
            assert!(Request::parse(text.as_bytes()).is_err(), "{text:?}");
        }
        let endless = [b"GET / HTTP/1.1\r\nA: ".to_vec(), vec![b'a'; 1 << 20]].concat();
        let error = Request::read(&mut endless.as_slice()).unwrap_err();
        assert!(error.to_string().contains("longer"), "{error}");
        assert!(Request::read(&mut &b"GET /"[..]).is_err());
    }
}

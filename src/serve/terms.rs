//! On which terms the server works.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// What a server allows, and what its engines have.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Sites whose pages may also use the engine.
    pub origins: Vec<Origin>,
    /// The secret that a page must know (see [`is_token`]).
    pub token: String,
    /// The most sessions at a time.
    pub sessions: usize,
    /// The most time for a search.
    pub max_search_time: Duration,
    /// The threads of each search.
    pub threads: usize,
    /// The base-2 logarithm of the number of entries of each transposition table.
    pub tt_size: u32,
    /// The folder of bitbases; `None` for the standard one, if there is one.
    pub bitbases: Option<PathBuf>,
}

/// A site: scheme, host and port, as `https://example.org` or `http://192.168.0.2:8000`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin(String);

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Origin, String> {
        let origin = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
        let host = host_of(&origin).unwrap_or_default();
        let is_host =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | ':' | '[' | ']' | '_');
        if host.is_empty() || !host.chars().all(is_host) {
            return Err("a site is wanted, as https://example.org, without a path".to_owned());
        }
        Ok(Origin(origin))
    }
}

impl Origin {
    /// The host, with its port.
    pub fn host(&self) -> &str {
        host_of(&self.0).unwrap_or_default()
    }

    /// Whether a text, in lower case, names this site.
    pub fn is(&self, text: &str) -> bool {
        self.0 == text
    }
}

/// The host of a site, with its port.
fn host_of(origin: &str) -> Option<&str> {
    origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"))
}

/// Whether a text can be a token: letters, digits, `-` and `_`, so that an address needs no escapes.
pub fn is_token(text: &str) -> bool {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !text.is_empty() && text.chars().all(is_safe)
}

//! Configuration and access control. Any page open in a browser can send requests to this machine,
//! but only this server's own page and pages from allowed sites may use its engine.

use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::http::{FORBIDDEN, METHOD_NOT_ALLOWED, Request, Response};

/// The access rules of the server, and the settings of its engines.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Sites whose pages may also use the engine.
    pub origins: Vec<Origin>,
    /// The secret that a page must present (see [`is_token`]).
    pub token: String,
    /// Maximum number of simultaneous sessions.
    pub sessions: usize,
    /// Maximum time for a search.
    pub max_search_time: Duration,
    /// Number of threads for each search.
    pub threads: usize,
    /// The base-2 logarithm of the number of entries in each transposition table.
    pub tt_size: u32,
    /// The folder of bitbases; `None` for the default one, if it exists.
    pub bitbases: Option<PathBuf>,
}

/// A site: scheme, host and optional port, such as `https://example.org` or
/// `http://192.168.0.2:8000`.
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
            return Err("expected a site without a path, such as https://example.org".to_owned());
        }
        Ok(Origin(origin))
    }
}

impl Origin {
    /// The host, with its port.
    pub fn host(&self) -> &str {
        host_of(&self.0).unwrap_or_default()
    }

    /// Whether a lower-case text names this site.
    pub fn is(&self, text: &str) -> bool {
        self.0 == text
    }
}

/// The host of a site, with its port.
fn host_of(origin: &str) -> Option<&str> {
    origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"))
}

/// Whether a string can be a token: it consists of letters, digits, `-` and `_`, so it needs no
/// escaping in a URL.
pub fn is_token(text: &str) -> bool {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !text.is_empty() && text.chars().all(is_safe)
}

/// Checks whether a request may be answered at all, by its method and host. `origins` are other
/// sites whose names this machine also answers to.
///
/// # Errors
///
/// The response to a refused request.
pub fn check_request(request: &Request, origins: &[Origin]) -> Result<(), Response> {
    if !request.is_get {
        return Err(Response::error(METHOD_NOT_ALLOWED, "only GET and HEAD are supported"));
    }
    if !is_known_host(&request.host, origins) {
        // The name of another site may resolve to this machine (DNS rebinding). Pages of that site
        // would then have the same origin as this server.
        let explanation = format!(
            "{:?} is not a name of this machine: use localhost, its IP address, or the address that \
             manoury printed when it started",
            request.host
        );
        return Err(Response::error(FORBIDDEN, explanation));
    }
    Ok(())
}

/// Checks whether a request may use the engine, by its origin and token.
///
/// # Errors
///
/// The response to a refused request.
pub fn check_engine_access(request: &Request, config: &ServerConfig) -> Result<(), Response> {
    if let Some(origin) = &request.origin
        && !is_known_origin(origin, request, config)
    {
        let explanation = format!(
            "pages from {origin} may not use this engine; allow them with manoury serve --origin \
             {origin}"
        );
        return Err(Response::error(FORBIDDEN, explanation));
    }
    if request.token != config.token {
        let explanation = "missing or wrong token: open the address printed by manoury serve";
        return Err(Response::error(FORBIDDEN, explanation));
    }
    Ok(())
}

/// Whether a host with a port is an IP address, localhost, or an allowed site.
fn is_known_host(host: &str, origins: &[Origin]) -> bool {
    let host = host.to_ascii_lowercase();
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => &host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost"
        || address.parse::<IpAddr>().is_ok()
        || origins.iter().any(|origin| origin.host() == host)
}

fn is_known_origin(origin: &str, request: &Request, config: &ServerConfig) -> bool {
    let origin = origin.to_ascii_lowercase();
    let is_own = origin.strip_prefix("http://") == Some(&request.host.to_ascii_lowercase());
    is_own || config.origins.iter().any(|known| known.is(&origin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> ServerConfig {
        ServerConfig {
            origins: vec!["https://boards.example".parse().unwrap()],
            token: "secret".to_owned(),
            sessions: 1,
            max_search_time: Duration::from_secs(1),
            threads: 1,
            tt_size: 16,
            bitbases: None,
        }
    }

    /// A request for a path, with these header fields.
    fn request(path: &str, fields: &str) -> Request {
        let text = format!("GET {path} HTTP/1.1\r\n{fields}\r\n");
        Request::parse(text.as_bytes()).unwrap().unwrap()
    }

    /// Applies all checks to a request for the engine.
    fn check(path: &str, fields: &str) -> Result<(), Response> {
        let request = request(path, fields);
        check_request(&request, &config().origins)?;
        check_engine_access(&request, &config())
    }

    #[test]
    fn allows_its_own_page() {
        for host in ["127.0.0.1:8555", "localhost:8555", "LOCALHOST", "[::1]:8555", "192.168.0.2:1"]
        {
            let fields = format!("Host: {host}\r\nOrigin: http://{host}\r\n");
            assert!(check("/engine?token=secret", &fields).is_ok(), "{host}");
        }
    }

    #[test]
    fn allows_listed_sites_and_programs() {
        let site = "Host: localhost:8555\r\nOrigin: https://boards.example\r\n";
        assert!(check("/engine?token=secret", site).is_ok());
        assert!(check("/engine?token=secret", "Host: localhost:8555\r\n").is_ok());
        // The server is behind that site's proxy.
        let site = "Host: boards.example\r\nOrigin: https://boards.example\r\n";
        assert!(check("/engine?token=secret", site).is_ok());
    }

    #[test]
    fn refuses_others_with_a_reason() {
        let cases = [
            (
                "Host: localhost:8555\r\nOrigin: https://evil.example\r\n",
                "--origin https://evil.example",
            ),
            ("Host: localhost:8555\r\nOrigin: null\r\n", "pages from null"),
            // A page from another server on this machine.
            ("Host: localhost:8555\r\nOrigin: http://localhost:8000\r\n", "may not use"),
            ("Host: localhost:8555\r\nOrigin: https://boards.example.evil\r\n", "may not use"),
            // A name that resolves to this machine.
            (
                "Host: evil.example:8555\r\nOrigin: http://evil.example:8555\r\n",
                "not a name of this",
            ),
            ("Host: 127.0.0.1.evil.example\r\n", "not a name of this"),
            ("", "not a name of this"),
        ];
        for (fields, reason) in cases {
            let response = check("/engine?token=secret", fields).unwrap_err();
            assert_eq!(response.status.0, 403, "{fields}");
            assert!(response.text().contains(reason), "{fields}: {}", response.text());
        }
        for path in ["/engine", "/engine?token=", "/engine?token=Secret", "/engine?token=secret2"] {
            let response = check(path, "Host: localhost:8555\r\n").unwrap_err();
            assert_eq!(response.status.0, 403, "{path}");
            assert!(response.text().contains("token"), "{path}: {}", response.text());
        }
    }

    /// Matches serve pages, too.
    #[test]
    fn the_refusal_of_a_host_names_no_command() {
        let refused = check("/", "Host: box.local:8595\r\n").unwrap_err();
        assert!(refused.text().contains("the address that manoury printed"), "{}", refused.text());
        assert!(!refused.text().contains("manoury serve"), "{}", refused.text());
    }

    #[test]
    fn origins_have_no_path() {
        for site in ["https://example.org", "HTTP://192.168.0.2:8000", "http://[::1]:80/"] {
            assert!(site.parse::<Origin>().is_ok(), "{site}");
        }
        for site in ["", "*", "example.org", "https://", "https://a/b", "ftp://a", "https://a b"] {
            assert!(site.parse::<Origin>().is_err(), "{site}");
        }
    }

    #[test]
    fn tokens_need_no_escapes() {
        assert!(is_token("aZ0-_"));
        assert!(["", "a b", "a&b", "é", "a%20"].iter().all(|text| !is_token(text)));
    }
}

use super::answer::Answer;
use super::guard::{admit, admit_to_engine};
use super::request::Request;
use super::*;

fn terms() -> ServerConfig {
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

/// A request with some header fields, for a path.
fn request(path: &str, fields: &str) -> Request {
    let text = format!("GET {path} HTTP/1.1\r\n{fields}\r\n");
    Request::parse(text.as_bytes()).unwrap().unwrap()
}

/// What a request to the engine gets.
fn at_engine(path: &str, fields: &str) -> Result<(), Answer> {
    let request = request(path, fields);
    admit(&request, &terms())?;
    admit_to_engine(&request, &terms())
}

#[test]
fn the_page_may_use_the_engine() {
    for host in ["127.0.0.1:8555", "localhost:8555", "LOCALHOST", "[::1]:8555", "192.168.0.2:1"] {
        let fields = format!("Host: {host}\r\nOrigin: http://{host}\r\n");
        assert!(at_engine("/engine?token=secret", &fields).is_ok(), "{host}");
    }
}

#[test]
fn an_allowed_site_and_a_program_may_use_the_engine() {
    let site = "Host: localhost:8555\r\nOrigin: https://boards.example\r\n";
    assert!(at_engine("/engine?token=secret", site).is_ok());
    assert!(at_engine("/engine?token=secret", "Host: localhost:8555\r\n").is_ok());
    // Behind a server of that site.
    let site = "Host: boards.example\r\nOrigin: https://boards.example\r\n";
    assert!(at_engine("/engine?token=secret", site).is_ok());
}

#[test]
fn others_are_refused_with_a_reason() {
    let cases = [
        (
            "Host: localhost:8555\r\nOrigin: https://evil.example\r\n",
            "--origin https://evil.example",
        ),
        ("Host: localhost:8555\r\nOrigin: null\r\n", "pages of null"),
        // Another server of this machine.
        ("Host: localhost:8555\r\nOrigin: http://localhost:8000\r\n", "may not use"),
        ("Host: localhost:8555\r\nOrigin: https://boards.example.evil\r\n", "may not use"),
        // A name of a site that leads to this machine.
        ("Host: evil.example:8555\r\nOrigin: http://evil.example:8555\r\n", "not a name of this"),
        ("Host: 127.0.0.1.evil.example\r\n", "not a name of this"),
        ("", "not a name of this"),
    ];
    for (fields, reason) in cases {
        let answer = at_engine("/engine?token=secret", fields).unwrap_err();
        assert_eq!(answer.status.0, 403, "{fields}");
        assert!(answer.text().contains(reason), "{fields}: {}", answer.text());
    }
    for path in ["/engine", "/engine?token=", "/engine?token=Secret", "/engine?token=secret2"] {
        let answer = at_engine(path, "Host: localhost:8555\r\n").unwrap_err();
        assert_eq!(answer.status.0, 403, "{path}");
        assert!(answer.text().contains("token"), "{path}: {}", answer.text());
    }
}

#[test]
fn sites_are_given_without_a_path() {
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

//! Refused requests, and their messages.

use tungstenite::Message;

use super::program::{Server, command};

/// A request to open a session with some header fields.
fn opening(path: &str, fields: &str) -> String {
    format!(
        "GET {path} HTTP/1.1\r\n{fields}Upgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
}

#[test]
fn the_page_is_served() {
    let server = Server::start(&[]);
    let page = server.get("/?token=secret");
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{page}");
    assert!(page.contains("\r\nContent-Type: text/html; charset=utf-8\r\n"), "{page}");
    assert!(page.contains(r#"<meta name="engine" content="socket" />"#), "{page}");
    for (path, kind) in [
        ("/main.js", "text/javascript; charset=utf-8"),
        ("/style.css?new", "text/css; charset=utf-8"),
        ("/icon.svg", "image/svg+xml"),
        ("/language/fr.json", "application/json"),
    ] {
        let file = server.get(path);
        assert!(file.starts_with("HTTP/1.1 200 OK\r\n"), "{path}: {file}");
        assert!(file.contains(&format!("\r\nContent-Type: {kind}\r\n")), "{path}: {file}");
        let head = server.ask(&format!("HEAD {path} HTTP/1.1\r\nHost: HERE\r\n\r\n"));
        assert!(head.ends_with("\r\n\r\n") && file.starts_with(&head), "{path}: {head}");
    }
}

#[test]
fn every_refusal_has_a_reason() {
    let server = Server::start(&["--origin", "https://boards.example"]);
    let here = "Host: HERE\r\n";
    let from = |origin: &str| format!("{here}Origin: {origin}\r\n");
    let engine = "/engine?token=secret";
    let cases = [
        (opening("/engine", here), "403 Forbidden", "missing or wrong token"),
        (opening("/engine?token=wrong", here), "403 Forbidden", "missing or wrong token"),
        (opening(engine, &from("https://evil.example")), "403 Forbidden", "--origin https://evil"),
        (opening(engine, &from("http://localhost:1")), "403 Forbidden", "may not use this engine"),
        (opening(engine, "Host: evil.example\r\n"), "403 Forbidden", "not a name of this machine"),
        (
            format!("GET {engine} HTTP/1.1\r\n{here}\r\n"),
            "426 Upgrade Required",
            "expected a WebSocket",
        ),
        (format!("GET /../Cargo.toml HTTP/1.1\r\n{here}\r\n"), "404 Not Found", "no such file"),
        (format!("POST / HTTP/1.1\r\n{here}\r\n"), "405 Method Not Allowed", "only GET"),
        ("hub\ninit\n\n".to_owned(), "400 Bad Request", "not an HTTP request"),
        (format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "a".repeat(1 << 20)), "400 Bad", "longer than"),
    ];
    for (head, status, sentence) in cases {
        let answer = server.ask(&head);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{head:.200}{answer}");
        assert!(answer.contains(sentence), "{head:.200}{answer}");
    }
    // The same without the fault.
    for origin in ["http://HERE", "https://boards.example"] {
        let head = opening(engine, &from(origin)).replace("HERE", &server.address);
        let answer = first_line(&server, &head);
        assert_eq!(answer, "HTTP/1.1 101 Switching Protocols");
    }
}

/// The first line of an answer after which the connection stays open.
fn first_line(server: &Server, head: &str) -> String {
    use std::io::{BufRead, BufReader, Write};
    let mut stream = std::net::TcpStream::connect(&server.address).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).unwrap();
    line.trim_end().to_owned()
}

#[test]
fn limits_the_number_of_sessions() {
    let server = Server::start(&["--sessions", "2"]);
    let _clients = [server.connect(), server.connect()];
    let answer = server.ask(&opening("/engine?token=secret", "Host: HERE\r\n"));
    assert!(answer.starts_with("HTTP/1.1 503 Service Unavailable\r\n"), "{answer}");
    assert!(answer.contains("all 2 sessions are in use: close another page"), "{answer}");
}

#[test]
fn a_request_too_large_is_answered_with_an_error() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    let read = |length| {
        let text = "x".repeat(length);
        format!(r#"{{"id": 5, "ask": "read", "variant": "international", "text": "{text}"}}"#)
    };
    for length in [9 << 20, 20 << 20] {
        client.say(&read(length));
        let answer = client.hear().unwrap().into_text().unwrap();
        assert!(answer.starts_with(r#"{"id":5,"error":"#), "{answer}");
        assert!(answer.contains("is larger than"), "{answer}");
    }
    // A long line that is no request is ignored.
    client.say(&"x".repeat(2 << 20));
    assert_eq!(client.answer("init", "ready"), "ready");
}

#[test]
fn an_endless_message_ends_the_session_with_an_error() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    client.say("init");
    client.until("ready");
    // The server may have closed before everything was sent.
    let _ = client.0.send(Message::text("x".repeat(40 << 20)));
    let Message::Close(Some(why)) = client.hear().unwrap() else { panic!("no word") };
    assert_eq!(u16::from(why.code), 1009);
    assert!(why.reason.contains("too long") || why.reason.contains("too big"), "{}", why.reason);
    assert!(server.connect().answer("init", "ready") == "ready");
}

#[test]
fn rejects_unusable_arguments() {
    for (arguments, code, sentence) in [
        (&["--origin", "example.org"][..], 2, "without a path, such as https://example.org"),
        (&["--token", "a b"], 2, "letters, digits, - and _"),
        (&["--sessions", "0"], 2, "--sessions"),
        (&["--address", "192.0.2.1", "--port", "0"], 3, "192.0.2.1:0"),
    ] {
        let output = command(arguments).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
        assert!(errors.contains(sentence), "{arguments:?}: {errors}");
    }
    let server = Server::start(&[]);
    let port = server.address.rsplit(':').next().unwrap();
    let output = command(&["--port", port]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stderr).unwrap().contains("try another --port"));
}
